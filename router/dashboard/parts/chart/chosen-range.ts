/** Which time of a chart a click on it, a drag over it, or the keyboard chooses. */

/**
 * Where the buckets of a chart stand: those of lines are points from edge to edge, and those of bars
 * have a part of the width each.
 */
export type Places = 'points' | 'bands';

/** In ms since the epoch; `until` is not included. */
export type TimeRange = Readonly<{ from: number; until: number }>;

/**
 * Returns the time of all buckets from one place to another, which may be in either order. Places are
 * shares of the width, from 0 to 1. `end`: the end of the last bucket, in ms since the epoch. Null if
 * the chart has too few buckets to choose from.
 */
export function chosenRange(
  starts: readonly string[],
  end: number,
  places: Places,
  one: number,
  other: number,
): TimeRange | null {
  if (starts.length < 2) return null;
  const last = starts.length - 1;
  const bucketAt = (share: number) =>
    places === 'points'
      ? Math.round(share * last)
      : Math.min(last, Math.floor(share * starts.length));
  return rangeOf(starts, end, bucketAt(one), bucketAt(other));
}

/** Returns the time from one bucket to another, which may be in either order. See `chosenRange`. */
export function rangeOf(
  starts: readonly string[],
  end: number,
  one: number,
  other: number,
): TimeRange | null {
  if (starts.length < 2) return null;
  const first = starts[Math.min(one, other)] ?? '';
  const after = starts[Math.max(one, other) + 1];
  return {
    from: Date.parse(first),
    until: after === undefined ? end : Date.parse(after),
  };
}

/**
 * The end of the last of several buckets of one length, in ms since the epoch. A single bucket has no
 * end.
 */
export function endOf(starts: readonly string[]): number {
  const [before = Number.NaN, last = Infinity] = starts.slice(-2).map((start) => Date.parse(start));
  return starts.length < 2 ? Infinity : last + (last - before);
}

/**
 * The number of buckets and their length. A chart of another scale is a new one, without the bubble
 * that stood at a place of the one before. While time goes on, the scale stays the same.
 */
export function scaleOf(starts: readonly string[]): string {
  return `${starts.length} of ${endOf(starts) - Date.parse(starts.at(-1) ?? '')}`;
}
