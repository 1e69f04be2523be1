/** When the parts of a request happened, as far as they are stored. */
import type { ReactNode } from 'react';
import type { UsageDetail } from '../../../../shared/api/usage.ts';
import { shownMs } from '../../format/count.ts';
import { fullTime } from '../../format/time.ts';
import { cx } from '../../parts/class-names.ts';
import { Panel } from '../../parts/page.tsx';
import { FullTime } from '../../parts/shown.tsx';
import { useZone } from '../../zone.ts';
import { outcomeOf } from './outcome.ts';

export type TimelineEvent = Readonly<{
  name: string;
  /** ms after the request arrived. Null when it is not stored. */
  afterMs: number | null;
  note?: ReactNode;
  isBad?: boolean;
}>;

type TimelineProps = Readonly<{
  /** When the request arrived. */
  start: string;
  events: readonly TimelineEvent[];
  note: string;
}>;

export function Timeline({ start, events, note }: TimelineProps) {
  return (
    <Panel title="Timeline" description={note}>
      <ol className="grid text-sm" aria-label="Timeline">
        {events.map(({ name, afterMs, note: more, isBad = false }) => (
          <li
            key={name}
            className="relative grid gap-x-4 border-l border-line-strong pb-4 pl-5 last:border-transparent last:pb-0 sm:grid-cols-[10rem_6rem_minmax(0,1fr)]"
          >
            <span
              aria-hidden
              className={cx(
                'absolute top-1 -left-[5px] size-2.5 rounded-full border-2 border-panel',
                isBad ? 'bg-bad' : 'bg-accent',
              )}
            />
            <span className="font-medium">{name}</span>
            <span className="text-muted tabular-nums">
              {afterMs === null ? '' : <At start={start} afterMs={afterMs} />}
            </span>
            <span className="min-w-0 break-words text-muted">{more}</span>
          </li>
        ))}
      </ol>
    </Panel>
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
  const { created, ttft_ms, duration_ms, worker, error } = detail;
  const { text } = outcomeOf(detail);
  const events: TimelineEvent[] = [
    { name: 'Received', afterMs: 0, note: <FullTime at={created} /> },
    {
      name: 'Admitted',
      afterMs: null,
      note: worker === null ? 'No worker took it.' : `The last worker was ${worker}.`,
    },
    ...(ttft_ms === null ? [] : [{ name: 'First token', afterMs: ttft_ms }]),
    { name: 'Ended', afterMs: duration_ms, note: text, isBad: error !== null },
  ];
  return (
    <Timeline
      start={created}
      events={events}
      note="The wait for a worker, and earlier attempts on other workers, are not stored."
    />
  );
}
