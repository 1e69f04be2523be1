/** Routes by which operators see the platform as a whole. */
import { routerName } from '../../../shared/router-names.ts';
import {
  FailurePage,
  FailureQuery,
  PlatformReliability,
  PlatformStatus,
  PlatformSummary,
} from '../../../shared/api/platform.ts';
import { readFaultStarts } from '../../history/fault-starts.ts';
import { answerPage } from '../pages.ts';
import { listLostAgents } from '../agents/absences.ts';
import { type Api, sendJson } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';
import type { PublicFigures } from '../public-figures/answers.ts';
import { stateOf } from '../routers/state.ts';
import { AlarmTimes } from './alarm-times.ts';
import { cacheLastHour } from './availability.ts';
import { alarmsFrom, faultsIn } from './alarms.ts';
import { FaultStarts } from './fault-starts.ts';
import { type Noticed, noticedBy, type NoticedParts, readNoticed } from './noticed.ts';
import { listFailures, shownFailure } from './failures.ts';
import { readPlatformState, writePlatformSummary } from './procedures.ts';
import { readReliability } from './reliability.ts';
import type { Seen } from './router-alarms.ts';
import { soon } from './soon.ts';

export type PlatformParts = NoticedParts &
  Pick<ControlParts, 'store' | 'clock' | 'log' | 'incarnation'> &
  Readonly<{ figures: Pick<PublicFigures, 'get' | 'latest'> }>;

export function platformRoutes(api: Api, parts: PlatformParts): void {
  const { store, clock } = parts;
  const times = new AlarmTimes();
  const starts = new FaultStarts({
    clock,
    log: parts.log,
    read: async (faults, now) => await store.call(readFaultStarts, { faults, now }),
  });
  const lastHour = cacheLastHour(parts);

  api.get(
    '/platform/summary',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get money and tokens of the last 30 days, and the top customers',
        description:
          'Days are in UTC. Money and the usage of top customers are from the ledger. ' +
          'Requests and tokens are from the history of the fleet.',
        tags: ['platform'],
        response: { 200: PlatformSummary },
      },
    },
    async (_request, reply) =>
      sendJson(reply, await store.call(writePlatformSummary, { now: clock.now() })),
  );

  api.get(
    '/platform/reliability',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get how requests ended in the last hour and day, and in those before',
        description: 'From the history of the fleet, which all routers write once a minute.',
        tags: ['platform'],
        response: { 200: PlatformReliability },
      },
    },
    () => store.call(readReliability, { now: clock.now() }),
  );

  api.get(
    '/platform/failures',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the requests of all organizations that failed with a status of 5xx',
        description:
          'The latest to arrive first. Requests that were refused before they were admitted, such ' +
          'as those for which there was no worker, are in the lists of their organizations.',
        tags: ['platform'],
        querystring: FailureQuery,
        response: { 200: FailurePage },
      },
    },
    async ({ query: { limit, after = null } }) =>
      answerPage(await store.call(listFailures, { limit, after }), shownFailure),
  );

  api.get(
    '/platform/status',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get alarms, and the jobs that fail',
        description:
          'Each router reports every ten seconds what it sees of its workers and certificates, and ' +
          'what it has noticed since it started, such as scheduled tasks that fail. The alarms are ' +
          'those of all routers that have reported in the last 30 seconds.',
        tags: ['platform'],
        response: { 200: PlatformStatus },
      },
    },
    async () => {
      const now = clock.now();
      const { jobs, routers } = await store.call(readPlatformState, { now });
      const [figures, hour] = await Promise.all([
        soon(clock, 'public figures', parts.figures),
        soon(clock, 'figures of the last hour', lastHour),
      ]);
      const noticed = seenBy(parts, routers, now);
      const troubled = figures?.troubled ?? [];
      const alarms = alarmsFrom({
        now,
        routers,
        seen: noticed,
        jobs,
        troubled,
        startOf: await starts.of(faultsIn({ seen: noticed, troubled })),
        lastHour: hour,
        lostHosts: await store.call(listLostAgents, { now }),
      });
      const counts = { failed: jobs.failed, retried: jobs.retried };
      return { alarms: times.since(alarms, now), jobs: counts };
    },
  );
}

/**
 * What each router sees: this one as it is now, the others as they have reported it. Of a router
 * that has stopped reporting, an alarm says that instead.
 */
function seenBy(parts: PlatformParts, routers: readonly IncarnationRow[], now: number): Seen[] {
  const own = parts.incarnation();
  const known = routers.flatMap((row): Seen[] => {
    const state = stateOf(row, now);
    if (row.id === own || state === 'offline' || state === 'silent') return [];
    const noticed = readNoticed(row.noticed);
    return noticed ? [seen(row, noticed)] : [];
  });
  const row = routers.find(({ id }) => id === own);
  const noticed = noticedBy(parts);
  // Until it is in the store, there is no name of this router.
  const present = row
    ? seen(row, noticed)
    : { router: { id: own, name: routerName({ id: own }) }, regions: '', noticed };
  return [present, ...known];
}

function seen(row: IncarnationRow, noticed: Noticed): Seen {
  return { router: { id: row.id, name: routerName(row) }, regions: row.regions, noticed };
}
