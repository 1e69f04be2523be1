/**
 * Hot path. Passes an answer from its worker to its client, until one of them is done.
 *
 *   waiting ──first record──▶ fitting ──the hold fits the true prompt──▶ flowing ──END──▶ done
 *      └──────────────┬───────────┴──────────client gone, stalled, too long─┴─▶ stopping ─▶ done
 *                     └── failed, lost, refused, deadline ─▶ done
 *
 * No byte goes out before the hold covers the prompt as the engine counted it (MONEY 6).
 */
import type { Budget } from '../../shared/bounds/budget.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AgentId, OrganizationId, RequestId } from '../../shared/ids.ts';
import type { InFlight } from '../../shared/in-flight.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { End, Failed, Finished } from '../../shared/wire/end.ts';
import { copyOf, type Delta, type Stream, type StreamEvents } from '../fleet/stream.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { Allowance } from './allowance.ts';
import { type Answer, openAnswer } from './answers/answer.ts';
import type { Attempt } from './attempt.ts';
import type { BillBounds } from './bill-bounds.ts';
import { beyondContext, engineFailure, type Failure, FAILURES } from './failure.ts';
import { Heard } from './heard.ts';
import type { Live } from './live.ts';
import { type Counts, CUT_BY_ROUTER, type Ending, type Outcome } from './outcome.ts';
import type { ClientEvents } from './reply.ts';
import { Tally } from './tally.ts';
import { type Cause, needsLastCount, progressOf } from './who-pays.ts';

export type RelayParts = Readonly<{
  clock: Clock;
  /** Requests that wait or are being answered. `tick` of each is called a few times a second. */
  live: InFlight<Live>;
  /** Memory for answers, and parts of streams, that are kept. */
  answers: Budget<AgentId>;
  /** Called for impossible counts of an agent. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
  /** Called when a bug has made a grant exceed the hold. */
  uncovered: (request: RequestId, fault: Error) => void;
  bounds: BillBounds;
}>;

export class Relay implements StreamEvents, ClientEvents, Live {
  readonly heard: Heard;
  readonly #parts: RelayParts;
  readonly #request: AdmittedRequest;
  readonly #attempt: Attempt;
  readonly #answer: Answer;
  #stream: Stream | null = null;
  readonly #allowance: Allowance;
  readonly #tally: Tally;
  readonly #outcome = Promise.withResolvers<Outcome>();
  #state: 'waiting' | 'fitting' | 'flowing' | 'stopping' | 'done' = 'waiting';
  /** Among the live requests. */
  #place = -1;
  /** Events from before the hold was known to cover the prompt, in order. */
  readonly #early: (() => void)[] = [];
  #stopping: { cause: Cause; refusal: Refusal | null; at: number } | null = null;

  constructor(parts: RelayParts, request: AdmittedRequest, attempt: Attempt) {
    const { call, parsed, hold } = request;
    const { worker, granted } = attempt;
    this.#parts = parts;
    this.#request = request;
    this.#attempt = attempt;
    this.heard = new Heard(parts.clock);
    this.#allowance = new Allowance({
      clock: parts.clock,
      hold,
      granted,
      send: (grant) => this.#stream?.grant(grant),
      lost: () => this.#unbooked('hold_lost'),
      uncovered: (fault) => {
        parts.uncovered(call.id, fault);
        this.#refuse('internal_error', new Refusal('internal_error'));
      },
    });
    this.#tally = new Tally(parts, { parsed, organization: hold.organization, worker });
    this.#answer = openAnswer(parts.answers, request, worker);
  }

  get organization(): OrganizationId {
    return this.#request.hold.organization;
  }

  /** Follows the attempt, which was dispatched with this relay as its listener, to its end. */
  follow(stream: Stream): Promise<Outcome> {
    if (this.#state !== 'waiting') throw new Error('the attempt had events before it was followed');
    this.#stream = stream;
    this.#place = this.#parts.live.add(this);
    this.#request.reply.listen(this);
    return this.#outcome.promise;
  }

  // Events from the worker.

  delta(prompt: number, completion: number, delta: Delta, cost: number, textBytes: number): void {
    this.#record(completion);
    if (this.#state === 'flowing') return this.#release(completion, delta, cost, textBytes);
    const isEarly = this.#state === 'waiting' || this.#state === 'fitting';
    if (!isEarly) return this.#lastCounts(prompt, completion, textBytes);
    const kept = copyOf(delta);
    this.#early.push(() => this.#release(completion, kept, cost, textBytes));
    if (this.#state === 'waiting') this.#fit(prompt);
  }

  counts(prompt: number, completion: number): void {
    this.#record(completion);
    if (this.#state === 'waiting') return this.#fit(prompt);
    if (this.#state === 'fitting') {
      // An answer that waits for a grant reports its counts once for each grant.
      return void this.#early.push(() => this.counts(prompt, completion));
    }
    if (this.#state !== 'flowing') return this.#lastCounts(prompt, completion);
    if (completion > this.#tally.completion) this.#use(completion);
    else this.#allowance.starved();
  }

  #record(completion: number): void {
    this.heard.record();
    if (completion > 0 && this.#tally.completion === 0) this.#attempt.routingFeedback.firstToken();
  }

  #lastCounts(prompt: number, completion: number, bytes = 0): void {
    if (this.#state !== 'stopping') return;
    this.#tally.countPrompt(prompt);
    this.#tally.add(completion, bytes);
  }

  ended(prompt: number, completion: number, end: End): void {
    if (this.#state === 'stopping') return this.#stoppedBy(prompt, completion, end);
    if (end.outcome === 'failed') return this.#engineFailed(end);
    // The router has not cancelled the stream.
    if (end.outcome === 'cancelled') return this.#failAgain(FAILURES.misbehaved());
    // An empty answer is a failure: another worker may do better (promise 4).
    if (completion === 0) return this.#failAgain(FAILURES.empty());
    this.heard.record();
    this.#attempt.routingFeedback.finished(prompt, end.cached);
    if (this.#state === 'flowing') return this.#finish(prompt, completion, end);
    this.#early.push(() => this.#finish(prompt, completion, end));
    if (this.#state === 'waiting') this.#fit(prompt);
  }

  refused(): void {
    // An agent may refuse only before its first record; later it breaks the protocol.
    if (this.#state === 'stopping') this.#stopped(0, 0, this.heard.accepted);
    else if (this.heard.accepted) this.#failAgain(FAILURES.misbehaved());
    else this.#done({ kind: 'refused', by: 'agent' });
  }

  lost(): void {
    if (this.#state === 'stopping') this.#stopped(0, 0, this.heard.accepted);
    else this.#failAgain(FAILURES.lost());
  }

  // Events from the client.

  disconnected(): void {
    this.#stop('client_left');
  }

  drained(): void {
    this.heard.resumed();
    this.#taken();
  }

  // The hold is fitted to the counted prompt.

  #fit(reported: number): void {
    this.#state = 'fitting';
    const { parsed } = this.#request;
    const { promptTokensMax, maxTokens, answerTokensMax, model } = parsed;
    this.#tally.countPrompt(reported);
    const { prompt } = this.#tally;
    const room = model.entry.context_length - prompt;
    if ((maxTokens ?? 1) > room) return this.#failFor(beyondContext(parsed, room));
    const cap = Math.min(answerTokensMax, room);
    // Without running usage nothing is counted yet; the hold covers the maximum already.
    const opened = this.#allowance.open(prompt || promptTokensMax, cap);
    if (opened === 'open') this.#flow();
    else void opened.then((answer) => this.#fitted(answer));
  }

  #fitted(answer: 'open' | 'short' | 'unavailable'): void {
    if (this.#state !== 'fitting') return;
    if (answer === 'open') return this.#flow();
    if (answer === 'unavailable') return this.#unbooked('store_away');
    this.#refuse('credit_short', new Refusal('insufficient_credit'));
  }

  #flow(): void {
    this.#state = 'flowing';
    this.#answer.begin(this.#tally.prompt);
    for (const play of this.#early.splice(0)) play();
  }

  // Content.

  #release(completion: number, delta: Delta, cost: number, textBytes: number): void {
    // An earlier event may have ended the answer.
    if (this.#state !== 'flowing') return;
    // An engine with a larger context than the catalog's may pass the bound before the grant
    // reaches it.
    if (completion > this.#allowance.tokens && this.#request.parsed.streamed) {
      return this.#finish(this.#tally.prompt, this.#tally.completion, CUT_BY_ROUTER);
    }
    this.#use(completion, textBytes);
    this.heard.delta(cost);
    const failure = this.#answer.add(delta);
    if (failure) return this.#failFor(failure);
    this.#taken();
  }

  #use(completion: number, bytes = 0): void {
    this.#tally.add(completion, bytes);
    this.#allowance.used(this.#tally.completion);
  }

  #taken(): void {
    this.#allowance.taken(this.heard.bytes - this.#request.reply.pendingBytes);
  }

  #finish(prompt: number, completion: number, end: Finished): void {
    if (this.#state !== 'flowing') return;
    const counts = this.#tally.whole({ prompt, completion }, this.#allowance);
    this.#done({
      kind: 'finished',
      ...this.#ending(end.cut ? 'ended_at_grant' : 'finished', counts),
      end,
      answer: this.#answer,
    });
  }

  #counts(prompt: number, completion: number): Counts {
    return this.#tally.counts({ prompt, completion }, this.#allowance.tokens);
  }

  // Failures.

  #engineFailed(end: Failed): void {
    // The engine is full and has not begun this request: nothing has failed.
    if (end.reason === 'busy' && !this.heard.accepted)
      return this.#done({ kind: 'refused', by: 'engine' });
    const failure = engineFailure(end, this.#request.parsed);
    if (failure.fault === 'none') this.#failFor(failure);
    else this.#failAgain(failure);
  }

  /** Ends the attempt as a failure of its worker. Until the first byte, another may be tried. */
  #failAgain(failure: Failure): void {
    this.#failFor(failure, !this.#answer.isOut);
  }

  #failFor({ cause, refusal, fault }: Failure, again = false): void {
    this.#done({ kind: 'failed', ...this.#ending(cause), refusal, again, fault });
  }

  #refuse(cause: Cause, refusal: Refusal): void {
    this.#failFor({ cause, refusal, fault: 'none' });
  }

  #unbooked(cause: 'hold_lost' | 'store_away'): void {
    this.#refuse(cause, new Refusal('store_unavailable', { retryAfterS: 1 }));
  }

  #ending(cause: Cause, counts = this.#counts(0, 0), accepted = this.heard.accepted): Ending {
    const begun = this.#request.parsed.streamed && this.heard.firstByteAt !== null;
    return { cause, progress: progressOf({ accepted, counted: counts.prompt > 0, begun }), counts };
  }

  /**
   * Stops the engine and waits for its last count. `refusal` is null when the client left or
   * stalled, and when its organization is suspended.
   */
  #stop(cause: Cause, refusal: Refusal | null = null): void {
    if (this.#state === 'stopping' || this.#state === 'done') return;
    this.#state = 'stopping';
    const at = this.#parts.clock.monotonic() + limits.cancelReportMsMax;
    this.#stopping = { cause, refusal, at };
    this.#stream?.cancel();
  }

  #stoppedBy(prompt: number, completion: number, end: End): void {
    if (end.outcome === 'failed') {
      // The engine had no room and has not begun, so nothing has failed.
      if (end.reason === 'busy' && !this.heard.accepted) this.#stopped(0, 0, false);
      else this.#failFor(engineFailure(end, this.#request.parsed));
    } else this.#stopped(prompt, completion, end.outcome === 'finished' || end.accepted);
  }

  #stopped(prompt: number, completion: number, accepted: boolean): void {
    if (this.#stopping === null) return;
    const { cause, refusal } = this.#stopping;
    const ending = this.#ending(cause, this.#counts(prompt, completion), accepted);
    this.#done({ kind: 'stopped', ...ending, refusal });
  }

  #done(outcome: Outcome): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#attempt.routingFeedback.over();
    this.#parts.live.delete(this.#place, this);
    this.#allowance.close();
    this.#request.reply.ignore();
    this.#stream?.drop();
    if (outcome.kind !== 'finished') this.#answer[Symbol.dispose]();
    this.#outcome.resolve(outcome);
  }

  // Deadlines.

  /** Called a few times a second. */
  tick(now: number): void {
    if (this.#stopping !== null) {
      // The agent has not reported in time. The engine may have done work for the request.
      if (now >= this.#stopping.at) this.#stopped(0, 0, true);
      return;
    }
    const { call, reply } = this.#request;
    reply.tick(now);
    const late = this.heard.overdue(now, call.arrived, reply.stalledAt);
    if (late === 'stalled') return this.#stop('client_stalled');
    if (late !== null) return this.#outOfTime(late);
    if (this.#answer.isQuiet) reply.keepAlive(now);
  }

  #outOfTime(late: Failure): void {
    const { cause, progress } = this.#ending(late.cause);
    if (needsLastCount(cause, progress)) this.#stop(cause, late.refusal);
    else this.#failFor(late);
  }

  /** Stops the answer of a suspended organization. What was generated is charged (MONEY 11, 15). */
  suspend(): void {
    this.#stop('suspended');
  }

  /** Ends the answer unsettled, because the router may no longer settle (MONEY 20). */
  abandon(): void {
    this.#unbooked('store_away');
  }
}
