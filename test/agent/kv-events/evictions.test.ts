/** The horizon of an engine's prefix cache, by its KV events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KvEvent } from '../../../agent/engine/kv-events/batch.ts';
import { BLOCKS_MAX, Evictions, LATE_MS_MAX } from '../../../agent/engine/kv-events/evictions.ts';
import { BlockPool } from '../../../agent/simulator/kv/block-pool.ts';

const at = (now: number) => ({ at: now, now });

test('nothing is reported before the first event, and no horizon before the first eviction', () => {
  const evictions = new Evictions();
  expect(evictions.report(0)).toBeUndefined();
  evictions.record([{ type: 'stored', blocks: [1, 2] }], at(1_000));
  expect(evictions.report(2_000)).toEqual({ evictedMs: null });
});

test('when a block is evicted, everything that was last used before it was stored is evicted', () => {
  const evictions = new Evictions();
  evictions.record([{ type: 'stored', blocks: [1] }], at(1_000));
  evictions.record([{ type: 'stored', blocks: [2] }], at(5_000));
  evictions.record([{ type: 'removed', blocks: [1] }], at(9_000));
  expect(evictions.report(9_000)).toEqual({ evictedMs: 8_000 + LATE_MS_MAX });
  evictions.record([{ type: 'removed', blocks: [2] }], at(10_000));
  expect(evictions.report(12_000)).toEqual({ evictedMs: 7_000 + LATE_MS_MAX });
});

test('a block that is stored twice counts from the first time, and what is unknown counts nothing', () => {
  const evictions = new Evictions();
  evictions.record([{ type: 'stored', blocks: [1] }], at(1_000));
  evictions.record([{ type: 'stored', blocks: [1] }], at(5_000));
  evictions.record([{ type: 'removed', blocks: [99] }], at(6_000));
  expect(evictions.report(6_000)).toEqual({ evictedMs: null });
  evictions.record([{ type: 'removed', blocks: [1] }], at(6_000));
  expect(evictions.report(6_000)).toEqual({ evictedMs: 5_000 + LATE_MS_MAX });
});

test('a cleared cache has nothing of before, and the blocks of before are forgotten', () => {
  const evictions = new Evictions();
  evictions.record([{ type: 'stored', blocks: [1] }], at(1_000));
  evictions.record([{ type: 'cleared' }], at(4_000));
  expect(evictions.known).toBe(0);
  expect(evictions.report(4_000)).toEqual({ evictedMs: LATE_MS_MAX });
});

test('there is no horizon while events are silent, or evicted blocks may be elsewhere', () => {
  const evictions = new Evictions();
  evictions.record([{ type: 'stored', blocks: [1] }], at(0));
  evictions.record([{ type: 'removed', blocks: [1] }], at(1_000));
  expect(evictions.report(31_000)).toEqual({ evictedMs: 31_000 + LATE_MS_MAX });
  expect(evictions.report(31_001)).toEqual({ evictedMs: null });
  evictions.record([{ type: 'offloaded' }], at(32_000));
  expect(evictions.report(32_000)).toEqual({ evictedMs: null });
  evictions.stopped();
  expect(evictions.report(32_000)).toBeUndefined();
});

test('however many blocks are stored, a bounded number is known, and the horizon still moves', () => {
  const evictions = new Evictions();
  const blocks = Array.from({ length: 8 * BLOCKS_MAX }, (_, nth) => nth);
  for (let from = 0; from < blocks.length; from += 1024) {
    evictions.record([{ type: 'stored', blocks: blocks.slice(from, from + 1024) }], at(from));
    expect(evictions.known).toBeLessThanOrEqual(BLOCKS_MAX);
  }
  evictions.record([{ type: 'removed', blocks }], at(blocks.length));
  expect(evictions.report(blocks.length)?.evictedMs).toBeLessThan(2_048 + LATE_MS_MAX);
});

test('numbers that are no hashes are forgotten together, rather than one by one', () => {
  const evictions = new Evictions();
  for (let nth = 0; nth <= BLOCKS_MAX; nth++) {
    evictions.record([{ type: 'stored', blocks: [nth * 2 ** 20] }], at(nth));
  }
  expect(evictions.known).toBeLessThanOrEqual(1);
});

/** A pool of an engine whose events are recorded, and when each prompt was last in use. */
class Engine {
  readonly evictions = new Evictions();
  readonly lastUse = new Map<number, number>();
  readonly #events: KvEvent[] = [];
  readonly #pool = new BlockPool(24, {
    stored: () => {},
    removed: (hash) => void this.#events.push({ type: 'removed', blocks: [hash] }),
    cleared: () => {},
  });
  readonly #running: { from: number; length: number; blocks: number[] }[] = [];
  now = 0;

  /** Runs a prompt of this conversation, as far as there is room. */
  begin(conversation: number, length: number): void {
    const hashes = hashesOf(conversation, length);
    const hits = this.#pool.match(hashes, length);
    if (!this.#pool.reserve(hits, length)) return;
    const blocks = [...hits];
    for (const hash of hashes.slice(hits.length)) {
      const block = this.#pool.take();
      blocks.push(block);
      if (this.#pool.publish(block, hash)) this.#events.push({ type: 'stored', blocks: [hash] });
    }
    this.#running.push({ from: conversation, length, blocks });
    this.#flush();
  }

  end(): void {
    const over = this.#running.shift();
    if (!over) return;
    this.#pool.release(over.blocks, 0);
    for (const hash of hashesOf(over.from, over.length)) this.lastUse.set(hash, this.now);
  }

  has(hash: number): boolean {
    return this.#pool.match([hash], 1).length > 0;
  }

  isRunning(hash: number): boolean {
    return this.#running.some(({ from, length }) => hashesOf(from, length).includes(hash));
  }

  #flush(): void {
    this.evictions.record(this.#events.splice(0), { at: this.now, now: this.now });
  }
}

function hashesOf(conversation: number, length: number): number[] {
  return Array.from({ length }, (_, nth) => conversation * 100 + nth + 1);
}

test('whatever an engine runs, it has nothing that was last used before its horizon', () => {
  const step = fc.record({
    begins: fc.boolean(),
    conversation: fc.nat(9),
    length: fc.integer({ min: 1, max: 8 }),
    ms: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const engine = new Engine();
      for (const { begins, conversation, length, ms } of steps) {
        engine.now += ms;
        if (begins) engine.begin(conversation, length);
        else engine.end();
        const evictedMs = engine.evictions.report(engine.now)?.evictedMs ?? null;
        if (evictedMs === null) continue;
        const horizon = engine.now - evictedMs + LATE_MS_MAX;
        for (const [hash, usedAt] of engine.lastUse) {
          if (usedAt >= horizon || engine.isRunning(hash)) continue;
          expect(engine.has(hash)).toBe(false);
        }
      }
    }),
  );
});
