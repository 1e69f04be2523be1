/** Routes by which operators see the platform as a whole. */
import { PlatformStatus, PlatformSummary } from '../../../shared/api/platform.ts';
import { listLostAgents } from '../agents/absences.ts';
import { type Api, sendJson } from '../api.ts';
import { isSellerMissing } from '../documents/parties.ts';
import { listModelsWithoutWorkers } from '../health.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from '../public-figures/answers.ts';
import { AlarmTimes } from './alarm-times.ts';
import { alarmsFrom } from './alarms.ts';
import { readPlatformState, writePlatformSummary } from './procedures.ts';
import { readTroubledModels } from './troubled-models.ts';

export type PlatformParts = Pick<
  ControlParts,
  | 'store'
  | 'clock'
  | 'fleet'
  | 'catalog'
  | 'provider'
  | 'seller'
  | 'alarmsOf'
  | 'notReadyBecause'
  | 'watch'
> &
  Readonly<{ figures: Pick<PublicFigures, 'get'> }>;

export function platformRoutes(api: Api, parts: PlatformParts): void {
  const { store, clock, fleet, catalog, alarmsOf } = parts;
  const times = new AlarmTimes();

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
    '/platform/status',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'Get alarms, and the jobs that fail',
        description:
          'Of workers, certificates, scheduled tasks and clamped counts, this router tells what it ' +
          'sees itself and what it has noticed since it started. The states of models come from what ' +
          'all routers have recorded.',
        tags: ['platform'],
        response: { 200: PlatformStatus },
      },
    },
    async () => {
      const now = clock.now();
      const { jobs, routers } = await store.call(readPlatformState, { now });
      const workers = [...fleet.workers];
      const nameOf = ({ session, name }: (typeof workers)[number]) => `${session.name}/${name}`;
      const alarms = alarmsFrom({
        now,
        notReadyBecause: parts.notReadyBecause(),
        routers,
        jobs,
        catalogFault: catalog.status.fault,
        modelsWithoutWorkers: listModelsWithoutWorkers(parts),
        troubledModels: await readTroubledModels(parts.figures, clock),
        unreadyWorkers: workers
          .filter((one) => !one.isServing && one.phase !== 'draining' && one.phase !== 'gone')
          .map(nameOf),
        lostHosts: await store.call(listLostAgents, { now }),
        suspectWorkers: workers.filter(({ id }) => alarmsOf(id).length > 0).map(nameOf),
        isSellerMissing: isSellerMissing(parts),
        watch: parts.watch,
      });
      const counts = { failed: jobs.failed, retried: jobs.retried };
      return { alarms: times.since(alarms, now), jobs: counts };
    },
  );
}
