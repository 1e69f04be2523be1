/** Percentiles of measured values, by the nearest rank, rounded to a tenth. */
export type Spread = Readonly<Record<'p50' | 'p95' | 'p99' | 'max', number>>;

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
    return Math.round(value * 10) / 10;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
