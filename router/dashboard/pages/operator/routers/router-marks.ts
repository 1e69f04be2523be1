/** What the charts of a router mark of the router itself. */
import type { Router } from '../../../../../shared/api/routers.ts';
import type { Mark } from '../../../parts/chart/series.ts';
import { type MarkedAlarm, marksOfAlarms } from '../history/marks.ts';
import { reportedLast, stateOf } from './router-words.ts';

/** When it started, and when it stopped, or stopped reporting without having stopped. */
export function marksOfRouter(router: Router): readonly Mark[] {
  const last = reportedLast(router);
  return [
    { at: router.started, label: 'Started', text: 'The router started', tone: 'neutral' },
    ...(last === null ? [] : [endOf(router, last)]),
  ];
}

/**
 * When the alarms about the router began and ended. That it stopped reporting is marked by its last report,
 * which is the same instant.
 */
export function marksOfRouterAlarms(
  router: Router,
  alarms: readonly MarkedAlarm[],
): readonly Mark[] {
  const hasLast = reportedLast(router) !== null;
  return marksOfAlarms(
    alarms.filter(
      ({ kind, routers }) =>
        routers.some(({ id }) => id === router.id) && !(hasLast && kind === 'router_silent'),
    ),
  );
}

function endOf(router: Router, at: string): Mark {
  return stateOf(router) === 'stopped'
    ? { at, label: 'Stopped', text: 'The router stopped', tone: 'neutral' }
    : { at, label: 'Last report', text: 'The router stopped reporting', tone: 'bad' };
}
