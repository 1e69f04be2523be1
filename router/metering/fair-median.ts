/**
 * Returns the median of some values, or null if there are none. `favour` selects the lower or the
 * higher of two middle values. One wrong value among three or more cannot move the median outside
 * the range of the right values. With fewer values, `favour` gives the judged host the benefit of
 * the doubt.
 */
export function fairMedian(values: readonly number[], favour: 'low' | 'high'): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return sorted[favour === 'low' ? Math.floor(half) : Math.ceil(half)] ?? null;
}
