/**
 * The median of some values. `favour` selects the lower or the higher of two middle values. Null
 * without values. One wrong value among three or more cannot move the median beyond the right ones.
 * With fewer values, `favour` gives the judged host the benefit of the doubt.
 */
export function fairMedian(values: readonly number[], favour: 'low' | 'high'): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return sorted[favour === 'low' ? Math.floor(half) : Math.ceil(half)] ?? null;
}
