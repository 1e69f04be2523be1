/** The state of each model by region, and its uptime by day. */
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import type { ModelStatus, Status } from '../../../../shared/api/public-figures.ts';
import { isAdministrator, visitorQuery } from '../../api/me.ts';
import { areModelsPublic, statusQuery } from '../../api/public-figures.ts';
import { monthName } from '../../format/money-words.ts';
import { cx } from '../../parts/class-names.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact, Facts, Page, Panel } from '../../parts/page.tsx';
import { Code, StateBadge, UtcTime } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { SiteFrame } from '../../shell/site-frame.tsx';
import { ModelLink } from '../catalog/model-link.tsx';
import { STATES } from '../catalog/states.tsx';
import { DAY_COLOURS } from './day-bars.tsx';
import type { DayTone } from './days.ts';
import { IncidentActions, ReportIncident } from './incident-actions.tsx';
import { Incidents } from './incidents.tsx';
import { ModelDays } from './model-days.tsx';
import { feedAddress, Subscribe } from './subscribe.tsx';
import { isOpen, summaryOf } from './summary.ts';

export default function StatusPage() {
  return (
    <SiteFrame>
      <Known />
    </SiteFrame>
  );
}

function Known() {
  const status = useQuery(statusQuery);
  const visitor = useQuery(visitorQuery).data ?? null;
  const isOperator = visitor !== null && isAdministrator(visitor);
  return (
    <Page
      title="Status"
      description="The status of each model now, and its uptime by day."
      actions={
        <>
          {(areModelsPublic() || visitor !== null) && <Subscribe visitor={visitor} />}
          {isOperator && <ReportIncident models={status.data?.models ?? []} />}
        </>
      }
    >
      <Loaded query={status}>{(known) => <Shown status={known} isOperator={isOperator} />}</Loaded>
    </Page>
  );
}

function Shown({ status, isOperator }: { status: Status; isOperator: boolean }) {
  const shared = {
    names: new Map(status.models.map(({ id, name }) => [id, name])),
    actionsOf: (incident: Incident) =>
      isOperator && <IncidentActions incident={incident} models={status.models} />,
  };
  const open = status.incidents.filter(isOpen);
  const past = status.incidents.filter((one) => !isOpen(one));
  return (
    <>
      <Summary models={status.models} open={open} />
      <Incidents title="Current incidents" incidents={open} {...shared} />
      <Panel
        flush
        title="Uptime by model"
        description="The share of the time in which the model was ready for requests. Each bar is a day (UTC)."
      >
        <div className="border-y px-5 py-3">
          <Legend />
        </div>
        <ul className="divide-y divide-line">
          {status.models.map((model, index) => (
            <ModelRow
              key={model.id}
              model={model}
              status={status}
              isLast={index === status.models.length - 1}
            />
          ))}
        </ul>
      </Panel>
      {past.length === 0 ? (
        <Incidents
          title="Past incidents"
          incidents={past}
          none="No incidents were reported in the last 90 days."
          {...shared}
        />
      ) : (
        byMonth(past).map(([month, incidents]) => (
          <Incidents
            key={month}
            title={`Past incidents of ${month}`}
            incidents={incidents}
            {...shared}
          />
        ))
      )}
      <Notes asOf={status.as_of} />
    </>
  );
}

/** The months in which the incidents began (UTC), in the order of the incidents. */
function byMonth(
  incidents: readonly Incident[],
): readonly (readonly [month: string, incidents: readonly Incident[]])[] {
  return [...Map.groupBy(incidents, ({ created }) => monthName(created))];
}

const COLOURS: readonly (readonly [DayTone, string])[] = [
  ['good', 'At least 99.9% uptime'],
  ['warn', '95% to 99.9%'],
  ['bad', 'Less than 95%'],
  ['none', 'Not measured'],
];

function Legend() {
  return (
    <ul aria-label="Colors of days" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {COLOURS.map(([tone, name]) => (
        <li key={tone} className="flex items-center gap-1.5">
          <span className={cx('size-2.5 rounded-xs', DAY_COLOURS[tone])} /> {name}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <span className="size-1 rounded-full bg-warn" /> Incident
      </li>
    </ul>
  );
}

function Notes({ asOf }: { asOf: string }) {
  const feed = feedAddress();
  return (
    <Panel
      title="How status is measured"
      description={
        <>
          As of <UtcTime at={asOf} />. Downtime of the whole service counts. New models have no
          uptime until an hour has been measured.
        </>
      }
    >
      {/* On a phone, each meaning stands below its state. */}
      <div className="max-sm:[&_dd]:w-full">
        <Facts>
          {Object.values(STATES).map((state) => (
            <Fact key={state.name} name={<StateBadge of={state} />}>
              {state.note}
            </Fact>
          ))}
        </Facts>
      </div>
      {areModelsPublic() && (
        <p className="mt-4 border-t pt-4 text-sm wrap-anywhere text-muted">
          Get incident updates by adding this feed to a feed reader or a chat program:{' '}
          <Copied text={feed} what="the address of the feed">
            <Code>{feed}</Code>
          </Copied>
        </p>
      )}
    </Panel>
  );
}

const LOOKS = {
  good: { icon: <CircleCheck />, className: 'border-good bg-good-soft text-good' },
  warn: { icon: <CircleAlert />, className: 'border-warn bg-warn-soft text-warn' },
  bad: { icon: <CircleX />, className: 'border-bad bg-bad-soft text-bad' },
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

type ModelRowProps = Readonly<{ model: ModelStatus; status: Status; isLast: boolean }>;

/** All rows have the same days, so only the last one has an axis. */
function ModelRow({ model, status, isLast }: ModelRowProps) {
  return (
    <li className="grid gap-x-8 gap-y-3 px-5 py-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <h2 className="text-sm font-semibold">
        <ModelLink id={model.id}>{model.name}</ModelLink>
      </h2>
      <ModelDays model={model} status={status} hasAxis={isLast} />
    </li>
  );
}
