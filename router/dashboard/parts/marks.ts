/** Where a chart draws what happened, and which of the labels it has room for. */
import type { Mark } from './series.ts';

/** All marks of one bucket are one line. */
export type MarkLine = Readonly<{
  /** The start of the bucket. */
  start: string;
  marks: readonly Mark[];
  /** Empty where the label of the line before reaches. */
  label: string;
  /** Whether the label stands at the left of the line: it would leave the chart at the right. */
  isLeft: boolean;
  tone: Mark['tone'];
}>;

/** The share of the width of a small chart that a label takes. */
const LABEL_SHARE = 0.3;
const TONES = ['neutral', 'warn', 'bad'] as const;

/**
 * Places marks in the buckets that begin at `starts`, which ascend. A mark before the first bucket is
 * left out; `until` is the end of the last bucket in ms since the epoch.
 */
export function markLines(
  marks: readonly Mark[],
  starts: readonly string[],
  until: number,
): readonly MarkLine[] {
  const times = starts.map((start) => Date.parse(start));
  const placed = marks
    .map((mark) => ({ mark, at: Date.parse(mark.at) }))
    .filter(({ at }) => at >= (times[0] ?? Infinity) && at < until)
    .toSorted((a, b) => a.at - b.at);
  const byBucket = Map.groupBy(placed, ({ at }) => times.findLastIndex((start) => start <= at));
  let free = 0;
  return [...byBucket].map(([bucket, some]) => {
    const place = bucket / Math.max(1, starts.length - 1);
    const isLeft = place > 1 - LABEL_SHARE;
    const begins = isLeft ? place - LABEL_SHARE : place;
    const hasRoom = begins >= free;
    if (hasRoom) free = isLeft ? 2 : place + LABEL_SHARE;
    const own = some.map(({ mark }) => mark);
    const worst = own.reduce((a, b) => (TONES.indexOf(b.tone) > TONES.indexOf(a.tone) ? b : a));
    const more = own.length > 1 ? ` +${own.length - 1}` : '';
    return {
      start: starts[bucket] ?? '',
      marks: own,
      label: hasRoom ? `${worst.label}${more}` : '',
      isLeft,
      tone: worst.tone,
    };
  });
}
