/** How an attempt on a worker ended. */
import type { Refusal } from '../../shared/refusals.ts';
import type { Finished } from '../../shared/wire/messages.ts';
import type { Answer } from './answers/answer.ts';
import type { Fault } from './failure.ts';
import type { Cause, Progress } from './who-pays.ts';

/** Token counts as the engine gave them, within what was granted. */
export type Counts = Readonly<{ prompt: number; completion: number }>;

/** Why it ended, how far it had come, and what was counted by then: who pays follows from that (`who-pays.ts`). */
export type Ending = Readonly<{ cause: Cause; progress: Progress; counts: Counts }>;

/**
 * How an attempt ended for its request. `finished`: the engine has said all of it. `failed`: there is no answer, or no
 * more of it; `again` when another worker may still be tried. `stopped`: it was ended here, and the engine has told its
 * last counts; `refusal` is null where it was the client that left.
 */
export type Outcome = Readonly<
  | (Ending & { kind: 'finished'; end: Finished; answer: Answer })
  | (Ending & { kind: 'failed'; refusal: Refusal; again: boolean; fault: Fault })
  | (Ending & { kind: 'stopped'; refusal: Refusal | null })
  /** Before anything came of it, agent or engine had no room: nothing has failed. */
  | { kind: 'refused'; by: 'agent' | 'engine' }
>;

/** The end of a stream that is the answer as far as it was released: its engine is stopped, and says no more. */
export const CUT_BY_ROUTER: Finished = {
  outcome: 'finished',
  finish: 'length',
  cut: true,
  cached: null,
  reasoning: null,
};
