/** Where a chart draws what happened, and which of the labels it has room for. */
import type { Mark } from './series.ts';

/** All marks of one bucket are one line. */
export type MarkLine = Readonly<{
  /** The start of the bucket. */
  start: string;
  marks: readonly Mark[];
  /** Empty where another label needs the room. */
  label: string;
  /** Whether the label stands at the left of the line: it would leave the chart at the right. */
  isLeft: boolean;
  tone: Mark['tone'];
}>;

/** The shares of the width of a small chart that a letter of a label takes, and its distance. */
const LETTER_SHARE = 0.022;
const GAP_SHARE = 0.03;
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
  const lines = [...byBucket].map(([bucket, some]) => {
    const place = bucket / Math.max(1, starts.length - 1);
    const own = some.map(({ mark }) => mark);
    const worst = own.reduce((a, b) => (severityOf(b) > severityOf(a) ? b : a));
    const more = own.length > 1 ? ` +${own.length - 1}` : '';
    const label = `${worst.label}${more}`;
    const share = GAP_SHARE + LETTER_SHARE * label.length;
    const isLeft = place > 1 - share;
    const begins = isLeft ? place - share : place;
    const room = { begins, ends: begins + share };
    return { start: starts[bucket] ?? '', marks: own, label, isLeft, tone: worst.tone, room };
  });
  const labelled = withRoom(lines);
  return lines.map((line) => {
    const { room: _, ...shown } = line;
    return labelled.has(line) ? shown : { ...shown, label: '' };
  });
}

type Labelled = Readonly<{
  /** Where its label stands, as shares of the width of the chart. */
  room: Readonly<{ begins: number; ends: number }>;
  tone: Mark['tone'];
}>;

/**
 * Returns the lines whose labels do not cover each other. The worst lines get room first, and then
 * the earliest.
 */
function withRoom<Line extends Labelled>(lines: readonly Line[]): ReadonlySet<Line> {
  const labelled = new Set<Line>();
  for (const line of lines.toSorted((a, b) => severityOf(b) - severityOf(a))) {
    const isFree = [...labelled].every(
      ({ room }) => room.ends <= line.room.begins || line.room.ends <= room.begins,
    );
    if (isFree) labelled.add(line);
  }
  return labelled;
}

function severityOf({ tone }: Readonly<{ tone: Mark['tone'] }>): number {
  return TONES.indexOf(tone);
}
