/**
 * The median of some values; between two, the one that `favour` says. One wrong value among three or more does
 * not move it beyond the right ones, and with fewer the doubt is for the judged.
 */
export function fairMedian(values: readonly number[], favour: 'low' | 'high'): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return sorted[favour === 'low' ? Math.floor(half) : Math.ceil(half)] ?? null;
}
