/** What it means that routers have stopped to report, were declared dead, or have stopped. */
import { RUNBOOKS } from '../../../../../shared/alarm-runbooks.ts';
import { routerName } from '../../../../../shared/router-names.ts';
import type { Router } from '../../../../../shared/api/routers.ts';
import { Notice } from '../../../parts/notice.tsx';
import { When } from '../../../parts/shown.tsx';
import { RunbookButton } from '../runbooks/runbook-button.tsx';
import { stateOf } from './router-words.ts';

export function UnwellRouters({ routers }: { routers: readonly Router[] }) {
  return routers.map((router) => {
    const state = stateOf(router);
    if (state === 'silent') {
      return (
        <Notice
          key={router.id}
          tone="bad"
          title={`${routerName(router)} has stopped reporting`}
          action={<RunbookButton runbook={RUNBOOKS.router_silent} />}
        >
          Its last report was <When at={router.reported ?? null} relative />. Its process may hang,
          or it cannot reach the store. If its heartbeats stay away, the other routers declare it
          dead and free the credit that it holds.
        </Notice>
      );
    }
    if (state === 'offline') {
      return (
        <Notice
          key={router.id}
          tone="warn"
          title={`${routerName(router)} is offline`}
          action={<RunbookButton runbook={RUNBOOKS.router_lost} />}
        >
          The other routers have declared it dead and free the credit that it held. If it was not
          stopped on purpose, its log says why. Then it is listed as stopped.
        </Notice>
      );
    }
    if (state === 'stopped') {
      return (
        <Notice key={router.id} title={`${routerName(router)} has stopped`}>
          Its last report was <When at={router.reported ?? null} relative />. It has signed off, or
          the other routers have declared it dead: which of the two is not recorded. Its history is
          kept for a week after its last report. A router that was started again in its place has a
          page of its own.
        </Notice>
      );
    }
    return null;
  });
}
