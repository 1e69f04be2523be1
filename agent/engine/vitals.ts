/**
 * What tells one start of an engine's process from the next. With a new one its cache is empty; after a mere
 * break in the network it is not, and a router that forgot it would send every prompt elsewhere.
 */

export type Vitals = Readonly<{
  /** When the process was started, by its own clock; null: its metrics do not say. */
  startedAt: number | null;
  /** Tokens it has written since. */
  generated: number;
  /** What only ever grows while the process lives. */
  counters: readonly number[];
}>;

/** Whether two looks saw the same process; `unknown` where nothing tells. */
export function compare(before: Vitals | null, now: Vitals | null): 'same' | 'another' | 'unknown' {
  if (!before || !now) return 'unknown';
  if (before.startedAt !== null && now.startedAt !== null) {
    return before.startedAt === now.startedAt ? 'same' : 'another';
  }
  if (before.counters.some((count, nth) => (now.counters[nth] ?? 0) < count)) return 'another';
  return before.counters.some((count) => count > 0) ? 'same' : 'unknown';
}
