/** The figures derived from two readings of the fleet. */
import { expect, test } from 'vitest';
import { type Reading, rowsOf, totalsOf } from '../../../bin/top/reading.ts';
import type { WorkerEntry } from '../../../shared/api/workers.ts';

function worker(fields: Partial<WorkerEntry> = {}): WorkerEntry {
  return {
    id: 'agt_1/engine',
    agent: 'agt_1',
    agent_name: 'gpu-1',
    name: 'engine',
    region: 'us',
    engine: 'vllm',
    phase: 'ready',
    breaker: 'closed',
    share: 1,
    models: ['a/b'],
    slots: 8,
    running: 0,
    waiting: 0,
    in_flight: 0,
    kv_use: 0,
    prefix_hit_tokens: 0,
    prefix_query_tokens: 0,
    completion_tokens: 0,
    gpus: [],
    notes: [],
    alarms: [],
    ...fields,
  };
}

const reading = (at: number, ...workers: WorkerEntry[]): Reading => ({
  at,
  workers: new Map(workers.map((one) => [one.id, one])),
});

test('tokens a second are those made between the readings', () => {
  const before = reading(0, worker({ completion_tokens: 1_000 }));
  const now = reading(4_000, worker({ completion_tokens: 1_500 }));
  expect(rowsOf(before, now, 'before')[0]?.tokensPerSecond).toBe(125);
});

test('a worker that is new, or was started anew, counts from its own start', () => {
  const before = reading(
    0,
    worker({ completion_tokens: 900, prefix_query_tokens: 500, prefix_hit_tokens: 500 }),
  );
  const anew = worker({ completion_tokens: 100, prefix_query_tokens: 50, prefix_hit_tokens: 5 });
  const [again] = rowsOf(before, reading(1_000, anew), 'before');
  expect(again).toMatchObject({ tokensPerSecond: 0, looked: 50, found: 5 });
  const [fresh] = rowsOf(reading(0), reading(1_000, anew), 'before');
  expect(fresh).toMatchObject({ tokensPerSecond: 100, looked: 50, found: 5 });
});

test('the prefix cache is shown since the last reading, or since the engine started', () => {
  const before = reading(0, worker({ prefix_query_tokens: 100, prefix_hit_tokens: 0 }));
  const now = reading(1_000, worker({ prefix_query_tokens: 200, prefix_hit_tokens: 90 }));
  expect(rowsOf(before, now, 'before')[0]).toMatchObject({ looked: 100, found: 90 });
  expect(rowsOf(before, now, 'start')[0]).toMatchObject({ looked: 200, found: 90 });
});

test('nothing that a terminal obeys is left in a name, a model or a note', () => {
  const evil = 'a\u001b]0;pwned\u0007\u009b31m\u202eb\r\n\u2028';
  const [shown] = rowsOf(
    reading(0),
    reading(
      1,
      worker({ name: evil, agent_name: evil, agent_version: evil, models: [evil], notes: [evil] }),
    ),
    'before',
  );
  const texts = [shown?.name, shown?.version, ...(shown?.models ?? []), ...(shown?.notes ?? [])];
  expect(texts).toHaveLength(4);
  for (const text of texts) expect(text).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);
});

test('a breaker that is not closed is shown in place of the phase', () => {
  const phaseOf = (fields: Partial<WorkerEntry>) =>
    rowsOf(reading(0), reading(1, worker(fields)), 'before')[0]?.phase;
  expect(phaseOf({ breaker: 'open' })).toBe('open');
  expect(phaseOf({ breaker: 'open', phase: 'draining' })).toBe('draining');
  expect(phaseOf({})).toBe('ready');
});

test('totals are of all workers, and GPUs are averaged', () => {
  const gpu = (use: number) => ({ name: 'x', memory_used_bytes: 0, memory_total_bytes: 1, use });
  const rows = rowsOf(
    reading(0),
    reading(
      1_000,
      worker({ id: 'a', running: 2, completion_tokens: 10, gpus: [gpu(1), gpu(0.5)] }),
      worker({ id: 'b', running: 3, waiting: 1, completion_tokens: 20, phase: 'joining' }),
    ),
    'before',
  );
  expect(rows.map(({ gpuUse }) => gpuUse)).toEqual([0.75, null]);
  expect(totalsOf(rows)).toMatchObject({
    workers: 2,
    ready: 1,
    running: 5,
    waiting: 1,
    tokensPerSecond: 30,
  });
});
