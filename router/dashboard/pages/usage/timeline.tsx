/** When the parts of a request happened, and how long each took, as far as that is stored. */
import type { ReactNode } from 'react';
import type { UsageDetail } from '../../../../shared/api/usage.ts';
import { shownMs } from '../../format/count.ts';
import { fullTime } from '../../format/time.ts';
import { Panel } from '../../parts/page.tsx';
import { FullTime } from '../../parts/shown.tsx';
import { useZone } from '../../zone.ts';
import { endOf, eventsOf, type TimelineEvent } from './events.ts';
import { OUTCOME_LOOKS } from './outcome-looks.ts';
import { type Stage, stagesOf, storyOf } from './stages.ts';
import { StagesBar } from './stages-bar.tsx';

type TimelineProps = Readonly<{
  /** When the request arrived. */
  start: string;
  /** What followed the arrival. */
  events: readonly TimelineEvent[];
  /** Shown above the events. Empty if it is not known how long they took. */
  stages?: readonly Stage[];
  note: string;
}>;

export function Timeline({ start, events, stages = [], note }: TimelineProps) {
  return (
    <Panel title="Timeline" description={note}>
      <StagesBar stages={stages} />
      <ol className="grid text-sm" aria-label="Timeline">
        <Event name="Received" start={start} afterMs={0} note={<FullTime at={start} />} />
        {events.map((event) => (
          <Event key={event.name} start={start} {...event} />
        ))}
      </ol>
    </Panel>
  );
}

type EventProps = Pick<TimelineProps, 'start'> &
  Omit<TimelineEvent, 'note'> &
  Readonly<{ note?: ReactNode }>;

function Event({ start, name, afterMs, note, look }: EventProps) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-l border-line-strong pb-4 pl-5 last:border-transparent last:pb-0 sm:grid-cols-[10rem_6rem_minmax(0,1fr)]">
      <span
        aria-hidden
        className="absolute top-1 -left-[5px] size-2.5 rounded-full border-2 border-panel"
        style={{ background: look ? OUTCOME_LOOKS[look].colour : 'var(--accent)' }}
      />
      <span className="font-medium">{name}</span>
      <span className="text-muted tabular-nums">
        {afterMs === null ? '' : <At start={start} afterMs={afterMs} />}
      </span>
      <span className="col-span-2 min-w-0 break-words text-muted sm:col-span-1">{note}</span>
    </li>
  );
}

function At({ start, afterMs }: Readonly<{ start: string; afterMs: number }>) {
  const zone = useZone();
  const at = new Date(Date.parse(start) + afterMs).toISOString();
  return (
    <time dateTime={at} title={fullTime(at, zone)}>
      + {shownMs(afterMs)}
    </time>
  );
}

/** The timeline of a request that was admitted. */
export function AdmittedTimeline({ detail }: { detail: UsageDetail }) {
  const { timeline } = detail;
  if (timeline === null) return <CoarseTimeline detail={detail} />;
  return (
    <Timeline
      start={detail.created}
      stages={stagesOf({ ...detail, timeline })}
      events={eventsOf(detail, timeline)}
      note={storyOf({ timeline, ttft_ms: detail.ttft_ms })}
    />
  );
}

/** Of a request that an earlier version served. */
function CoarseTimeline({ detail }: { detail: UsageDetail }) {
  const { created, ttft_ms, worker } = detail;
  const events: TimelineEvent[] = [
    {
      name: 'Admitted',
      afterMs: null,
      note: worker === null ? 'No host took it.' : undefined,
    },
    ...(ttft_ms === null ? [] : [{ name: 'First token', afterMs: ttft_ms }]),
    endOf(detail),
  ];
  return (
    <Timeline
      start={created}
      events={events}
      note="The wait for a host, and earlier attempts on other hosts, were not stored for this request."
    />
  );
}
