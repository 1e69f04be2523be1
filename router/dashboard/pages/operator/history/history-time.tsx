/** The choice of a span up to now, or of a range from one instant to another. */
import { now } from '../../../clock.ts';
import { ResetZoom } from '../../../parts/chart/reset-zoom.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { CustomTime } from '../../logs/custom-time.tsx';
import type { HistoryRange } from './history-range.ts';

type HistoryTimeProps<Span extends string> = Readonly<{
  span: Span;
  choices: readonly Readonly<{ value: Span; name: string }>[];
  /** Undefined if a span is shown. */
  range: HistoryRange | undefined;
  /** The time that is shown, as the answer has it; undefined while it is loading. */
  shown: HistoryRange | undefined;
  /** Leads back from a time that a drag chose; null if none did. */
  onReset: (() => void) | null;
  /** The parameters of the address that change; those that go are undefined. */
  onChange: (
    part: Readonly<{ span?: Span; from: string | undefined; to: string | undefined }>,
  ) => void;
}>;

export function HistoryTime<Span extends string>({
  span,
  choices,
  range,
  shown,
  onReset,
  onChange,
}: HistoryTimeProps<Span>) {
  const asOf = now();
  const present = new Date(asOf).toISOString();
  const time = range ?? { start: shown?.start ?? present, end: shown?.end ?? present };
  const toSpan = (chosen: Span) => onChange({ span: chosen, from: undefined, to: undefined });
  return (
    <>
      {onReset && <ResetZoom onReset={onReset} />}
      <Segmented<Span | 'range'>
        label="Span"
        value={range === undefined ? span : 'range'}
        choices={choices}
        onChange={(chosen) => chosen !== 'range' && toSpan(chosen)}
      />
      <CustomTime
        of="the time that the charts show"
        time={{ ...time, isCustom: range !== undefined }}
        asOf={asOf}
        onChosen={onChange}
      />
    </>
  );
}
