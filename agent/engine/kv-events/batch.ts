/**
 * Reads a batch of vLLM's KV events, which is the same in SGLang and others that copied it:
 *
 *   [ts, [event, …], data_parallel_rank]
 *
 * An event is a map with `type` or, in older versions, an array that begins with the type. Only
 * these fields are read: the hashes of the blocks, the medium, and the group (`group_idx`), because
 * a hybrid model stores the same hash once in each of its KV cache groups. Neither token ids nor
 * `extra_keys`, which contain the salt, leave the bytes of the message.
 */
import { KEPT, MsgpackError, MsgpackReader } from './msgpack.ts';

export type KvEvent =
  | Readonly<{ type: 'stored' | 'removed'; blocks: readonly number[] }>
  | Readonly<{ type: 'cleared' }>
  /** Blocks were stored elsewhere than in the memory of the GPU. */
  | Readonly<{ type: 'offloaded' }>;

type Field = 'type' | 'block_hashes' | 'medium' | 'group_idx';
type Fields = {
  type: string;
  hashes: number[];
  hashesMax: number;
  medium: string | null;
  group: number;
};

/** Where an array has the fields that are read. Later fields may be missing. */
const POSITIONS: ReadonlyMap<string, Readonly<Record<number, Field>>> = new Map([
  ['BlockStored', { 1: 'block_hashes', 6: 'medium', 9: 'group_idx' }],
  ['BlockRemoved', { 1: 'block_hashes', 2: 'medium', 3: 'group_idx' }],
]);

/** What one step of an engine stores and evicts is far less. More would take long to read. */
const EVENTS_MAX = 4_096;
const HASHES_MAX = 16_384;

/** Spreads the groups of a block over the numbers of blocks. Below 2^36, so products are exact. */
const GROUP_STEP = 60_013_764_613;
const GROUP_MASK = 0xffff;

/** `writtenAt`: when the engine wrote it, in ms by the engine's clock. */
export type Batch = Readonly<{ writtenAt: number; events: readonly KvEvent[] }>;

/** Throws MsgpackError for what is no batch. */
export function readBatch(payload: Buffer): Batch {
  const reader = new MsgpackReader(payload);
  const length = reader.array();
  const writtenAt = reader.number() * 1_000;
  if (!Number.isFinite(writtenAt)) throw new MsgpackError('the time of a batch is not finite');
  const events: KvEvent[] = [];
  const count = reader.array();
  if (count > EVENTS_MAX) throw new MsgpackError('a batch has too many events');
  let hashesLeft = HASHES_MAX;
  for (let left = count; left > 0; left--) {
    const fields = readFields(reader, hashesLeft);
    hashesLeft -= fields.hashes.length;
    const event = eventOf(fields);
    if (event) events.push(event);
  }
  reader.skip(length - 2);
  return { writtenAt, events };
}

function readFields(reader: MsgpackReader, hashesMax: number): Fields {
  const fields: Fields = { type: '', hashes: [], hashesMax, medium: null, group: 0 };
  const { isMap, length } = reader.container();
  if (isMap) {
    for (let left = length; left > 0; left--) readField(reader, reader.text() ?? '', fields);
    return fields;
  }
  for (let at = 0; at < length; at++) {
    const field = at === 0 ? 'type' : POSITIONS.get(fields.type)?.[at];
    readField(reader, field ?? '', fields);
  }
  return fields;
}

function readField(reader: MsgpackReader, field: string, fields: Fields): void {
  switch (field) {
    case 'type':
      fields.type = reader.text() ?? '';
      return;
    case 'block_hashes':
      if (!hasBlocks(fields.type)) return reader.skip(1);
      readHashes(reader, fields);
      return;
    case 'medium':
      fields.medium = reader.text();
      return;
    case 'group_idx':
      fields.group = reader.integer() ?? 0;
      return;
    default:
      reader.skip(1);
  }
}

function readHashes(reader: MsgpackReader, { hashes, hashesMax }: Fields): void {
  const count = reader.array();
  if (hashes.length + count > hashesMax) throw new MsgpackError('a batch has too many hashes');
  for (let left = count; left > 0; left--) hashes.push(reader.hash());
}

/** The type is not known yet if a map has it after its hashes. */
function hasBlocks(type: string): boolean {
  return type === '' || POSITIONS.has(type);
}

/** Returns null for an event of another type, which a later version may have. */
function eventOf({ type, hashes, medium, group }: Fields): KvEvent | null {
  if (type === 'AllBlocksCleared') return { type: 'cleared' };
  if (type !== 'BlockStored' && type !== 'BlockRemoved') return null;
  const isStored = type === 'BlockStored';
  if (medium !== null && medium.toUpperCase() !== 'GPU') {
    return isStored ? { type: 'offloaded' } : null;
  }
  const step = (group & GROUP_MASK) * GROUP_STEP;
  const blocks = hashes.map((hash) => (hash + step) % KEPT);
  return { type: isStored ? 'stored' : 'removed', blocks };
}
