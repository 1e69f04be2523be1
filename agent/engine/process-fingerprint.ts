/**
 * The fingerprint of an engine's process. It distinguishes a restart of the process from a break in
 * the network. After a restart the cache is empty. After a break it is not, and a router that
 * forgot the cache would send every prompt elsewhere.
 */

export type ProcessFingerprint = Readonly<{
  /** When the process was started, by its own clock. Null when the metrics do not report it. */
  startedAt: number | null;
  /** Tokens generated since then. */
  generated: number;
  /** Counters that only grow while the process lives. */
  counters: readonly number[];
}>;

/** Whether two readings are of the same process. `unknown` when they do not show it. */
export function compare(
  before: ProcessFingerprint | null,
  now: ProcessFingerprint | null,
): 'same' | 'another' | 'unknown' {
  if (!before || !now) return 'unknown';
  if (before.startedAt !== null && now.startedAt !== null) {
    return before.startedAt === now.startedAt ? 'same' : 'another';
  }
  if (before.counters.some((count, nth) => (now.counters[nth] ?? 0) < count)) return 'another';
  return before.counters.some((count) => count > 0) ? 'same' : 'unknown';
}
