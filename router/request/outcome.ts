/** How an attempt on a worker ended. */
import type { Refusal } from '../../shared/refusals.ts';
import type { Finished } from '../../shared/wire/messages.ts';
import type { Fault } from './failure.ts';

/** Token counts as the engine gave them, within what was granted. */
export type Counts = Readonly<{ prompt: number; completion: number }>;

/**
 * How an attempt ended for its request. `finished`: settle, then complete the answer. `failed`: our fault,
 * free; `again` when another worker may still be tried. `stopped`: the client's doing, which pays (MONEY 15).
 */
export type Outcome = Readonly<
  | { kind: 'finished'; counts: Counts; end: Finished; body: Buffer }
  | { kind: 'failed'; refusal: Refusal; again: boolean; fault: Fault }
  /** The agent had no room for it: the engine has not seen it, and nothing has failed. */
  | { kind: 'refused' }
  | { kind: 'stopped'; counts: Counts; accepted: boolean }
>;

/** The last delta, or the last text: nothing. */
const LAST = { chat: '{}', completions: '""' } as const;

/** The end of a stream that is the answer as far as it was released: its engine is stopped, and says no more. */
export function cutByRouter(endpoint: keyof typeof LAST): Finished {
  const unsaid = { cached: null, reasoning: null, fingerprint: null };
  return { outcome: 'finished', finish: 'length', last: LAST[endpoint], cut: true, ...unsaid };
}
