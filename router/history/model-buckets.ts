/**
 * Reads how fast one model was over time, in all of its regions together: for the chart of its page.
 * At most 181 chunks a region are read.
 */
import type { ModelHistory } from '../../shared/api/public-figures.ts';
import type { FigureSpan } from '../../shared/public-figures.ts';
import { readProcedure } from '../store/procedure.ts';
import { addCell } from './cells.ts';
import { noFigures } from './figures.ts';
import { LEVELS, type LevelName, ordinalOf } from './levels.ts';
import { shownToVisitors } from './models.ts';
import { readCells } from './read.ts';

/** `step`: how many cells make a bucket. Buckets begin at round times (UTC). */
const SPANS: Readonly<
  Record<FigureSpan, Readonly<{ level: LevelName; step: number; buckets: number }>>
> = {
  hour: { level: 'minute', step: 5, buckets: 12 },
  day: { level: 'hour', step: 1, buckets: 24 },
  month: { level: 'hour', step: 6, buckets: 120 },
};

/** `now`: in ms since the epoch; the last bucket is the one that contains the time before it. */
export type ModelBucketsQuery = Readonly<{ model: string; span: FigureSpan; now: number }>;

type Bucket = Readonly<{
  /** In ms since the epoch. */
  start: number;
}> &
  Pick<ModelHistory['buckets'][number], 'ttft_ms' | 'speed'>;

/** The oldest bucket is the first. */
export const readModelBuckets = readProcedure<ModelBucketsQuery, readonly Bucket[]>(
  'readModelBuckets',
  { heavy: true },
  async (db, { model, span, now }) => {
    const { step, buckets, ...rest } = SPANS[span];
    const level = LEVELS[rest.level];
    const end = Math.floor(ordinalOf(level, now - 1) / step) + 1;
    const from = (end - buckets) * step;
    const series = await db
      .selectFrom('history_series')
      .select('id')
      .where('agent', '=', '')
      .where('model', '=', model)
      .execute();
    const sums = Array.from({ length: buckets }, noFigures);
    const cells = { level, from, until: end * step };
    const ids = series.map(({ id }) => id);
    for await (const { ordinal, cell } of readCells(db, cells, ids)) {
      const figures = sums[Math.floor((ordinal - from) / step)];
      if (figures !== undefined) addCell(figures, cell);
    }
    return sums.map((figures, nth) => {
      const { ttft_ms, speed } = shownToVisitors(figures);
      return { start: (from + nth * step) * level.lengthMs, ttft_ms, speed };
    });
  },
);
