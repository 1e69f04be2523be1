/**
 * Keeps the recent readings of the fleet and computes rates from the differences between them.
 * Counters start again from zero when an engine or a link restarts, so a counter that is below its
 * earlier reading counts from zero.
 */
import type { WorkerEntry } from '../../../shared/api/workers.ts';

/** Two minutes, at one reading every two seconds. */
export const READINGS_MAX = 60;
/** After a longer pause between two readings, such as on a hidden page, the history restarts. */
const PAUSE_MS_MAX = 20_000;
/** The period that the current rate is averaged over: the rate between two readings fluctuates. */
const RATE_MS = 10_000;

type Counts = Readonly<{ made: number; looked: number; found: number; kvUse: number }>;

/** `at` is in ms on a monotonic clock. */
type Reading = Readonly<{ at: number; counts: ReadonlyMap<string, Counts> }>;

export type FleetReadings = Readonly<{
  workers: readonly WorkerEntry[];
  readings: readonly Reading[];
}>;

export type WorkerRow = Readonly<{
  worker: WorkerEntry;
  /**
   * The worker's phase, or the breaker's state when the phase is `ready` and the breaker is not
   * closed. `unready`: it serves nothing, although its engine was found before.
   */
  state: WorkerEntry['phase'] | WorkerEntry['breaker'] | 'unready';
  /** Null until there are two readings. */
  tokensPerSecond: number | null;
  /**
   * Prompt tokens looked up in the prefix cache during the readings, and the number found there.
   */
  looked: number;
  found: number;
  /**
   * Tokens per second between one reading and the next, and the share of the KV cache in use at
   * each reading, the oldest first. Null where the worker was absent.
   */
  speeds: readonly (number | null)[];
  kvUses: readonly (number | null)[];
}>;

export function readFleet(
  before: FleetReadings | undefined,
  workers: readonly WorkerEntry[],
  at: number,
): FleetReadings {
  const counts = new Map(workers.map((worker) => [worker.id, countsOf(worker)]));
  const last = before?.readings.at(-1);
  const kept = last && at - last.at <= PAUSE_MS_MAX ? (before?.readings ?? []) : [];
  return { workers, readings: [...kept, { at, counts }].slice(-READINGS_MAX) };
}

function countsOf(worker: WorkerEntry): Counts {
  return {
    made: worker.completion_tokens,
    looked: worker.prefix_query_tokens,
    found: worker.prefix_hit_tokens,
    kvUse: worker.kv_use,
  };
}

export function rowsOf({ workers, readings }: FleetReadings): WorkerRow[] {
  return workers.map((worker) => {
    const { id } = worker;
    const steps = stepsOf(readings, id);
    return {
      worker,
      state: stateOf(worker),
      tokensPerSecond: rateOf(steps),
      looked: sum(steps.map((step) => step?.looked ?? 0)),
      found: sum(steps.map((step) => step?.found ?? 0)),
      speeds: steps.map((step) => (step ? (step.made * 1_000) / step.ms : null)),
      kvUses: readings.map(({ counts }) => counts.get(id)?.kvUse ?? null),
    };
  });
}

/** Whether the worker serves nothing. Not of one whose drain has just ended: it has its models, and is ready at the next report. */
export function isUnready({ phase, models }: Pick<WorkerEntry, 'phase' | 'models'>): boolean {
  return phase === 'joining' && models.length === 0;
}

/** Whether the worker gets requests, by the rule of the router: one that recovers gets some. */
export function serves({ phase, share }: Pick<WorkerEntry, 'phase' | 'share'>): boolean {
  return phase === 'ready' && share > 0;
}

/** Whether the worker gets requests on all of its slots, as far as its breaker decides. */
export function isReady({ phase, breaker }: Pick<WorkerEntry, 'phase' | 'breaker'>): boolean {
  return phase === 'ready' && breaker === 'closed';
}

function stateOf(worker: WorkerEntry): WorkerRow['state'] {
  const { phase, breaker } = worker;
  if (isUnready(worker) && worker.engine_found === true) return 'unready';
  return phase === 'ready' && !isReady(worker) ? breaker : phase;
}

type Step = Readonly<{ ms: number; made: number; looked: number; found: number }>;

/**
 * A worker's counts between one reading and the next; null where the later reading lacks the
 * worker.
 */
function stepsOf(readings: readonly Reading[], id: string): (Step | null)[] {
  return readings.slice(1).map(({ at, counts }, index) => {
    const earlier = readings[index] as Reading;
    const now = counts.get(id);
    if (!now) return null;
    const old = earlier.counts.get(id);
    const restarted = old !== undefined && now.looked < old.looked;
    return {
      ms: Math.max(1, at - earlier.at),
      // A worker that is new in this reading made all its tokens since the earlier reading, because
      // `completion_tokens` counts from when the worker joined. The cache's counters count from the
      // start of the engine, so the first reading of a worker says nothing about them.
      made: grown(old?.made ?? 0, now.made),
      looked: old ? (restarted ? now.looked : now.looked - old.looked) : 0,
      found: old ? (restarted ? now.found : Math.max(0, now.found - old.found)) : 0,
    };
  });
}

function grown(old: number, now: number): number {
  return now < old ? now : now - old;
}

function rateOf(steps: readonly (Step | null)[]): number | null {
  let ms = 0;
  let made = 0;
  for (const step of steps.toReversed()) {
    if (step === null || ms >= RATE_MS) break;
    ms += step.ms;
    made += step.made;
  }
  return ms === 0 ? null : (made * 1_000) / ms;
}

export type FleetTotals = Readonly<{
  workers: number;
  ready: number;
  /** Workers that are neither ready nor draining: joining, or given no requests after failures. */
  others: number;
  running: number;
  waiting: number;
  /** Of ready workers, as on the page Platform. */
  slots: number;
  tokensPerSecond: number | null;
  looked: number;
  found: number;
  speeds: readonly (number | null)[];
}>;

export function totalsOf(rows: readonly WorkerRow[]): FleetTotals {
  const ready = rows.filter(({ state }) => state === 'ready');
  const draining = rows.filter(({ state }) => state === 'draining').length;
  const rates = rows.flatMap(({ tokensPerSecond: rate }) => (rate === null ? [] : [rate]));
  const steps = Math.max(0, ...rows.map(({ speeds }) => speeds.length));
  return {
    workers: rows.length,
    ready: ready.length,
    others: rows.length - ready.length - draining,
    running: sum(rows.map(({ worker }) => worker.running)),
    waiting: sum(rows.map(({ worker }) => worker.waiting)),
    slots: sum(ready.map(({ worker }) => worker.slots)),
    tokensPerSecond: rates.length === 0 ? null : sum(rates),
    looked: sum(rows.map(({ looked }) => looked)),
    found: sum(rows.map(({ found }) => found)),
    speeds: Array.from({ length: steps }, (_, step) =>
      sum(rows.map(({ speeds }) => speeds[step] ?? 0)),
    ),
  };
}

/**
 * The share of the looked-up prompt tokens that were found, from 0 to 1; null when none were looked
 * up.
 */
export function hitShare({ looked, found }: Readonly<{ looked: number; found: number }>) {
  return looked > 0 ? Math.min(1, Math.max(0, found / looked)) : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
