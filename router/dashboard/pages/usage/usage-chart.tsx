import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { compactCount } from '../../format/count.ts';
import { exactHeight, shownHeight } from '../../format/usd.ts';
import { Legend, StackedChart } from '../../parts/chart.tsx';
import { Select } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { GROUPINGS } from '../../search.ts';
import type { Bucket } from './buckets.ts';
import { spanShown, tickOf, zoneOf } from './labels.ts';
import { drawnOf, type Measure } from './series.ts';
import type { Span } from './span.ts';
import type { Address } from './use-address.ts';

type Grouping = (typeof GROUPINGS)[number];

const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  cost: 'Cost',
  requests: 'Requests',
  tokens: 'Tokens',
};
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

/** Formats the height of a bar, which is a float even for amounts. */
const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  cost: shownHeight,
  requests: compactCount,
  tokens: compactCount,
};

type UsageChartProps = Address & Readonly<{ summary: UsageSummary; span: Span }>;

/**
 * Takes bucket and group from `summary`, which may still be the previous one while the next one is
 * loading.
 */
export function UsageChart({ summary, span, search, change }: UsageChartProps) {
  const measure = search.measure ?? 'cost';
  const { starts, series } = drawnOf(summary, measure);
  const bucket = summary.bucket as Bucket;
  const title = `${MEASURE_NAMES[measure]} by ${summary.group_by}`;
  const time = spanShown(summary.start, summary.end, bucket);
  return (
    <Panel
      title={title}
      description={`${time}. ${zoneOf(bucket)}`}
      actions={
        <>
          <Segmented
            label="Measure"
            value={measure}
            choices={(['cost', 'requests', 'tokens'] as const).map((value) => ({
              value,
              name: MEASURE_NAMES[value],
            }))}
            onChange={(chosen) => change({ measure: chosen })}
          />
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
      <div className="grid gap-3">
        <StackedChart
          label={`${title}, ${BUCKET_NAMES[bucket].toLowerCase()}, ${time}`}
          starts={starts}
          series={series}
          tick={tickOf(bucket)}
          format={FORMATS[measure]}
          line={measure === 'cost' ? exactHeight : compactCount}
        />
        <Legend series={series} />
      </div>
    </Panel>
  );
}
