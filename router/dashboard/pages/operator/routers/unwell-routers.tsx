/** What it means that routers have stopped to report, were declared dead, or have stopped. */
import { useQuery } from '@tanstack/react-query';
import { RUNBOOKS } from '../../../../../shared/alarm-runbooks.ts';
import { routerName } from '../../../../../shared/router-names.ts';
import type { Router } from '../../../../../shared/api/routers.ts';
import { routersQuery, stoppedRoutersQuery } from '../../../api/fleet.ts';
import { Notice } from '../../../parts/notice.tsx';
import { When } from '../../../parts/shown.tsx';
import { RunbookButton } from '../runbooks/runbook-button.tsx';
import { nextRouterOn } from './next-router.ts';
import { RouterEnd } from './router-end.tsx';
import { RouterLink } from './router-link.tsx';
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
          Its last report was on <When at={router.reported ?? null} precision="seconds" />. Its
          process may hang, or it cannot reach the store. If its heartbeats stay away, the other
          routers declare it dead and free the credit that it holds.
        </Notice>
      );
    }
    if (state === 'offline' && router.ended?.declared_dead_by === null) {
      return (
        <Notice key={router.id} title={`${routerName(router)} is offline`}>
          <RouterEnd ended={router.ended} />. The credit that it held is being freed. Then it is
          listed as stopped.
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
        <Notice
          key={router.id}
          title={`${routerName(router)} has stopped`}
          action={
            router.ended?.declared_dead_by ? (
              <RunbookButton runbook={RUNBOOKS.router_lost} />
            ) : undefined
          }
        >
          <HowItStopped router={router} /> Its last report was on{' '}
          <When at={router.reported ?? null} precision="seconds" />. Its history is kept for a week
          after that report. <NextRouter router={router} />
        </Notice>
      );
    }
    return null;
  });
}

/** The router that took its place, if there is one on the same machine. */
function NextRouter({ router }: { router: Router }) {
  const { data: present } = useQuery(routersQuery);
  const { data: stopped } = useQuery(stoppedRoutersQuery);
  if (present === undefined || stopped === undefined) return null;
  const next = nextRouterOn(router, [...present.data, ...stopped.data]);
  if (next === null) {
    return 'A router that was started again in its place has a page of its own.';
  }
  return (
    <>
      <RouterLink id={next.id} name={routerName(next)} /> was the next router to start on this
      machine, on <When at={next.started} precision="seconds" />.
    </>
  );
}

function HowItStopped({ router: { ended } }: { router: Router }) {
  if (!ended) {
    return 'It shut down, or another router declared it dead: which of the two was not recorded.';
  }
  return (
    <>
      <RouterEnd ended={ended} />
      {ended.declared_dead_by === null ? '.' : '; the credit that it held was freed.'}
    </>
  );
}
