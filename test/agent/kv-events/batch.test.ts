/** Batches of KV events, as vLLM writes them and as nobody should. */
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KvEvent, readBatch } from '../../../agent/engine/kv-events/batch.ts';
import { MsgpackError } from '../../../agent/engine/kv-events/msgpack.ts';

function batchOf(...events: unknown[]): Buffer {
  return Buffer.from(encode([1_700_000_000.5, events, 0], { useBigInt64: true }));
}

function blocksOf(payload: Buffer): readonly number[] {
  return readBatch(payload).events.flatMap((event) => ('blocks' in event ? event.blocks : []));
}

const STORED = {
  type: 'BlockStored',
  block_hashes: [11, 12],
  parent_block_hash: null,
  token_ids: Array.from({ length: 32 }, (_, at) => at * 5_000),
  block_size: 16,
  lora_id: null,
  medium: 'GPU',
  lora_name: null,
  extra_keys: [['salt'], null],
  group_idx: 0,
  kv_cache_spec_kind: 'full_attention',
};
const REMOVED = { type: 'BlockRemoved', block_hashes: [11], medium: 'GPU', group_idx: 0 };

describe('events are understood', () => {
  const expected: KvEvent[] = [
    { type: 'stored', blocks: [11, 12] },
    { type: 'removed', blocks: [11] },
    { type: 'cleared' },
  ];

  test('as maps', () => {
    expect(readBatch(batchOf(STORED, REMOVED, { type: 'AllBlocksCleared' })).events).toEqual(
      expected,
    );
  });

  test('as arrays, whose last fields an older version does not have', () => {
    const short = [Object.values(STORED).slice(0, 6), ['BlockRemoved', [11]], ['AllBlocksCleared']];
    expect(readBatch(batchOf(...short)).events).toEqual(expected);
    const whole = [Object.values(STORED), Object.values(REMOVED), ['AllBlocksCleared']];
    expect(readBatch(batchOf(...whole)).events).toEqual(expected);
  });

  test('in a batch without a rank, and beside events of a type that nobody knows', () => {
    const events = [{ type: 'BlockMoved', block_hashes: 'all' }, REMOVED];
    expect(readBatch(Buffer.from(encode([1.5, events]))).events).toEqual([expected[1]]);
  });
});

test('a batch has the time at which it was written, and nothing without a time is a batch', () => {
  expect(readBatch(batchOf(REMOVED)).writtenAt).toBe(1_700_000_000_500);
  for (const time of ['now', null, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => readBatch(Buffer.from(encode([time, [REMOVED]])))).toThrow(MsgpackError);
  }
});

test('a hash is an integer of any size or a string of bytes, and stays apart from others', () => {
  const hashes = [
    2n ** 63n + 5n,
    2n ** 63n + 6n,
    -7n,
    7,
    new Uint8Array(32).fill(9),
    new Uint8Array(32).fill(8),
  ];
  const stored = blocksOf(batchOf({ ...STORED, block_hashes: hashes }));
  expect(new Set(stored).size).toBe(hashes.length);
  expect(stored.every((block) => Number.isSafeInteger(block) && block >= 0)).toBe(true);
  expect(blocksOf(batchOf({ ...REMOVED, block_hashes: hashes }))).toEqual(stored);
});

test('the same hash in two KV cache groups is two blocks', () => {
  const [first, second] = blocksOf(
    batchOf({ ...REMOVED, group_idx: 0 }, { ...REMOVED, group_idx: 1 }),
  );
  expect(first).not.toBe(second);
  expect(blocksOf(batchOf(['BlockRemoved', [11], 'GPU', 1]))).toEqual([second]);
});

test('blocks in the memory of the CPU are not in the cache of the GPU', () => {
  const elsewhere = [
    { ...STORED, medium: 'CPU' },
    { ...REMOVED, medium: 'CPU' },
  ];
  expect(readBatch(batchOf(...elsewhere)).events).toEqual([{ type: 'offloaded' }]);
  expect(readBatch(batchOf({ ...REMOVED, medium: null })).events).toHaveLength(1);
});

describe('rubbish is refused', () => {
  const good = batchOf(STORED, REMOVED);

  test('bytes of any kind are events or an error of the format', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readBatch(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(MsgpackError);
        }
      }),
    );
  });

  test('a batch that is cut short anywhere is an error', () => {
    for (let length = 0; length < good.length; length++) {
      expect(() => readBatch(good.subarray(0, length))).toThrow(MsgpackError);
    }
  });

  test('a million levels, and a length that nothing follows, cost no more than their bytes', () => {
    const levels = Buffer.alloc(1024 * 1024, 0x91);
    const nested = Buffer.concat([Buffer.from([0x93, 0x01]), levels]);
    expect(() => readBatch(nested)).toThrow('cut short');
    const claim = Buffer.from([0x93, 0x01, 0xdd, 0xff, 0xff, 0xff, 0xff]);
    expect(() => readBatch(claim)).toThrow('too many events');
  });

  test('more events or hashes than an engine has in a step are an error', () => {
    const hashes = Array.from({ length: 8_193 }, (_, nth) => nth);
    const long = { ...REMOVED, block_hashes: hashes };
    expect(blocksOf(batchOf(long))).toHaveLength(8_193);
    expect(() => readBatch(batchOf(long, long))).toThrow('too many hashes');
    const many = Array.from({ length: 4_097 }, () => REMOVED);
    expect(() => readBatch(batchOf(...many))).toThrow('too many events');
  });

  test('a hash that is a text of three letters is none', () => {
    expect(() => readBatch(batchOf({ ...REMOVED, block_hashes: ['abc'] }))).toThrow(MsgpackError);
  });
});
