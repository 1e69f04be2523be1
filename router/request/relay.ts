/**
 * Hot path. Passes an answer on from its worker to its client, until one of them is done.
 *
 *   waiting ──first record──▶ fitting ──the hold fits the true prompt──▶ flowing ──END──▶ done
 *      └──────────────┬───────────┴──────────client gone, stalled───────────┴─▶ stopping ─▶ done
 *                     └── failed, lost, refused, deadline ─▶ done
 *
 * No byte goes out before the hold fits the prompt that the engine counted (MONEY 6).
 */
import type { Budget } from '../../shared/bounds/budget.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AgentId, OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { End, Finished } from '../../shared/wire/messages.ts';
import { copyOf, type Delta, type Stream, type StreamEvents } from '../fleet/stream.ts';
import type { Hold } from '../ledger/hold.ts';
import { Allowance } from './allowance.ts';
import { type Answer, openAnswer } from './answers/answer.ts';
import { outOfMemory } from './answers/gather.ts';
import type { Ask } from './arrive.ts';
import type { Call } from './call.ts';
import type { Attempt } from './dispatch.ts';
import { engineFailure, type Failure, FAILURES, type Fault } from './failure.ts';
import type { Live } from './live.ts';
import type { Counts, Outcome } from './outcome.ts';
import type { Reply } from './reply.ts';

type EngineFault = Extract<End, { outcome: 'failed' }>['reason'];

export type RelayParts = Readonly<{
  clock: Clock;
  /** Relays under way: something calls `tick` of each a few times a second. */
  live: Set<Live>;
  /** Memory for answers that are not streamed. */
  answers: Budget<AgentId>;
  /** An agent reported what cannot be. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
}>;

export class Relay implements StreamEvents, Live {
  readonly #parts: RelayParts;
  readonly #call: Call;
  readonly #ask: Ask;
  readonly #reply: Reply;
  readonly #answer: Answer;
  readonly #hold: Hold;
  readonly #stream: Stream;
  readonly #course: Attempt['course'];
  readonly #allowance: Allowance;
  readonly #outcome = Promise.withResolvers<Outcome>();
  #state: 'waiting' | 'fitting' | 'flowing' | 'stopping' | 'done' = 'waiting';
  /** What came before the hold was known to fit, in order. */
  readonly #early: (() => void)[] = [];
  #prompt = 0;
  #completion = 0;
  /** What its deltas have cost of the byte grant. */
  #received = 0;
  #accepted = false;
  readonly #begunAt: number;
  #heardAt: number;
  #commentedAt: number;
  #stopAt = Number.POSITIVE_INFINITY;
  #firstByteAt: number | null = null;
  #lastByteAt: number | null = null;

  constructor(
    parts: RelayParts,
    request: { call: Call; ask: Ask; hold: Hold; reply: Reply; attempt: Attempt },
  ) {
    const { call, ask, hold, reply, attempt } = request;
    this.#parts = parts;
    this.#call = call;
    this.#ask = ask;
    this.#reply = reply;
    this.#hold = hold;
    this.#begunAt = parts.clock.monotonic();
    this.#heardAt = this.#begunAt;
    this.#commentedAt = call.arrived;
    this.#allowance = new Allowance({
      clock: parts.clock,
      hold,
      granted: attempt.granted,
      send: (grant) => this.#stream.grant(grant),
      lost: () => this.#fail('store_unavailable'),
    });
    this.#course = attempt.course;
    this.#answer = openAnswer(parts.answers, { call, ask, reply, worker: attempt.worker });
    this.#stream = attempt.start(this);
    parts.live.add(this);
    reply.listen({ left: () => this.#stop(), drained: () => this.#taken() });
  }

  get organization(): OrganizationId {
    return this.#hold.organization;
  }

  /** Monotonic time at which its worker was given the request. */
  get begunAt(): number {
    return this.#begunAt;
  }

  /** Resolves once, and never rejects. */
  get outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  /** Monotonic time of the first delta; null before it. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  get lastByteAt(): number | null {
    return this.#lastByteAt;
  }

  /** What the deltas that came have cost of the byte grant, whether or not the client took them. */
  get receivedBytes(): number {
    return this.#received;
  }

  // What the worker says.

  delta(prompt: number, completion: number, delta: Delta, cost: number): void {
    this.#heard(completion);
    if (this.#state === 'flowing') return this.#release(completion, delta, cost);
    const isEarly = this.#state === 'waiting' || this.#state === 'fitting';
    if (!isEarly) return this.#lastCounts(prompt, completion);
    const kept = copyOf(delta);
    this.#early.push(() => this.#release(completion, kept, cost));
    if (this.#state === 'waiting') this.#fit(prompt);
  }

  counts(prompt: number, completion: number): void {
    this.#heard(completion);
    if (this.#state === 'waiting') return this.#fit(prompt);
    if (this.#state === 'fitting') {
      // An answer that waits says so once for each grant.
      return void this.#early.push(() => this.counts(prompt, completion));
    }
    if (this.#state !== 'flowing') return this.#lastCounts(prompt, completion);
    if (completion > this.#completion) this.#use(completion);
    else this.#allowance.starved();
  }

  #heard(completion: number): void {
    this.#heardAt = this.#parts.clock.monotonic();
    this.#accepted = true;
    if (completion > 0 && this.#completion === 0) this.#course.firstToken();
  }

  #lastCounts(prompt: number, completion: number): void {
    if (this.#state !== 'stopping') return;
    this.#prompt ||= Math.min(prompt, this.#ask.promptTokensMax);
    this.#completion = Math.max(this.#completion, completion);
  }

  ended(prompt: number, completion: number, end: End): void {
    if (this.#state === 'stopping') return this.#stoppedBy(prompt, completion, end);
    if (end.outcome === 'failed') return this.#engineFailed(end.reason);
    // An empty answer is no answer: free, and another worker may do better (promise 4).
    if (end.outcome === 'cancelled' || completion === 0) return this.#failAgain(FAILURES.engine());
    this.#course.finished(prompt, end.cached);
    if (this.#state === 'flowing') return this.#finish(prompt, completion, end);
    this.#early.push(() => this.#finish(prompt, completion, end));
    if (this.#state === 'waiting') this.#fit(prompt);
  }

  refused(): void {
    if (this.#state === 'stopping') this.#stopped(0, 0, false);
    else this.#done({ kind: 'refused' });
  }

  lost(): void {
    if (this.#state === 'stopping') this.#stopped(0, 0, this.#accepted);
    else this.#failAgain(FAILURES.lost());
  }

  // The hold meets the true prompt.

  #fit(reported: number): void {
    this.#state = 'fitting';
    const { promptTokensMax, maxTokens, model } = this.#ask;
    if (reported > promptTokensMax) this.#parts.alarm('prompt_clamped');
    this.#prompt = Math.min(reported, promptTokensMax);
    const room = model.entry.context_length - this.#prompt;
    if ((maxTokens ?? 1) > room) {
      const param = maxTokens === null || room < 1 ? this.#promptField : 'max_tokens';
      return this.#refuse(new Refusal('context_length_exceeded', { param }));
    }
    const cap = Math.min(maxTokens ?? model.entry.max_output_length, room);
    // Nothing reported: an engine without running usage, for which the most was held before.
    const opened = this.#allowance.open(this.#prompt || promptTokensMax, cap);
    if (opened === 'open') this.#flow();
    else void opened.then((answer) => this.#fitted(answer));
  }

  #fitted(answer: 'open' | 'short' | 'unavailable'): void {
    if (this.#state !== 'fitting') return;
    if (answer === 'open') this.#flow();
    else if (answer === 'short') this.#refuse(new Refusal('insufficient_credit'));
    else this.#fail('store_unavailable');
  }

  #flow(): void {
    this.#state = 'flowing';
    for (const play of this.#early.splice(0)) play();
  }

  // Content.

  #release(completion: number, delta: Delta, cost: number): void {
    // What came early may have ended it.
    if (this.#state !== 'flowing') return;
    this.#use(completion);
    this.#received += cost;
    this.#lastByteAt = this.#heardAt;
    this.#firstByteAt ??= this.#heardAt;
    if (!this.#answer.add(delta)) return this.#refuse(outOfMemory());
    this.#taken();
  }

  #use(completion: number): void {
    this.#completion = Math.max(this.#completion, completion);
    this.#allowance.used(this.#completion);
  }

  #taken(): void {
    this.#allowance.taken(this.#received - this.#reply.pendingBytes);
  }

  #finish(prompt: number, completion: number, end: Finished): void {
    if (this.#state !== 'flowing') return;
    if (completion > this.#allowance.tokens) this.#parts.alarm('completion_clamped');
    this.#done({
      kind: 'finished',
      counts: this.#counts(prompt, completion),
      end,
      answer: this.#answer,
    });
  }

  #counts(prompt: number, completion: number): Counts {
    return {
      prompt: this.#prompt || Math.min(prompt, this.#ask.promptTokensMax),
      completion: Math.min(Math.max(this.#completion, completion), this.#allowance.tokens),
    };
  }

  // Failures.

  #engineFailed(reason: EngineFault): void {
    const { refusal, fault } = engineFailure(reason, this.#promptField);
    if (fault === 'none') this.#refuse(refusal);
    else this.#failAgain({ refusal, fault });
  }

  get #promptField(): string {
    return this.#ask.endpoint === 'chat' ? 'messages' : 'prompt';
  }

  /** The worker's fault: another may be tried until the first byte is out. */
  #failAgain({ refusal, fault }: Failure): void {
    this.#done({ kind: 'failed', refusal, again: !this.#answer.isOut, fault });
  }

  #fail(code: 'engine_failed' | 'store_unavailable'): void {
    this.#refuse(new Refusal(code, { retryAfterS: 1 }));
  }

  #refuse(refusal: Refusal, fault: Fault = 'none'): void {
    this.#done({ kind: 'failed', refusal, again: false, fault });
  }

  // The client's doing.

  /** The client is gone or does not read: the engine stops, and its last count is waited for. */
  #stop(): void {
    if (this.#state === 'stopping' || this.#state === 'done') return;
    this.#state = 'stopping';
    this.#stopAt = this.#parts.clock.monotonic() + limits.cancelReportMsMax;
    this.#stream.cancel();
  }

  #stoppedBy(prompt: number, completion: number, end: End): void {
    if (end.outcome === 'failed') this.#fail('engine_failed');
    else this.#stopped(prompt, completion, end.outcome === 'finished' || end.accepted);
  }

  #stopped(prompt: number, completion: number, accepted: boolean): void {
    this.#done({ kind: 'stopped', counts: this.#counts(prompt, completion), accepted });
  }

  #done(outcome: Outcome): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#course.over();
    this.#parts.live.delete(this);
    this.#allowance.close();
    this.#reply.listen({ left: () => {}, drained: () => {} });
    this.#stream.drop();
    if (outcome.kind !== 'finished') this.#answer[Symbol.dispose]();
    this.#outcome.resolve(outcome);
  }

  // Deadlines.

  /** Called a few times a second: every deadline of this request stands here. */
  tick(now: number): void {
    if (this.#state === 'stopping') {
      // It does not say how far it came: work that may have been done, and is waived.
      if (now >= this.#stopAt) this.#stopped(0, 0, true);
      return;
    }
    this.#reply.tick(now);
    const { stalledAt } = this.#reply;
    const age = now - this.#call.arrived;
    if (stalledAt !== null && now - stalledAt > limits.writeStallMsMax) return this.#stop();
    if (age > limits.requestMsMax) return this.#refuse(new Refusal('deadline_exceeded'));
    if (!this.#accepted && age > limits.firstByteMsMax) {
      // The deadline is the request's own: only a worker that had most of it has failed.
      const fault = now - this.#begunAt > limits.firstByteMsMax / 2 ? 'failed' : 'none';
      return this.#refuse(new Refusal('first_byte_timeout'), fault);
    }
    if (this.#accepted && stalledAt === null && now - this.#heardAt > limits.idleMsMax) {
      return this.#refuse(new Refusal('idle_timeout'), 'failed');
    }
    if (this.#ask.streamed && !this.#answer.isOut) this.#keepAlive(now);
  }

  /** While a long prefill keeps the client waiting, comments keep proxies from cutting the stream. */
  #keepAlive(now: number): void {
    if (now - this.#commentedAt <= limits.commentAfterMs) return;
    this.#commentedAt = now;
    this.#reply.beginStream();
    this.#reply.write(':\n\n');
  }

  /** Its organization is suspended: it ends here, and pays for what was generated (MONEY 11, 15). */
  suspend(): void {
    this.#stop();
  }

  /** The router may no longer settle (MONEY 20): the answer ends here, unsettled. */
  abandon(): void {
    this.#fail('store_unavailable');
  }
}
