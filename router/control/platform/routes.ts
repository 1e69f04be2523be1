/** Routes by which operators see the platform as a whole. */
import {
  AlarmsPage,
  AlarmsQuery,
  FailurePage,
  FailureQuery,
  LatestAlarms,
  PlatformReliability,
  PlatformStatus,
  PlatformSummary,
} from '../../../shared/api/platform.ts';
import { ALARM_DAYS } from '../../../shared/bounds/kept-alarms.ts';
import { answerPage } from '../pages.ts';
import { type Api, sendJson } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { listAlarms, listLatestAlarms } from './alarm-log.ts';
import { listFailures, shownFailure } from './failures.ts';
import type { PlatformAlarms } from './platform-alarms.ts';
import { writePlatformSummary } from './procedures.ts';
import { readReliability } from './reliability.ts';
import { shownAlarm } from './shown-alarm.ts';

export type PlatformParts = Pick<ControlParts, 'store' | 'clock'> &
  Readonly<{ alarms: Pick<PlatformAlarms, 'find'> }>;

export function platformRoutes(api: Api, parts: PlatformParts): void {
  const { store, clock } = parts;

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
          'The latest to arrive first, also those that were refused before they were admitted, such ' +
          'as those for which there was no worker. When many requests are refused, a sample of them is listed.',
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
      const { alarms, jobs } = await parts.alarms.find();
      return { alarms: [...alarms], jobs: { failed: jobs.failed, retried: jobs.retried } };
    },
  );

  api.get(
    '/platform/alarms',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the alarms that were active in a time, with their beginning and end',
        description: `The last to begin is first. Routers record alarms once a minute, so that shorter ones may be missing. One that is back within three minutes has not ended. They are kept for ${ALARM_DAYS} days.`,
        tags: ['platform'],
        querystring: AlarmsQuery,
        response: { 200: AlarmsPage },
      },
    },
    async ({ query: { limit, after = null, from = null, until = null } }) =>
      answerPage(await store.call(listAlarms, { limit, after, from, until }), shownAlarm),
  );

  api.get(
    '/platform/alarms/latest',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the last active alarm of each kind',
        description: `A kind that is missing was not recorded within ${ALARM_DAYS} days.`,
        tags: ['platform'],
        response: { 200: LatestAlarms },
      },
    },
    async () => ({ data: (await store.call(listLatestAlarms, null)).map(shownAlarm) }),
  );
}
