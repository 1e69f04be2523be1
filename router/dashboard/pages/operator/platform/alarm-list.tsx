/** Alarms with what they mean, the routers that they name, and what leads on from them. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { Button } from '../../../parts/form/button.tsx';
import type { HistorySearch } from '../../../operator-search.ts';
import { Badge, Code, When } from '../../../parts/shown.tsx';
import { PAGES } from '../../../pages.ts';
import { RouterLink } from '../routers/router-link.tsx';
import { RunbookButton } from '../runbooks/runbook-button.tsx';
import { AlarmIncidentLinks } from './alarm-incident-links.tsx';
import { AlarmModels } from './alarm-models.tsx';
import { meaningOf } from './alarm-meanings.ts';
import { FailedHistoryLink, FailedWhere } from './failed-where.tsx';
import { isIncident, placeOf } from './incident-draft.ts';

const PAGE_OF = {
  fleet: PAGES.fleet,
  routers: PAGES.routers,
  jobs: PAGES.jobs,
  audit: PAGES.platformAudit,
} as const satisfies Record<PlatformAlarm['page'], unknown>;

/** The classes of a panel of alarms: it is tinted if one of them is urgent. */
export function tintOf(alarms: readonly PlatformAlarm[]): string {
  const isUrgent = alarms.some(({ severity }) => severity === 'urgent');
  return isUrgent ? 'border-bad/40! bg-bad-soft/60!' : '';
}

/** The alarm that the list of hosts explains, and not their history. */
const LOST_HOSTS = 'host_lost';
/** The subject of the alarm about a payment that the list of payments explains. */
const FAILED_REFUND = 'refund_failed';
/** The alarm about requests, of which the list of failed requests has the hosts. */
const LOW = 'availability_low';

type AlarmListProps = Readonly<{
  alarms: readonly PlatformAlarm[];
  /** The page that the list is on, to which its alarms need not lead. */
  isOn?: 'fleet' | 'routers';
}>;

export function AlarmList({ alarms, isOn }: AlarmListProps) {
  return (
    <ul className="grid divide-y divide-line">
      {alarms.map((alarm) => (
        <Alarm key={`${alarm.kind} ${alarm.message}`} alarm={alarm} isOn={isOn} />
      ))}
    </ul>
  );
}

type AlarmProps = Readonly<{ alarm: PlatformAlarm; isOn: AlarmListProps['isOn'] | undefined }>;

function Alarm({ alarm, isOn }: AlarmProps) {
  const { kind, severity, message, page, count, last, since, runbook, routers = [] } = alarm;
  const { path, title } = PAGE_OF[page];
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2.5 text-sm first:pt-0 last:pb-0">
      {severity === 'urgent' ? (
        // The panel has the tint of a badge.
        <span className="rounded-full bg-bad px-2 py-0.5 text-xs font-medium text-panel">
          Urgent
        </span>
      ) : (
        <Badge tone="warn">Warning</Badge>
      )}
      <div className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{message}</span>
        <span className="mt-0.5 block text-xs text-muted">
          {meaningOf(alarm)} {kind === LOW && <FailedWhere />}
          {count === null && since !== undefined && since !== null && (
            <>
              Began <When at={since} relative />
            </>
          )}
          {count !== null && last !== null && (
            <>
              {shownCount(count)} times since the routers started, last <When at={last} relative />
            </>
          )}
          {routers.length > 0 && <SeenOn routers={routers} />}
          {runbook !== undefined && runbook !== null && (
            <span className="mt-0.5 block">
              <Code>{runbook}</Code>
            </span>
          )}
        </span>
        <AlarmModels models={alarm.models ?? []} />
      </div>
      <span className="flex flex-wrap items-center gap-2">
        {runbook !== undefined && runbook !== null && <RunbookButton runbook={runbook} />}
        {isIncident(alarm) && <AlarmIncidentLinks alarm={alarm} />}
        {kind === LOST_HOSTS ? (
          <Button asChild size="small">
            <Link to={PAGES.fleet.path} search={{ link: 'lost' }} hash="hosts">
              Lost hosts
            </Link>
          </Button>
        ) : alarm.subject === FAILED_REFUND ? (
          <Button asChild size="small">
            <Link to={PAGES.payments.path} search={{ status: 'refund_failed' }}>
              Payments
            </Link>
          </Button>
        ) : kind === LOW ? (
          <FailedHistoryLink>{isOn === 'fleet' ? 'History' : title}</FailedHistoryLink>
        ) : isOn === 'fleet' ? (
          <HistoryLink place={placeOf(alarm)} />
        ) : isOn === page ? null : (
          <Button asChild size="small">
            <Link to={path} search={page === 'fleet' ? placeOf(alarm) : {}}>
              {title}
            </Link>
          </Button>
        )}
      </span>
    </li>
  );
}

/** Leads from an alarm on the page of the fleet to its history of the only model or region. */
function HistoryLink({ place }: { place: HistorySearch }) {
  if (place.model === undefined && place.region === undefined) return null;
  return (
    <Button asChild size="small">
      <Link to={PAGES.fleet.path} search={place} hash="history">
        History
      </Link>
    </Button>
  );
}

const NAMED_MAX = 3;

/** "On gateway-1 · process 4711, gateway-2 · process 17 and 2 other routers", each with its page. */
function SeenOn({ routers }: { routers: NonNullable<PlatformAlarm['routers']> }) {
  const named = routers.slice(0, NAMED_MAX);
  const others = routers.length - named.length;
  const more = others === 1 ? 'another router' : `${shownCount(others)} other routers`;
  return (
    <span className="block">
      On{' '}
      {named.map(({ id, name }, nth) => (
        <Fragment key={id}>
          {nth > 0 && '; '}
          <RouterLink id={id} name={name} />
        </Fragment>
      ))}
      {others > 0 && ` and ${more}`}
    </span>
  );
}
