import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { Legend, LineChart, StackedChart } from '../../parts/chart.tsx';
import { Select } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { GROUPINGS, MEASURES } from '../../search.ts';
import { useZone } from '../../zone.ts';
import type { Bucket } from './buckets.ts';
import { labelZone, spanShown, tickOf, zoneOf } from './labels.ts';
import { MEASURED, type Measure } from './measures.ts';
import { drawnOf } from './series.ts';
import type { Span } from './span.ts';
import type { Address } from './use-address.ts';

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

type UsageChartProps = Address & Readonly<{ summary: UsageSummary; span: Span }>;

/**
 * Takes bucket and group from `summary`, which may still be the previous one while the next one is
 * loading.
 */
export function UsageChart({ summary, span, search, change }: UsageChartProps) {
  const measure = search.measure ?? 'cost';
  const bucket = summary.bucket as Bucket;
  const title = `${MEASURED[measure].name} by ${summary.group_by}`;
  const zone = useZone();
  const time = spanShown(summary.start, summary.end, bucket, zone);
  return (
    <Panel
      title={title}
      description={`${time}. ${zoneOf(bucket, zone)}`}
      actions={
        <>
          <div className="w-60">
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
          <Segmented
            label="Group by"
            value={search.group ?? 'model'}
            choices={GROUPINGS.map((value) => ({ value, name: GROUPING_NAMES[value] }))}
            onChange={(group) => change({ group })}
          />
          <div className="w-32">
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
      <MeasureChart
        label={`${title}, ${BUCKET_NAMES[bucket].toLowerCase()}, ${time}`}
        {...{ summary, measure, bucket }}
      />
    </Panel>
  );
}

type MeasureChartProps = Readonly<{
  label: string;
  summary: UsageSummary;
  measure: Measure;
  bucket: Bucket;
}>;

function MeasureChart({ label, summary, measure, bucket }: MeasureChartProps) {
  const measured = MEASURED[measure];
  const zone = useZone();
  const tick = tickOf(bucket, zone);
  if (measured.kind === 'sum') {
    const { of, format, line } = measured;
    const drawn = drawnOf(summary, of, 0);
    return (
      <div className="grid gap-3">
        <StackedChart {...{ label, ...drawn, tick, format, line }} />
        <Legend series={drawn.series} />
      </div>
    );
  }
  const { of, format, most } = measured;
  const drawn = drawnOf(summary, of, null);
  return (
    <div className="grid gap-3">
      <LineChart
        className="h-64"
        zone={labelZone(bucket, zone)}
        {...{ label, ...drawn, tick, format, most }}
      />
      <Legend series={drawn.series} />
    </div>
  );
}
