import { useMemo } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { heightsWith } from '../../format/usd.ts';
import { ChartGroup } from '../../parts/chart/chart-group.tsx';
import { LineChart, StackedChart } from '../../parts/chart/chart.tsx';
import { Legend } from '../../parts/chart/legend.tsx';
import { Select } from '../../parts/form/field.tsx';
import { Panel } from '../../parts/page.tsx';
import type { TimeRange } from '../../parts/chart/chosen-range.ts';
import { Segmented } from '../../parts/form/segmented.tsx';
import { filterOfOne } from '../../search-values.ts';
import { GROUPINGS, MEASURES } from '../../search.ts';
import { useZone } from '../../zone.ts';
import type { Bucket } from './buckets.ts';
import { labelZone, shownEnd, spanShown, tickOf, zoneOf } from './labels.ts';
import { type Figure, MEASURED, type Measure, type Sum } from './measures.ts';
import { drawnOf } from './series.ts';
import type { Span } from './span.ts';
import type { Address } from './use-address.ts';
import { useKeptColours } from './use-kept-colours.ts';

type Grouping = (typeof GROUPINGS)[number];

const BUCKET_NAMES: Readonly<Record<Bucket, string>> = {
  minute: 'By minute',
  hour: 'By hour',
  day: 'By day',
  month: 'By month',
};
export const GROUPING_NAMES: Readonly<Record<Grouping, string>> = {
  model: 'Model',
  key: 'Key',
  member: 'Member',
  source: 'Source',
};

type UsageChartProps = Address &
  Readonly<{
    summary: UsageSummary;
    /** Of the costs that the page shows. */
    decimals: number;
    span: Span;
    /** In ms since the epoch. */
    asOf: number;
    /** Called with the time of whole buckets that somebody chose. */
    onZoom: (chosen: TimeRange) => void;
  }>;

/**
 * Takes bucket and group from `summary`, which may still be the previous one while the next one is
 * loading.
 */
export function UsageChart({
  summary,
  decimals,
  span,
  asOf,
  onZoom,
  search,
  change,
}: UsageChartProps) {
  useKeptColours(summary);
  const measure = search.measure ?? 'cost';
  const bucket = summary.bucket as Bucket;
  const title = `${MEASURED[measure].name} by ${summary.group_by}`;
  const zone = useZone();
  const time = spanShown(summary.start, shownEnd(summary, asOf), bucket, zone);
  const isZoomable = Date.parse(summary.end) - Date.parse(summary.start) > ZOOMED_MIN_MS;
  return (
    <Panel
      title={title}
      description={`${time}. ${zoneOf(bucket, zone)}`}
      actions={
        <>
          {/* On a phone, the two lists share a line above the other choice. */}
          <div className="w-56 max-sm:min-w-32 max-sm:flex-1">
            <Select
              aria-label="Measure"
              value={measure}
              onChange={(event) => change({ measure: event.target.value as Measure })}
            >
              {MEASURES.map((one) => (
                <option key={one} value={one}>
                  {MEASURED[one].name}
                </option>
              ))}
            </Select>
          </div>
          <div className="max-sm:order-last">
            <Segmented
              label="Group by"
              value={search.group ?? 'model'}
              choices={GROUPINGS.map((value) => ({ value, name: GROUPING_NAMES[value] }))}
              onChange={(group) => change({ group })}
            />
          </div>
          <div className="w-32 max-sm:min-w-32 max-sm:flex-1">
            <Select
              aria-label="Bucket"
              value={span.bucket}
              onChange={(event) => change({ bucket: event.target.value as Bucket })}
            >
              {span.buckets.map((one) => (
                <option key={one} value={one}>
                  {BUCKET_NAMES[one]}
                </option>
              ))}
            </Select>
          </div>
        </>
      }
    >
      <ChartGroup hasClicks {...(isZoomable && { onZoom })}>
        <MeasureChart
          label={`${title}, ${BUCKET_NAMES[bucket].toLowerCase()}, ${time}`}
          {...{ summary, decimals, measure, bucket, search, change }}
        />
        <Gestures
          by={summary.group_by ?? 'model'}
          unit={bucket === 'month' ? 'months' : 'days'}
          hasBars={MEASURED[measure].kind === 'sum'}
          isZoomable={isZoomable}
        />
      </ChartGroup>
    </Panel>
  );
}

type GesturesProps = Readonly<{
  by: string;
  unit: 'days' | 'months';
  hasBars: boolean;
  isZoomable: boolean;
}>;

/** What the mouse does on the chart, which is not for fingers, and what the keyboard does. */
function Gestures({ by, unit, hasBars, isZoomable }: GesturesProps) {
  return (
    <>
      <p className="mt-3 text-xs text-muted max-sm:hidden pointer-coarse:hidden">
        {isZoomable &&
          (hasBars
            ? `Click a bar or drag over several to show only their ${unit}. `
            : `Click the chart or drag over it to show only those ${unit}. `)}
        Click a name to show only that {by}, and again to show all.
      </p>
      {isZoomable && (
        <p className="sr-only">
          In the chart, arrow keys move, and with Shift they choose several {unit}. Enter shows only
          them.
        </p>
      )}
    </>
  );
}

/** The address chooses whole days, so that a shorter time cannot be shown larger. */
const ZOOMED_MIN_MS = 2 * DAY_MS;

type Shown = Address &
  Readonly<{ label: string; summary: UsageSummary; decimals: number; bucket: Bucket }>;

function MeasureChart({ measure, ...shown }: Shown & Readonly<{ measure: Measure }>) {
  const measured = MEASURED[measure];
  return measured.kind === 'sum' ? (
    <SumChart measured={measured} {...shown} />
  ) : (
    <FigureChart measured={measured} {...shown} />
  );
}

function SumChart({
  measured,
  summary,
  decimals,
  label,
  bucket,
  ...address
}: Shown & { measured: Sum }) {
  const zone = useZone();
  const times = { tick: tickOf(bucket, zone), zone: labelZone(bucket, zone) };
  const { of, line } = measured;
  const format = useMemo(
    () => (measured === MEASURED.cost ? heightsWith(decimals) : measured.format),
    [measured, decimals],
  );
  const drawn = useMemo(() => drawnOf(summary, of, 0), [summary, of]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <StackedChart end={summary.end} {...{ label, ...drawn, ...times, format, line }} />
      <Legend series={drawn.series} pick={pickerOf(summary, drawn.series, address)} />
    </div>
  );
}

function FigureChart({
  measured,
  summary,
  label,
  bucket,
  ...address
}: Omit<Shown, 'decimals'> & { measured: Figure }) {
  const zone = useZone();
  const { of, format, line } = measured;
  const drawn = useMemo(() => drawnOf(summary, of, null), [summary, of]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <LineChart
        className="h-64"
        end={summary.end}
        tick={tickOf(bucket, zone)}
        zone={labelZone(bucket, zone)}
        {...{ label, ...drawn, format, line }}
      />
      <Legend series={drawn.series} pick={pickerOf(summary, drawn.series, address)} />
    </div>
  );
}

type Picked = Readonly<{ name: string; group: string | null }>;

/** A click on a group filters the page by it; a click on the only one removes the filter. */
function pickerOf(
  { group_by: by }: UsageSummary,
  series: readonly Picked[],
  { search, change }: Address,
) {
  const filter = (by ?? 'model') as Grouping;
  return (index: number) => {
    const { name, group } = series[index] ?? { name: '', group: null };
    if (group === null) return null;
    const only = filterOfOne(group);
    return search[filter] === only
      ? { title: `Show all, not only ${name}`, onPick: () => change({ [filter]: undefined }) }
      : { title: `Show only ${name}`, onPick: () => change({ [filter]: only }) };
  };
}
