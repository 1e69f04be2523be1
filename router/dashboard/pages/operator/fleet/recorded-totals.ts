/**
 * What routers have recorded of the last minutes, which fills the live figures of the fleet until this
 * page has read enough itself.
 */
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import { hitShareOf } from './history-series.ts';

/** A minute that is older says nothing about now. */
const RECENT_MS = 3 * MINUTE_MS;
/** How many minutes count for the prefix hit rate. */
const HIT_MINUTES = 5;

export type RecordedTotals = Readonly<{
  /** Of the last minute that was written; null: none was recently. */
  tokensPerSecond: number | null;
  /** Tokens per second of the minutes before now, the oldest first. */
  speeds: readonly number[];
  hits: number | null;
  /** The prompt tokens that the hit rate is of. */
  looked: number;
}>;

/** `history`: not grouped, in buckets of a minute. */
export function recordedTotals({ end, groups }: FleetHistory): RecordedTotals {
  const points = groups[0]?.points ?? [];
  const last = points.at(-1);
  const isRecent = last !== undefined && Date.parse(last.at) >= Date.parse(end) - RECENT_MS;
  const prompts = points
    .filter(({ at }) => Date.parse(at) >= Date.parse(end) - HIT_MINUTES * MINUTE_MS)
    .reduce(
      (sum, point) => ({
        prompt_tokens: sum.prompt_tokens + point.prompt_tokens,
        cached_tokens: sum.cached_tokens + point.cached_tokens,
      }),
      { prompt_tokens: 0, cached_tokens: 0 },
    );
  return {
    tokensPerSecond: isRecent ? last.tokens_per_second : null,
    speeds: isRecent ? points.slice(-2).map((point) => point.tokens_per_second) : [],
    hits: hitShareOf(prompts),
    looked: prompts.prompt_tokens,
  };
}

/**
 * The live speeds, and before them the recorded ones in the slots that are still empty, each for as
 * many slots as a minute has. Both with the oldest first.
 */
export function filledSpeeds(
  live: readonly (number | null)[],
  recorded: readonly number[],
  slots: number,
): readonly (number | null)[] {
  const empty = Math.max(0, slots - live.length);
  const perMinute = Math.ceil(slots / 2);
  const before = recorded.flatMap((speed) => Array.from({ length: perMinute }, () => speed));
  return empty === 0 ? live : [...before.slice(-empty), ...live];
}
