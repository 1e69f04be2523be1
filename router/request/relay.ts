/**
 * Hot path. Passes an answer on from its worker to its client, until one of them is done.
 *
 *   waiting ──first record──▶ fitting ──the hold fits the true prompt──▶ flowing ──END──▶ done
 *      └──────────────┬───────────┴──────────client gone, stalled───────────┴─▶ stopping ─▶ done
 *                     └── failed, lost, refused, deadline ─▶ done
 *
 * No byte goes out before the hold fits the prompt that the engine counted (MONEY 6).
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { End, Finished } from '../../shared/wire/messages.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';
import type { Hold } from '../ledger/hold.ts';
import { Allowance } from './allowance.ts';
import type { Ask } from './arrive.ts';
import type { Call } from './call.ts';
import type { Attempt } from './dispatch.ts';
import { engineFailure, type Failure, FAILURES, type Fault } from './failure.ts';
import type { Live } from './live.ts';
import { type Counts, cutByRouter, type Outcome } from './outcome.ts';
import type { Reply } from './reply.ts';

type EngineFault = Extract<End, { outcome: 'failed' }>['reason'];

export type RelayParts = Readonly<{
  clock: Clock;
  log: Log;
  /** Relays under way: something calls `tick` of each a few times a second. */
  live: Set<Live>;
  /** An agent reported what cannot be; or more was granted than was held, which is our mistake. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped' | 'grant_uncovered') => void;
}>;

const COMMENT = ':\n\n';

export class Relay implements StreamEvents, Live {
  readonly #parts: RelayParts;
  readonly #call: Call;
  readonly #ask: Ask;
  readonly #reply: Reply;
  readonly #hold: Hold;
  readonly #stream: Stream;
  readonly #course: Attempt['course'];
  readonly #allowance: Allowance;
  readonly #outcome = Promise.withResolvers<Outcome>();
  #state: 'waiting' | 'fitting' | 'flowing' | 'stopping' | 'done' = 'waiting';
  /** What came before the hold was known to fit, in order. */
  readonly #early: (() => void)[] = [];
  /** A non-streamed answer, as it comes. */
  readonly #pieces: Buffer[] = [];
  #prompt = 0;
  #completion = 0;
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
      uncovered: (fault) => {
        parts.alarm('grant_uncovered');
        parts.log.error({ request: call.id, error: fault.message }, 'more granted than held');
        this.#fail('store_unavailable');
      },
    });
    this.#course = attempt.course;
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

  /** Monotonic time of the first content; null before it. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  get lastByteAt(): number | null {
    return this.#lastByteAt;
  }

  /** Content bytes that came, whether or not the client took them. */
  get receivedBytes(): number {
    return this.#received;
  }

  // What the worker says.

  content(prompt: number, completion: number, bytes: Buffer): void {
    this.#heardAt = this.#parts.clock.monotonic();
    this.#accepted = true;
    if (completion > 0 && this.#completion === 0) this.#course.firstToken();
    switch (this.#state) {
      case 'flowing':
        return this.#release(completion, bytes);
      case 'waiting':
      case 'fitting': {
        // Lent bytes, kept beyond this call; a record without any has told its counts already.
        const kept = Buffer.from(bytes);
        if (kept.length > 0) this.#early.push(() => this.#release(completion, kept));
        if (this.#state === 'waiting') this.#fit(prompt);
        return;
      }
      case 'stopping':
        this.#prompt ||= Math.min(prompt, this.#ask.promptTokensMax);
        this.#completion = Math.max(this.#completion, completion);
        return;
      case 'done':
        return;
    }
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

  #release(completion: number, bytes: Buffer): void {
    // No bytes and no progress: the agent says that it waits at its grant.
    if (bytes.length === 0 && completion === this.#completion) return this.#allowance.starved();
    // An engine whose context is larger than the catalog's has gone on before it heard of the bound.
    if (completion > this.#allowance.tokens && this.#ask.streamed) {
      return this.#finish(this.#prompt, this.#completion, cutByRouter(this.#ask.endpoint));
    }
    this.#completion = completion;
    this.#allowance.used(completion);
    if (bytes.length === 0) return;
    this.#received += bytes.length;
    this.#lastByteAt = this.#heardAt;
    this.#firstByteAt ??= this.#heardAt;
    if (this.#ask.streamed) {
      this.#reply.beginStream();
      this.#reply.write(bytes);
    } else {
      if (this.#received > limits.answerBytesMax) return this.#fail('engine_failed');
      this.#pieces.push(Buffer.from(bytes));
    }
    this.#taken();
  }

  #taken(): void {
    this.#allowance.taken(this.#received - this.#reply.pendingBytes);
  }

  #finish(prompt: number, completion: number, end: Finished): void {
    if (this.#state !== 'flowing') return;
    if (completion > this.#allowance.told) this.#parts.alarm('completion_clamped');
    this.#done({
      kind: 'finished',
      counts: this.#counts(prompt, completion),
      end,
      body: Buffer.concat(this.#pieces),
    });
  }

  /** As reported, within what was granted and what the catalog says that the context has room for. */
  #counts(reported: number, completion: number): Counts {
    const context = this.#ask.model.entry.context_length;
    const prompt = Math.min(this.#prompt || reported, this.#ask.promptTokensMax, context);
    const most = Math.min(this.#allowance.tokens, context - prompt);
    return { prompt, completion: Math.min(Math.max(this.#completion, completion), most) };
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
    this.#done({ kind: 'failed', refusal, again: this.#firstByteAt === null, fault });
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
    if (this.#ask.streamed && this.#firstByteAt === null) this.#keepAlive(now);
  }

  /** While a long prefill keeps the client waiting, comments keep proxies from cutting the stream. */
  #keepAlive(now: number): void {
    if (now - this.#commentedAt <= limits.commentAfterMs) return;
    this.#commentedAt = now;
    this.#reply.beginStream();
    this.#reply.write(COMMENT);
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
