/**
 * The times of one request, from which its spans are made when it has ended (decision 0026).
 * `handle.ts` says which stage begins, so the stages need not know of it, except that `reserve.ts`
 * says when a request begins to wait, and `attempt.ts` passes the context on to the agent.
 */
import type { Refusal, RefusalCode } from '../../shared/refusals.ts';
import type { Usage } from '../ledger/terms.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Heard } from './heard.ts';

/** A stage of a request, as its span is named. */
export type Stage = 'authenticate' | 'read' | 'repeat' | 'admit' | 'pick' | 'wait' | 'settle';

/**
 * How a request ended that was not admitted. `error` is null if it got the answer of an earlier
 * request. `model` is null if it is not known.
 */
export type NotAdmitted = Readonly<{
  status: number;
  error: RefusalCode | null;
  model: string | null;
}>;

/** How an attempt ended: the part of its outcome that its span tells. */
export type AttemptEnd = Readonly<{
  kind: 'finished' | 'failed' | 'stopped' | 'refused';
  counts?: Readonly<{ prompt: number; completion: number }>;
  refusal?: Refusal | null;
}>;

export interface RequestTrace {
  /** The id of the trace. Null when the request is not traced. */
  readonly id: string | null;
  /** A stage begins, and with that the one before it ends. */
  enter(stage: Stage): void;
  /** An attempt begins. Returns the `traceparent` for its agent, or null. */
  attempt(): string | null;
  /** The attempt has ended. */
  attempted(worker: Worker, heard: Heard, end: AttemptEnd): void;
  /** The request has ended with this usage row. Only the first end counts. */
  ended(usage: Usage): void;
  /** The request has ended without having been admitted. */
  notAdmitted(end: NotAdmitted): void;
}

export const UNTRACED: RequestTrace = {
  id: null,
  enter() {},
  attempt: () => null,
  attempted() {},
  ended() {},
  notAdmitted() {},
};
