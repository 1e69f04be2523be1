/** What the charts of a router mark of the router itself. */
import type { Router } from '../../../../../shared/api/routers.ts';
import type { Mark } from '../../../parts/series.ts';
import { reportedLast, stateOf } from './router-words.ts';

/** When it started, and when it stopped, or stopped reporting without having stopped. */
export function marksOfRouter(router: Router): readonly Mark[] {
  const last = reportedLast(router);
  return [
    { at: router.started, label: 'Started', text: 'The router started', tone: 'neutral' },
    ...(last === null ? [] : [endOf(router, last)]),
  ];
}

function endOf(router: Router, at: string): Mark {
  return stateOf(router) === 'stopped'
    ? { at, label: 'Stopped', text: 'The router stopped', tone: 'neutral' }
    : { at, label: 'Last report', text: 'The router stopped reporting', tone: 'bad' };
}
