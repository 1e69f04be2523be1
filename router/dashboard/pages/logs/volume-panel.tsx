import type { ReactNode } from 'react';
import type { RequestStatus } from '../../../../shared/request-statuses.ts';
import { shownCount } from '../../format/count.ts';
import { cx } from '../../parts/class-names.ts';
import { Panel } from '../../parts/page.tsx';
import { ColourMark } from '../../parts/chart/colour-mark.tsx';
import { ResetZoom } from '../../parts/chart/reset-zoom.tsx';
import { Failed, Skeleton } from '../../parts/states.tsx';
import { useZone } from '../../zone.ts';
import { labelZone, spanShown, tickOf } from '../usage/labels.ts';
import { OUTCOME_LOOKS, OUTCOMES, type Outcome } from '../usage/outcome-looks.ts';
import type { LogTime } from './log-time.ts';
import { countable, type LogNarrowing, STATUS_OF } from './narrowing.ts';
import type { useVolume } from './use-volume.ts';
import { totalOf, totalsOf, type VolumeBar } from './volume.ts';
import { VolumeChart } from './volume-chart.tsx';

type VolumePanelProps = Readonly<{
  volume: ReturnType<typeof useVolume>;
  time: LogTime;
  narrowing: LogNarrowing;
  /** The chosen time in words. Null for a range up to now. */
  chosen: string | null;
  onChosen: (start: number, end: number) => void;
  /** Undefined: all of them. */
  onStatus: (status: RequestStatus | undefined) => void;
  /** Leads back from a time that was chosen here. */
  onReset: (() => void) | null;
}>;

/** How many requests there were over the shown time, by how they ended. */
export function VolumePanel({ volume, ...rest }: VolumePanelProps) {
  const { bars, isStale, error, refetch } = volume;
  const { time, narrowing, chosen, onChosen, onStatus, onReset } = rest;
  const zone = useZone();
  const { outcomes, note } = countable(narrowing);
  const isDrawn = outcomes.length > 0;
  if (bars === undefined && error !== null) {
    return (
      <Panel flush>
        <Failed error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  const span = (start: number, end: number) =>
    spanShown(new Date(start).toISOString(), new Date(end).toISOString(), time.bucket, zone);
  return (
    <section
      aria-label="Volume"
      aria-busy={isStale}
      className={cx(
        'rounded-xl border bg-panel px-5 py-4 shadow-panel transition-opacity',
        isStale && 'opacity-60',
      )}
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-xs text-muted">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {bars === undefined ? (
            <Skeleton className="h-4 w-72" />
          ) : (
            <Counts {...{ bars, outcomes, narrowing, onStatus }} />
          )}
          {note !== null && <p className="text-sm text-ink">{note}</p>}
        </div>
        {/* As high with the button as without it: the chart stays below the pointer that chose. */}
        <span
          className={cx(
            'flex min-h-8.5 flex-wrap items-center gap-x-3 gap-y-1 max-sm:min-h-11',
            chosen === null && onReset === null && 'max-sm:hidden',
          )}
        >
          {isDrawn && chosen === null && bars?.some((bar) => totalOf(bar) > 0) && (
            <span className="max-sm:hidden pointer-coarse:hidden">
              Click a bar or drag over several to show only their time.
            </span>
          )}
          {chosen !== null && <span className="font-medium text-ink">{chosen}</span>}
          {onReset && <ResetZoom onReset={onReset} />}
        </span>
      </div>
      {isDrawn && bars === undefined && <Skeleton className="h-[5.75rem] w-full" />}
      {isDrawn && bars !== undefined && (
        <VolumeChart
          bars={bars}
          outcomes={outcomes}
          spanOf={span}
          tick={tickOf(time.bucket, zone)}
          zone={labelZone(time.bucket, zone)}
          onChosen={onChosen}
        />
      )}
    </section>
  );
}

type CountsProps = Readonly<{ bars: readonly VolumeBar[]; outcomes: readonly Outcome[] }> &
  Pick<VolumePanelProps, 'narrowing' | 'onStatus'>;

/**
 * The names and colours of the outcomes. Each narrows the page to its requests, and the only one
 * leads back to all. Those that are counted have their counts.
 */
function Counts({ bars, outcomes, narrowing, onStatus }: CountsProps): ReactNode {
  const totals = totalsOf(bars);
  const { status = [], model } = narrowing;
  // The note stands in the place of refused requests that are not counted by model.
  const named = OUTCOMES.filter((outcome) => outcome !== 'refused' || model === undefined);
  return (
    <ul aria-label="Requests by outcome" className="flex flex-wrap gap-x-1 gap-y-1">
      {named.map((outcome) => {
        const isOnly = status.length === 1 && status[0] === STATUS_OF[outcome];
        return (
          <li key={outcome} className="max-sm:w-[calc(50%-0.25rem)]">
            <button
              type="button"
              aria-pressed={isOnly}
              onClick={() => onStatus(isOnly ? undefined : STATUS_OF[outcome])}
              className="-ml-1.5 flex items-center gap-1.5 rounded-md px-1.5 py-1 hover:bg-hover aria-pressed:bg-hover max-sm:min-h-11"
            >
              <ColourMark colour={OUTCOME_LOOKS[outcome].colour} />
              {OUTCOME_LOOKS[outcome].name}
              {outcomes.includes(outcome) && (
                <span className="font-medium text-ink tabular-nums">
                  {shownCount(totals[outcome])}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
