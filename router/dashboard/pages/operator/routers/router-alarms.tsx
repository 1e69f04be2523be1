/** The alarms that name a router, and those of routers that name none, which are about all of them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { platformStatusQuery } from '../../../api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AlarmList } from '../platform/alarm-list.tsx';

export function RouterAlarms({ router }: { router: string }) {
  const status = useQuery(platformStatusQuery);
  return (
    <Panel
      title="Alarms"
      description="Those about this router, and those about all routers together."
    >
      <Loaded query={status}>
        {({ alarms }) => {
          const own = alarms.filter(({ page, routers = [] }) =>
            routers.length === 0 ? page === 'routers' : routers.some(({ id }) => id === router),
          );
          return own.length === 0 ? (
            <p className="text-sm text-muted">
              No active alarms about this router.{' '}
              {alarms.length > 0 && (
                <Link to="/operator" className="text-accent hover:underline">
                  {alarms.length === 1
                    ? '1 alarm is about something else'
                    : `${shownCount(alarms.length)} alarms are about something else`}
                </Link>
              )}
            </p>
          ) : (
            <AlarmList alarms={own} />
          );
        }}
      </Loaded>
    </Panel>
  );
}
