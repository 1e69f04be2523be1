/**
 * Mooncake's traces: JSON lines of `timestamp` (ms), `input_length`, `output_length`, `hash_ids`.
 */
import { z } from 'zod';
import type { Random } from '../../../../shared/random.ts';
import { BLOCK_TOKENS, type Trace } from './trace.ts';

const Line = z.object({
  timestamp: z.number().nonnegative(),
  input_length: z.int().positive(),
  output_length: z.int().nonnegative(),
  hash_ids: z.array(z.int().nonnegative()),
});

/** The first session id for requests that share all of their blocks, beyond all block ids. */
const SESSIONLESS = 10_000_000;

export type MooncakeOptions = Readonly<{
  name: string;
  /**
   * Timestamps are rounded down to a multiple of this. Requests with the same timestamp are spread
   * over that time. 0: timestamps are exact.
   */
  stampS: number;
  sharedEnd: number;
}>;

export function parseMooncake(text: string, options: MooncakeOptions, random: Random): Trace {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(JSON.parse(line)));
  const times = spread(
    lines.map(({ timestamp }) => timestamp / 1000),
    options.stampS,
    random,
  );
  const startS = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const requests = lines.map((line, at) => ({
    atS: (times[at] ?? 0) - startS,
    inputTokens: line.input_length,
    outputTokens: Math.max(1, line.output_length),
    session: line.hash_ids.find((id) => id >= options.sharedEnd) ?? SESSIONLESS + at,
    // The last id may stand for a partial block, which no engine caches.
    blocks: Uint32Array.from(line.hash_ids.slice(0, Math.floor(line.input_length / BLOCK_TOKENS))),
  }));
  requests.sort((a, b) => a.atS - b.atS);
  let idsEnd = 0;
  for (const { hash_ids } of lines) for (const id of hash_ids) idsEnd = Math.max(idsEnd, id + 1);
  return { name: options.name, requests, idsEnd, sharedEnd: options.sharedEnd };
}

/**
 * Spreads requests with the same timestamp at random over the time that it stands for, and keeps
 * their order.
 */
function spread(stamps: readonly number[], stampS: number, random: Random): number[] {
  if (stampS === 0) return [...stamps];
  const sharing = Map.groupBy(stamps.keys(), (at) => stamps[at] as number);
  const times: number[] = [];
  for (const [stamp, requests] of sharing) {
    const offsets = requests.map(() => random.unit() * stampS).toSorted((a, b) => a - b);
    for (const [nth, at] of requests.entries()) times[at] = stamp + (offsets[nth] as number);
  }
  return times;
}
