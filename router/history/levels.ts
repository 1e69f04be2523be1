/**
 * The two lengths of cells, and for how long each is kept. Consecutive cells of a series are stored
 * together in a chunk, which is rewritten whenever a cell is added to: a long chunk would cost more
 * to write, a short one more rows.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.ts';

/** How often a router samples its fleet. */
export const SAMPLE_MS = 10_000;

export type Level = Readonly<{
  /** Its number in the store. */
  number: number;
  lengthMs: number;
  /** How many cells a chunk has. */
  perChunk: number;
  keptMs: number;
}>;

export const LEVELS = {
  minute: { number: 0, lengthMs: MINUTE_MS, perChunk: 15, keptMs: 2 * DAY_MS },
  hour: { number: 1, lengthMs: HOUR_MS, perChunk: 4, keptMs: 35 * DAY_MS },
} as const satisfies Record<string, Level>;
export type LevelName = keyof typeof LEVELS;

/** Returns the number of cells of this level since 1970, without the one that contains `instant`. */
export function ordinalOf({ lengthMs }: Level, instant: number): number {
  return Math.floor(instant / lengthMs);
}

export function chunkOf({ perChunk }: Level, ordinal: number): number {
  return Math.floor(ordinal / perChunk);
}

/** Returns the oldest chunk to keep. */
export function oldestChunk(level: Level, now: number): number {
  return chunkOf(level, ordinalOf(level, now - level.keptMs));
}
