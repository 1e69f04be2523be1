import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrefixIndex } from '../../../router/routing/prefix-index.ts';
import { type Prompt, promptOf } from '../../../router/routing/prompt.ts';
import { seededRandom } from '../../../shared/random.ts';

const TEXT = 'All of this is the same. '.repeat(1000);

function makeIndex(ownersMax?: number): PrefixIndex {
  return new PrefixIndex(seededRandom(1), ownersMax);
}

function depth(index: PrefixIndex, prompt: Prompt, worker: number): number {
  index.match(prompt);
  return index.depth(worker);
}

/** A prompt of this many chunks that it shares with no other prompt. */
function unique(number: number, chunks = 1): Prompt {
  const own = Uint32Array.from({ length: 2 * chunks }, (_, at) =>
    at % 2 === 0 ? Math.imul(number, 2654435761) >>> 0 : number + at,
  );
  return { chunks: own, chars: 1024 * chunks, whole: null };
}

test('each worker is found as deep as it was sent the prompt', () => {
  const index = makeIndex();
  const prompt = promptOf('model|salt', TEXT);
  const parting = promptOf('model|salt', `${TEXT.slice(0, 5_000)}X${TEXT.slice(5_001)}`);
  expect(depth(index, prompt, 0)).toBe(0);
  index.touch(prompt, 0, 0);
  index.touch(parting, 7, 0);
  index.match(prompt);
  expect([index.depth(0), index.depth(7), index.depth(3)]).toEqual([25, 5, 0]);
  expect(depth(index, promptOf('model|other', TEXT), 0)).toBe(0);
});

test('what is older than a worker keeps is not expected there, though it was sent', () => {
  const index = makeIndex();
  index.setCapacity(0, 100);
  const prompt = unique(1, 10);
  index.touch(prompt, 0, 0);
  index.advance(0, 100);
  expect(depth(index, prompt, 0)).toBe(10);
  index.advance(0, 1);
  expect(depth(index, prompt, 0)).toBe(0);
  expect(index.sent(prompt, 0)).toBe(10);
});

test('an engine that starts anew has nothing, and what it is sent then it has', () => {
  const index = makeIndex();
  const [old, fresh] = [unique(1, 10), unique(2, 10)];
  index.touch(old, 0, 0);
  index.touch(old, 1, 0);
  index.began(0, index.clock(0));
  index.touch(fresh, 0, 0);
  expect(depth(index, old, 0)).toBe(0);
  expect(depth(index, old, 1)).toBe(10);
  expect(depth(index, fresh, 0)).toBe(10);
});

test('a touch tells how old each part of the prompt was', () => {
  const index = makeIndex();
  const long = unique(1, 10);
  const head: Prompt = { chunks: long.chunks.slice(0, 8), chars: 4096, whole: null };
  index.touch(long, 0, 0);
  index.advance(0, 50);
  index.touch(head, 0, 4);
  index.advance(0, 5);
  expect(index.touch(long, 0, 10)).toEqual([
    { from: 0, age: 5 },
    { from: 4, age: 56 },
  ]);
  expect(index.touch(unique(9, 2), 0, 0)).toEqual([{ from: 0, age: Infinity }]);
});

test('it finds exactly what was put in, as a plain map would', () => {
  const prompt = fc.record({
    worker: fc.nat(5),
    from: fc.nat(200),
    chunks: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(prompt, { maxLength: 300 }), (sent) => {
      const index = makeIndex();
      const known = new Set<string>();
      for (const { worker, from, chunks } of sent) {
        index.touch(unique(from, chunks), worker, 0);
        for (let k = 0; k < chunks; k++) known.add(`${worker} ${from} ${k}`);
      }
      expect(index.entries).toBe(known.size);
      for (const { from } of sent) {
        index.match(unique(from, 6));
        for (let worker = 0; worker < 6; worker++) {
          let deep = 0;
          while (deep < 6 && known.has(`${worker} ${from} ${deep}`)) deep++;
          expect(index.depth(worker)).toBe(deep);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('under a stream of unique prompts it stays within its bound and keeps what is new', () => {
  const index = makeIndex(5_000);
  const bytes = [];
  for (let i = 0; i < 100_000; i++) {
    index.touch(unique(i), i % 16, 0);
    if (i % 10_000 === 9_999) bytes.push(index.bytes);
    expect(index.entries).toBeLessThanOrEqual(5_000);
  }
  expect(new Set(bytes).size).toBe(1);
  let kept = 0;
  for (let i = 98_000; i < 100_000; i++) if (depth(index, unique(i), i % 16) === 1) kept += 1;
  expect(kept).toBeGreaterThan(1_950);
  expect(index.entries).toBeGreaterThan(2_000);
});

test('what is used goes on being known, whatever passes through beside it', () => {
  const index = makeIndex(5_000);
  const prompt = unique(1_000_000, 20);
  for (let i = 0; i < 50_000; i++) {
    index.touch(unique(i), 0, 0);
    if (i % 200 === 0) index.touch(prompt, 0, depth(index, prompt, 0));
  }
  expect(depth(index, prompt, 0)).toBe(20);
});

test('a full index keeps what is below the floor only for a worker for which it is asked to', () => {
  const index = makeIndex(5_000);
  const prompt = unique(1_000_000, 20);
  for (const worker of [0, 1]) index.touch(prompt, worker, 0);
  index.keep(1, 1_000);
  for (let i = 0; i < 20_000; i++) {
    index.touch(unique(i), 2, 0);
    for (const worker of [0, 1]) index.setFloor(worker, index.clock(worker));
  }
  const kept = [0, 1].map((worker) => index.leading(prompt, worker, { floor: 0, capacity: 1_000 }));
  expect(kept).toEqual([0, 20]);
  expect(depth(index, prompt, 1)).toBe(0);
});

test('an index that has forgotten something of a worker does not claim to know all', () => {
  const index = makeIndex(1_000);
  index.knowsAll(0);
  index.knowsAll(1);
  index.touch(unique(1), 1, 0);
  for (let i = 2; i < 400; i++) index.touch(unique(i), 0, 0);
  expect(index.isComplete(0)).toBe(true);
  for (let i = 400; i < 10_000; i++) index.touch(unique(i), 0, 0);
  expect(index.isComplete(0)).toBe(false);
});
