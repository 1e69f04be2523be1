/**
 * Hot path. Passes an answer on from its worker to its client, until one of them is done.
 *
 *   waiting ──first record──▶ fitting ──the hold fits the true prompt──▶ flowing ──END──▶ done
 *      └──────────────┬───────────┴──────────client gone, stalled, too long─┴─▶ stopping ─▶ done
 *                     └── failed, lost, refused, deadline ─▶ done
 *
 * No byte goes out before the hold fits the prompt that the engine counted (MONEY 6).
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { End, Finished } from '../../shared/wire/messages.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';
import type { Hold } from '../ledger/hold.ts';
import { Allowance } from './allowance.ts';
import type { Ask } from './arrive.ts';
import type { Call } from './call.ts';
import { overdue } from './deadlines.ts';
import type { BillBounds } from './bill-bounds.ts';
import type { Attempt } from './dispatch.ts';
import { beyondContext, engineFailure, type Failure, FAILURES } from './failure.ts';
import type { Live } from './live.ts';
import type { Counts, Ending, Outcome } from './outcome.ts';
import type { Reply } from './reply.ts';
import { Tally } from './tally.ts';
import { type Cause, needsLastCount, progressOf } from './who-pays.ts';

type EngineFault = Extract<End, { outcome: 'failed' }>['reason'];

export type RelayParts = Readonly<{
  clock: Clock;
  /** Relays under way: something calls `tick` of each a few times a second. */
  live: Set<Live>;
  /** An agent reported what cannot be. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
  bounds: BillBounds;
}>;

export class Relay implements StreamEvents, Live {
  readonly #parts: RelayParts;
  readonly #call: Call;
  readonly #ask: Ask;
  readonly #reply: Reply;
  readonly #hold: Hold;
  readonly #stream: Stream;
  readonly #course: Attempt['course'];
  readonly #allowance: Allowance;
  readonly #tally: Tally;
  readonly #outcome = Promise.withResolvers<Outcome>();
  #state: 'waiting' | 'fitting' | 'flowing' | 'stopping' | 'done' = 'waiting';
  /** What came before the hold was known to fit, in order. */
  readonly #early: (() => void)[] = [];
  /** A non-streamed answer, as it comes. */
  readonly #pieces: Buffer[] = [];
  #accepted = false;
  readonly #begunAt: number;
  #heardAt: number;
  #stopping: { cause: Cause; refusal: Refusal | null; at: number } | null = null;
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
    this.#allowance = new Allowance({
      clock: parts.clock,
      hold,
      granted: attempt.granted,
      send: (grant) => this.#stream.grant(grant),
      lost: () => this.#unbooked('hold_lost'),
    });
    this.#tally = new Tally(parts, { ask, worker: attempt.worker });
    this.#course = attempt.course;
    this.#stream = attempt.start(this);
    parts.live.add(this);
    reply.listen({ left: () => this.#stop('client_left'), drained: () => this.#drained() });
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
    return this.#tally.bytes;
  }

  // What the worker says.

  content(prompt: number, completion: number, bytes: Buffer): void {
    this.#heardAt = this.#parts.clock.monotonic();
    this.#accepted = true;
    if (completion > 0 && this.#tally.completion === 0) this.#course.firstToken();
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
        this.#tally.countPrompt(prompt);
        this.#tally.bytes += bytes.length;
        this.#tally.completion = Math.max(this.#tally.completion, completion);
        return;
      case 'done':
        return;
    }
  }

  ended(prompt: number, completion: number, end: End): void {
    if (this.#state === 'stopping') return this.#stoppedBy(prompt, completion, end);
    if (end.outcome === 'failed') return this.#engineFailed(end.reason);
    // Nobody has asked for that.
    if (end.outcome === 'cancelled') return this.#failAgain(FAILURES.misbehaved());
    // An empty answer is no answer: another worker may do better (promise 4).
    if (completion === 0) return this.#failAgain(FAILURES.empty());
    this.#heardAt = this.#parts.clock.monotonic();
    this.#accepted = true;
    this.#course.finished(prompt, end.cached);
    if (this.#state === 'flowing') return this.#finish(prompt, completion, end);
    this.#early.push(() => this.#finish(prompt, completion, end));
    if (this.#state === 'waiting') this.#fit(prompt);
  }

  refused(): void {
    // Only what the engine has not seen can be refused; after its first record that is a lie.
    if (this.#state === 'stopping') this.#stopped(0, 0, this.#accepted);
    else if (this.#accepted) this.#failAgain(FAILURES.misbehaved());
    else this.#done({ kind: 'refused', by: 'agent' });
  }

  lost(): void {
    if (this.#state === 'stopping') this.#stopped(0, 0, this.#accepted);
    else this.#failAgain(FAILURES.lost());
  }

  // The hold meets the true prompt.

  #fit(reported: number): void {
    this.#state = 'fitting';
    const { promptTokensMax, maxTokens, model } = this.#ask;
    this.#tally.countPrompt(reported);
    const { prompt } = this.#tally;
    const room = model.entry.context_length - prompt;
    if ((maxTokens ?? 1) > room) return this.#failFor(beyondContext(this.#ask, room));
    const cap = Math.min(maxTokens ?? model.entry.max_output_length, room);
    // Nothing reported: an engine without running usage, for which the most was held before.
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
    for (const play of this.#early.splice(0)) play();
  }

  // Content.

  #release(completion: number, bytes: Buffer): void {
    // No bytes and no progress: the agent says that it waits at its grant.
    if (bytes.length === 0 && completion === this.#tally.completion)
      return this.#allowance.starved();
    this.#tally.completion = completion;
    this.#allowance.used(completion);
    if (bytes.length === 0) return;
    this.#tally.bytes += bytes.length;
    this.#lastByteAt = this.#heardAt;
    this.#firstByteAt ??= this.#heardAt;
    if (this.#ask.streamed) {
      this.#reply.beginStream();
      this.#reply.write(bytes);
    } else {
      if (this.#tally.bytes > limits.answerBytesMax) return this.#failFor(FAILURES.engine());
      this.#pieces.push(Buffer.from(bytes));
    }
    this.#taken();
  }

  #drained(): void {
    // While its client did not read, the agent could send nothing: it is not silent since then.
    this.#heardAt = this.#parts.clock.monotonic();
    this.#taken();
  }

  #taken(): void {
    this.#allowance.taken(this.#tally.bytes - this.#reply.pendingBytes);
  }

  #finish(prompt: number, completion: number, end: Finished): void {
    if (this.#state !== 'flowing') return;
    const said = { prompt, completion };
    const counts = this.#tally.whole(said, this.#allowance.tokens, end.last.length);
    this.#done({
      kind: 'finished',
      ...this.#ending(end.cut ? 'ended_at_grant' : 'finished', counts),
      end,
      body: Buffer.concat(this.#pieces),
    });
  }

  #counts(prompt: number, completion: number): Counts {
    return this.#tally.counts({ prompt, completion }, this.#allowance.tokens);
  }

  // Failures.

  #engineFailed(reason: EngineFault): void {
    // It takes nothing at the moment, and has not begun this: nothing has failed.
    if (reason === 'busy' && !this.#accepted) return this.#done({ kind: 'refused', by: 'engine' });
    const failure = engineFailure(reason, this.#ask);
    if (failure.fault === 'none') this.#failFor(failure);
    else this.#failAgain(failure);
  }

  /** The worker's fault: another may be tried until the first byte is out. */
  #failAgain(failure: Failure): void {
    this.#failFor(failure, this.#firstByteAt === null);
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

  #ending(cause: Cause, counts = this.#counts(0, 0), accepted = this.#accepted): Ending {
    const begun = this.#ask.streamed && this.#firstByteAt !== null;
    return { cause, progress: progressOf({ accepted, counted: counts.prompt > 0, begun }), counts };
  }

  /** The engine stops, and its last count is waited for. Without a refusal the client is gone, or does not read. */
  #stop(cause: Cause, refusal: Refusal | null = null): void {
    if (this.#state === 'stopping' || this.#state === 'done') return;
    this.#state = 'stopping';
    const at = this.#parts.clock.monotonic() + limits.cancelReportMsMax;
    this.#stopping = { cause, refusal, at };
    this.#stream.cancel();
  }

  #stoppedBy(prompt: number, completion: number, end: End): void {
    if (end.outcome === 'failed') this.#failFor(FAILURES.engine());
    else this.#stopped(prompt, completion, end.outcome === 'finished' || end.accepted);
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
    this.#course.over();
    this.#parts.live.delete(this);
    this.#allowance.close();
    this.#reply.listen({ left: () => {}, drained: () => {} });
    this.#stream.drop();
    this.#outcome.resolve(outcome);
  }

  // Deadlines.

  /** Called a few times a second. */
  tick(now: number): void {
    if (this.#stopping !== null) {
      // The agent does not say how far it came: the engine may have worked for it.
      if (now >= this.#stopping.at) this.#stopped(0, 0, true);
      return;
    }
    this.#reply.tick(now);
    const late = overdue(now, {
      arrived: this.#call.arrived,
      begunAt: this.#begunAt,
      heardAt: this.#heardAt,
      stalledAt: this.#reply.stalledAt,
      accepted: this.#accepted,
    });
    if (late === 'stalled') return this.#stop('client_stalled');
    if (late !== null) return this.#outOfTime(late);
    if (this.#ask.streamed && this.#firstByteAt === null) this.#reply.keepAlive(now);
  }

  #outOfTime(late: Failure): void {
    const { cause, progress } = this.#ending(late.cause);
    if (needsLastCount(cause, progress)) this.#stop(cause, late.refusal);
    else this.#failFor(late);
  }

  /** Its organization is suspended: it ends here, and pays for what was generated (MONEY 11, 15). */
  suspend(): void {
    this.#stop('suspended');
  }

  /** The router may no longer settle (MONEY 20): the answer ends here, unsettled. */
  abandon(): void {
    this.#unbooked('store_away');
  }
}
