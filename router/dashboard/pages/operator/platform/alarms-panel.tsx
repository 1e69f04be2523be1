import { Link } from '@tanstack/react-router';
import type { PlatformAlarm, PlatformStatus } from '../../../../../shared/api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { Button } from '../../../parts/button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { PAGES } from '../../../pages.ts';

type Query = Readonly<{
  data: PlatformStatus | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}>;

const PAGE_OF = {
  fleet: PAGES.fleet,
  routers: PAGES.routers,
  jobs: PAGES.jobs,
  audit: PAGES.platformAudit,
} as const satisfies Record<PlatformAlarm['page'], unknown>;

/** What needs an operator's attention, the worst first. */
export function AlarmsPanel({ status }: { status: Query }) {
  if (status.data?.alarms.length === 0) {
    return (
      <Notice tone="good" title="Nothing needs attention">
        No active alarms on this router.
      </Notice>
    );
  }
  return (
    <Panel
      title="Needs attention"
      description="As this router sees it. Alerts of Prometheus see all routers."
    >
      <Loaded query={status}>
        {({ alarms }) => (
          <ul className="grid divide-y divide-line">
            {alarms.map((alarm) => (
              <Alarm key={`${alarm.kind} ${alarm.message}`} alarm={alarm} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Alarm({ alarm: { severity, message, page, count, last } }: { alarm: PlatformAlarm }) {
  const { path, title } = PAGE_OF[page];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm first:pt-0 last:pb-0">
      {severity === 'urgent' ? (
        <Badge tone="bad">Urgent</Badge>
      ) : (
        <Badge tone="warn">Warning</Badge>
      )}
      <span className="min-w-0 flex-1">
        {message}
        {count !== null && last !== null && (
          <span className="text-muted">
            {' '}
            {shownCount(count)} times since this router started, last <When at={last} relative />.
          </span>
        )}
      </span>
      <Button asChild size="small">
        <Link to={path}>{title}</Link>
      </Button>
    </li>
  );
}
