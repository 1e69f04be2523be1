/** The state of each model by region, and its uptime by day. */
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import type { ModelStatus, Status } from '../../../../shared/api/public-figures.ts';
import { visitorQuery } from '../../api/me.ts';
import { statusQuery } from '../../api/public-figures.ts';
import { uptimeWords } from '../../format/measured-time.ts';
import { REGION_NAMES } from '../../format/regions.ts';
import { cx } from '../../parts/class-names.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Badge, StateBadge, When } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { SiteFrame } from '../../shell/site-frame.tsx';
import { ModelLink } from '../catalog/model-link.tsx';
import { STATES } from '../catalog/states.tsx';
import { DayBars } from './day-bars.tsx';
import { IncidentActions, ReportIncident } from './incident-actions.tsx';
import { Incidents } from './incidents.tsx';
import { affects, isOpen, summaryOf } from './summary.ts';

export default function StatusPage() {
  return (
    <SiteFrame>
      <Known />
    </SiteFrame>
  );
}

function Known() {
  const status = useQuery(statusQuery);
  const isOperator = useQuery(visitorQuery).data?.operator === true;
  return (
    <Page
      title="Status"
      description="The state of each model now, and its uptime."
      actions={isOperator && <ReportIncident models={status.data?.models ?? []} />}
    >
      <Loaded query={status}>{(known) => <Shown status={known} isOperator={isOperator} />}</Loaded>
    </Page>
  );
}

function Shown({ status, isOperator }: { status: Status; isOperator: boolean }) {
  const shared = {
    names: new Map(status.models.map(({ id, name }) => [id, name])),
    actionsOf: (incident: Incident) => isOperator && <IncidentActions incident={incident} />,
  };
  const open = status.incidents.filter(isOpen);
  return (
    <>
      <Summary models={status.models} open={open} />
      <Incidents title="Current incidents" incidents={open} {...shared} />
      <Panel flush>
        <ul className="divide-y divide-line">
          {status.models.map((model) => (
            <ModelRow key={model.id} model={model} open={open} asOf={status.as_of} />
          ))}
        </ul>
      </Panel>
      <Incidents
        title="Past incidents"
        incidents={status.incidents.filter((one) => !isOpen(one))}
        none="No incidents in the last 90 days."
        {...shared}
      />
      <div className="grid gap-1 text-xs text-muted">
        <p>
          As of <When at={status.as_of} />. Days are in UTC. Time in which the service did not run
          counts as down. An uptime is shown once an hour has been measured.
        </p>
        {Object.values(STATES).map(({ name, note }) => (
          <p key={name}>
            {name}: {note}
          </p>
        ))}
      </div>
    </>
  );
}

const LOOKS = {
  good: { icon: <CircleCheck />, className: 'border-good bg-good-soft text-good' },
  warn: { icon: <CircleAlert />, className: 'border-warn bg-warn-soft text-warn' },
  neutral: { icon: <CircleHelp />, className: 'bg-panel text-muted' },
} as const;

type Open = Readonly<{ open: readonly Incident[] }>;

function Summary({ models, open }: Pick<Status, 'models'> & Open) {
  const { tone, text } = summaryOf(models, open);
  const { icon, className } = LOOKS[tone];
  return (
    <p
      role="status"
      className={cx(
        'flex items-center gap-2.5 rounded-xl border px-5 py-4 text-sm font-medium [&_svg]:size-5 [&_svg]:shrink-0',
        className,
      )}
    >
      {icon}
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  );
}

function ModelRow({ model, open, asOf }: Open & Readonly<{ model: ModelStatus; asOf: string }>) {
  return (
    <li className="grid gap-x-8 gap-y-3 px-5 py-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <h2 className="text-sm font-semibold">
        <ModelLink id={model.id}>{model.name}</ModelLink>
      </h2>
      <ul className="grid min-w-0 gap-3">
        {model.regions.map(({ region, state, uptime, uptime_since: since, days }) => (
          <li key={region} className="grid min-w-0 gap-1.5">
            <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
              <span className="flex items-center gap-2">
                {REGION_NAMES[region]} <StateBadge of={STATES[state]} />
                {open.some((incident) => affects(incident, model.id, region)) && (
                  <Badge tone="warn">Incident</Badge>
                )}
              </span>
              <span className="text-muted tabular-nums">
                {uptimeWords({ uptime, uptime_since: since }, Date.parse(asOf), ' uptime')}
              </span>
            </p>
            {days.length > 0 && <DayBars days={days} today={asOf} />}
          </li>
        ))}
      </ul>
    </li>
  );
}
