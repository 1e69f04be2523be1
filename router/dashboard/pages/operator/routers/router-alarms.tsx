/** The alarms that name a router, and those of routers that name none, which are about all of them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AlarmKind } from '../../../../../shared/alarm-runbooks.ts';
import type { Router } from '../../../../../shared/api/routers.ts';
import type { RouterState } from '../../../../../shared/router-states.ts';
import { platformStatusQuery } from '../../../api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AlarmList } from '../platform/alarm-list.tsx';
import { stateOf } from './router-words.ts';

/** The alarms that the notice at the top of the page repeats, by the state of the router. */
const TOLD: Readonly<Partial<Record<RouterState, AlarmKind>>> = {
  silent: 'router_silent',
  offline: 'router_lost',
};

export function RouterAlarms({ router }: { router: Router }) {
  const told = TOLD[stateOf(router)];
  const status = useQuery(platformStatusQuery);
  const untold = (status.data?.alarms ?? []).filter(({ kind }) => kind !== told);
  const own = untold.filter(({ page, routers = [] }) =>
    routers.length === 0 ? page === 'routers' : routers.some((one) => one.id === router.id),
  );
  return (
    <Panel
      title="Alarms"
      description={
        own.length > 0 && 'Those about this router, and those about all routers together.'
      }
      asOf={outdatedAt(status)}
    >
      <Loaded query={status}>
        {() =>
          own.length === 0 ? (
            <p className="text-sm text-muted">
              {told === undefined
                ? 'No active alarms about this router.'
                : 'No other active alarms about this router.'}{' '}
              {untold.length > 0 && (
                <Link to="/operator" className="text-accent hover:underline">
                  {untold.length === 1
                    ? '1 alarm is about something else'
                    : `${shownCount(untold.length)} alarms are about something else`}
                </Link>
              )}
            </p>
          ) : (
            <AlarmList alarms={own} isOn="routers" />
          )
        }
      </Loaded>
    </Panel>
  );
}
