/**
 * Reads the router's own metrics for a run: its CPU time, the latency that the ledger added to each
 * answer, and the delay of its event loop.
 */
import { request } from 'undici';

/** Upper bounds in seconds, and how many values were at most that, ascending. */
type Buckets = readonly (readonly [seconds: number, count: number])[];

type Snapshot = Readonly<{
  cpuSeconds: number;
  admission: Buckets;
  settlement: Buckets;
  eventLoopP99Seconds: number;
}>;

export type RouterFigures = Readonly<{
  cpuSeconds: number;
  admission_ms: { p50: number; p99: number };
  settlement_ms: { p50: number; p99: number };
  event_loop_p99_ms: number;
}>;

/**
 * Starts to measure. The function that it returns resolves to the figures since then, or to null if
 * there are no metrics to read.
 */
export async function measureRouter(
  metricsUrl: string | null,
): Promise<() => Promise<RouterFigures | null>> {
  if (metricsUrl === null) return async () => null;
  const before = await read(metricsUrl);
  return async () => {
    const after = await read(metricsUrl);
    return {
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      admission_ms: quantiles(before.admission, after.admission),
      settlement_ms: quantiles(before.settlement, after.settlement),
      // The gauge covers the time since the metrics were last read, which is the run.
      event_loop_p99_ms: after.eventLoopP99Seconds * 1000,
    };
  };
}

async function read(url: string): Promise<Snapshot> {
  const { body } = await request(url);
  const text = await body.text();
  const one = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const buckets = (name: string): Buckets =>
    [
      ...text.matchAll(
        new RegExp(`^penstock_router_${name}_bucket\\{le="(\\S+)"\\} (\\d+)$`, 'gm'),
      ),
    ].map(([, le, count]) => [
      le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
      Number(count),
    ]);
  return {
    cpuSeconds: one('process_cpu_seconds_total'),
    admission: buckets('admission_seconds'),
    settlement: buckets('settlement_seconds'),
    eventLoopP99Seconds: one('nodejs_eventloop_lag_p99_seconds'),
  };
}

function quantiles(before: Buckets, after: Buckets): { p50: number; p99: number } {
  const since = after.map(([seconds, count], index): readonly [number, number] => [
    seconds,
    count - (before[index]?.[1] ?? 0),
  ]);
  return { p50: quantile(since, 0.5), p99: quantile(since, 0.99) };
}

/** Returns a quantile in ms, interpolated linearly within its bucket. */
function quantile(buckets: Buckets, share: number): number {
  const wanted = (buckets.at(-1)?.[1] ?? 0) * share;
  let [low, below] = [0, 0];
  for (const [high, count] of buckets) {
    if (count >= wanted && count > below) {
      if (high === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
      return (low + ((high - low) * (wanted - below)) / (count - below)) * 1000;
    }
    [low, below] = [high, count];
  }
  return Number.NaN;
}
