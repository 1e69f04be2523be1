/** Reads what the router reports of its workers, and computes rates from two such readings. */
import { WorkerEntry } from '../../shared/api/workers.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Client } from '../admin/client.ts';
import { printable } from '../printable.ts';

export type Reading = Readonly<{
  /** Monotonic time in ms. */
  at: number;
  workers: ReadonlyMap<string, WorkerEntry>;
}>;

/** A worker as it is shown. It contains nothing that a terminal would interpret. */
export type Row = Readonly<{
  id: string;
  name: string;
  region: string;
  /** The worker's phase, or its breaker's state if it is ready and the breaker is not closed. */
  phase: string;
  running: number;
  waiting: number;
  /** Requests that this router has in flight on the worker. */
  inFlight: number;
  kvUse: number;
  /** Prompt tokens looked up in the prefix cache, and those of them found. */
  looked: number;
  found: number;
  tokensPerSecond: number;
  /** The mean utilization of the worker's GPUs, 0 to 1. Null when the worker reports no GPUs. */
  gpuUse: number | null;
  /** The version of the worker's agent. */
  version: string;
  models: readonly string[];
  notes: readonly string[];
}>;

export async function readFleet(client: Client, clock: Clock): Promise<Reading> {
  const workers = new Map<string, WorkerEntry>();
  for await (const page of client.pages('/workers', WorkerEntry)) {
    for (const worker of page) workers.set(worker.id, worker);
  }
  return { at: clock.monotonic(), workers };
}

/**
 * Returns the rows with their rates between two readings. With `since` of `start`, the figures of
 * the prefix cache are those since the engine's start.
 */
export function rowsOf(before: Reading, now: Reading, since: 'before' | 'start'): Row[] {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  return [...now.workers.values()].map((worker) => {
    const old = before.workers.get(worker.id);
    const cache = since === 'before' ? old : undefined;
    // After a restart of the engine or the link in between, the counts start from there.
    const restarted = !cache || cache.prefix_query_tokens > worker.prefix_query_tokens;
    const made = old && worker.completion_tokens - old.completion_tokens;
    const { gpus, phase, breaker } = worker;
    return {
      id: worker.id,
      name: printable(`${worker.agent_name}/${worker.name}`),
      region: worker.region,
      phase: phase === 'ready' && breaker !== 'closed' ? breaker : phase,
      running: worker.running,
      waiting: worker.waiting,
      inFlight: worker.in_flight,
      kvUse: worker.kv_use,
      looked: worker.prefix_query_tokens - (restarted ? 0 : cache.prefix_query_tokens),
      found: worker.prefix_hit_tokens - (restarted ? 0 : cache.prefix_hit_tokens),
      tokensPerSecond: Math.max(0, made ?? worker.completion_tokens) / seconds,
      gpuUse: gpus.length === 0 ? null : sum(gpus.map(({ use }) => use)) / gpus.length,
      version: printable(worker.agent_version ?? '-'),
      models: worker.models.map(printable),
      notes: worker.notes.map(printable),
    };
  });
}

export type Totals = Readonly<{
  workers: number;
  ready: number;
  running: number;
  waiting: number;
  looked: number;
  found: number;
  tokensPerSecond: number;
}>;

export function totalsOf(rows: readonly Row[]): Totals {
  return {
    workers: rows.length,
    ready: rows.filter(({ phase }) => phase === 'ready').length,
    running: sum(rows.map(({ running }) => running)),
    waiting: sum(rows.map(({ waiting }) => waiting)),
    looked: sum(rows.map(({ looked }) => looked)),
    found: sum(rows.map(({ found }) => found)),
    tokensPerSecond: sum(rows.map(({ tokensPerSecond }) => tokensPerSecond)),
  };
}

/** Returns the share of looked-up prompt tokens that were found. Null if none were looked up. */
export function hitShare({ looked, found }: Pick<Row, 'looked' | 'found'>): number | null {
  return looked > 0 ? Math.min(1, Math.max(0, found / looked)) : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
