/** The outcome of an attempt on a worker. */
import type { Refusal } from '../../shared/refusals.ts';
import type { Finished } from '../../shared/wire/end.ts';
import type { Answer } from './answers/answer.ts';
import type { Fault } from './failure.ts';
import type { Cause, Progress } from './who-pays.ts';

/** Token counts as the engine reported them, limited to the grant. */
export type Counts = Readonly<{ prompt: number; completion: number }>;

/** Why a request ended, how far it had come, and its counts: `who-pays.ts` decides by these. */
export type Ending = Readonly<{ cause: Cause; progress: Progress; counts: Counts }>;

/**
 * The outcome of an attempt for its request. `finished`: the answer is complete. `failed`: there is
 * no answer, or no more of it; `again` means that another worker may be tried. `stopped`: the
 * router ended it, and the engine has reported its last counts; `refusal` is null when the client
 * left.
 */
export type Outcome = Readonly<
  | (Ending & { kind: 'finished'; end: Finished; answer: Answer })
  | (Ending & { kind: 'failed'; refusal: Refusal; again: boolean; fault: Fault })
  | (Ending & { kind: 'stopped'; refusal: Refusal | null })
  /** Agent or engine had no room before the answer began. Nothing has failed. */
  | { kind: 'refused'; by: 'agent' | 'engine' }
>;

/** The end of an answer that the router ends at its grant. Its engine is stopped. */
export const CUT_BY_ROUTER: Finished = {
  outcome: 'finished',
  finish: 'length',
  cut: true,
  cached: null,
  reasoning: null,
};
