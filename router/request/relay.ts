/**
 * Hot path. Passes an answer on from its worker to its client, and keeps the two in step: bytes are granted
 * as the client takes them, tokens as the credit pays for them.
 *
 *   waiting ──first record──▶ covering ──hold fits the true prompt──▶ flowing ──END──▶ done
 *      └──────────────┬───────────┴───────────client gone, stalled───────┴─▶ stopping ─▶ done
 *                     └── failed, lost, refused, deadline ─▶ done
 *
 * No byte goes out before the hold fits the prompt that the engine counted (MONEY 6).
 */
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { End } from '../../shared/wire/messages.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';
import type { Hold } from '../ledger/hold.ts';
import { StoreUnavailable } from '../ledger/terms.ts';
import type { Ask } from './arrive.ts';
import type { Call } from './call.ts';
import type { Attempt } from './dispatch.ts';
import type { Reply } from './reply.ts';

export type Finished = Extract<End, { outcome: 'finished' }>;

/** Token counts as the engine gave them, within what was granted. */
export type Counts = Readonly<{ prompt: number; completion: number }>;

/**
 * How an attempt ended for its request. `finished`: settle, then complete the answer. `failed`: our fault,
 * free; `again` when another worker may still be tried. `stopped`: the client's doing, which pays (MONEY 15).
 */
export type Outcome = Readonly<
  | { kind: 'finished'; counts: Counts; end: Finished; body: Buffer }
  | { kind: 'failed'; refusal: Refusal; again: boolean }
  | { kind: 'stopped'; counts: Counts; accepted: boolean }
>;

export type RelayParts = Readonly<{
  clock: Clock;
  /** Relays under way: something calls `tick` of each a few times a second. */
  live: Set<Relay>;
  /** An agent reported what cannot be. */
  alarm: (what: 'prompt_clamped' | 'completion_clamped') => void;
}>;

/** A store that does not answer is asked again after this, while the stream lives on its grant. */
const EXTEND_AGAIN_MS = 1_000;
const COMMENT = ':\n\n';

type State = 'waiting' | 'covering' | 'flowing' | 'stopping' | 'done';

export class Relay implements StreamEvents {
  readonly #parts: RelayParts;
  readonly #call: Call;
  readonly #ask: Ask;
  readonly #hold: Hold;
  readonly #reply: Reply;
  readonly #stream: Stream;
  readonly #outcome = Promise.withResolvers<Outcome>();
  #state: State = 'waiting';

  /** What came before the hold was known to fit. */
  readonly #early: { completion: number; bytes: Buffer }[] = [];
  #earlyEnd: (() => void) | null = null;
  /** A non-streamed answer, as it comes. */
  readonly #pieces: Buffer[] = [];

  #prompt = 0;
  #completion = 0;
  #received = 0;
  /** The most this answer may have. */
  #cap = 0;
  #tokensGranted: number;
  #bytesGranted: number = limits.streamWindowBytes;
  #final = false;
  /** The count at which more tokens are asked for. */
  #extendAt = Number.POSITIVE_INFINITY;

  #accepted = false;
  #heardAt: number;
  #commentedAt: number;
  #stopAt = Number.POSITIVE_INFINITY;
  #firstByteAt: number | null = null;
  #lastByteAt: number | null = null;

  constructor(
    parts: RelayParts,
    request: { call: Call; ask: Ask; hold: Hold; reply: Reply; attempt: Attempt },
  ) {
    this.#parts = parts;
    this.#call = request.call;
    this.#ask = request.ask;
    this.#hold = request.hold;
    this.#reply = request.reply;
    this.#tokensGranted = request.attempt.granted;
    this.#heardAt = parts.clock.monotonic();
    this.#commentedAt = request.call.arrived;
    this.#stream = request.attempt.start(this);
    parts.live.add(this);
    this.#reply.listen({ left: () => this.#stop(), drained: () => this.#grantBytes() });
  }

  /** Resolves once, and never rejects but by our own mistake. */
  get outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  /** Monotonic times of the first and the last content, and the count at the first; null before it. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  get lastByteAt(): number | null {
    return this.#lastByteAt;
  }

  // ── What the worker says ────────────────────────────────────────────────────────────────────────────

  content(prompt: number, completion: number, bytes: Buffer): void {
    this.#heardAt = this.#parts.clock.monotonic();
    this.#accepted = true;
    switch (this.#state) {
      case 'flowing':
        return this.#release(completion, bytes);
      case 'waiting':
        this.#early.push({ completion, bytes: Buffer.from(bytes) });
        return this.#begin(prompt);
      case 'covering':
        this.#early.push({ completion, bytes: Buffer.from(bytes) });
        return;
      case 'stopping':
        this.#prompt ||= prompt;
        this.#completion = Math.max(this.#completion, completion);
        return;
      case 'done':
        return;
    }
  }

  ended(prompt: number, completion: number, end: End): void {
    if (this.#state === 'covering') {
      this.#earlyEnd = () => this.ended(prompt, completion, end);
      return;
    }
    if (this.#state === 'stopping') return this.#stopped(prompt, completion, end);
    switch (end.outcome) {
      case 'finished':
        if (completion === 0) return this.#failed('engine_failed', true);
        if (this.#state === 'waiting') {
          this.#earlyEnd = () => this.ended(prompt, completion, end);
          return this.#begin(prompt);
        }
        return this.#finish(prompt, completion, end);
      case 'failed':
        return this.#engineFailed(end.reason);
      case 'cancelled':
        return this.#failed('engine_failed', true);
    }
  }

  refused(): void {
    if (this.#state === 'stopping')
      return this.#done({ kind: 'stopped', ...this.#left(0, 0, false) });
    this.#failed('overloaded', true);
  }

  lost(): void {
    if (this.#state === 'stopping') {
      return this.#done({ kind: 'stopped', ...this.#left(0, 0, this.#accepted) });
    }
    this.#failed('worker_lost', true);
  }

  // ── The hold meets the true prompt ──────────────────────────────────────────────────────────────────

  #begin(reported: number): void {
    this.#state = 'covering';
    const { promptTokensMax, maxTokens, model } = this.#ask;
    if (reported > promptTokensMax) this.#parts.alarm('prompt_clamped');
    // Nothing reported: an engine without running usage, for which the most is held.
    const prompt = reported === 0 ? promptTokensMax : Math.min(reported, promptTokensMax);
    const room = model.entry.context_length - (reported === 0 ? 0 : prompt);
    if ((maxTokens ?? 1) > room) {
      const param = maxTokens === null || room < 1 ? this.#promptField : 'max_tokens';
      return this.#refuse(new Refusal('context_length_exceeded', { param }));
    }
    this.#prompt = reported === 0 ? 0 : prompt;
    this.#cap = Math.min(maxTokens ?? model.entry.max_output_length, room);
    const needed = Math.min(this.#tokensGranted, this.#cap);
    if (this.#hold.tokensCovered(prompt) >= Math.max(1, needed)) return this.#flow(prompt);
    void this.#coverPrompt(prompt, Math.max(1, needed));
  }

  async #coverPrompt(prompt: number, needed: number): Promise<void> {
    const covered = await this.#cover(prompt, needed);
    if (this.#state !== 'covering') return;
    if (covered === 'unknown') return this.#failed('store_unavailable', false);
    if (covered === 'gone') return this.#failed('store_unavailable', false);
    if (covered < needed) return this.#refuse(new Refusal('insufficient_credit'));
    this.#flow(prompt);
  }

  #flow(prompt: number): void {
    this.#state = 'flowing';
    this.#grantTokens(
      Math.min(this.#cap, Math.max(this.#tokensGranted, this.#hold.tokensCovered(prompt))),
    );
    for (const { completion, bytes } of this.#early.splice(0)) this.#release(completion, bytes);
    this.#earlyEnd?.();
  }

  // ── Content ─────────────────────────────────────────────────────────────────────────────────────────

  #release(completion: number, bytes: Buffer): void {
    this.#completion = completion;
    if (bytes.length > 0) {
      this.#received += bytes.length;
      this.#lastByteAt = this.#heardAt;
      if (this.#firstByteAt === null) {
        this.#firstByteAt = this.#heardAt;
        if (this.#ask.streamed) this.#reply.beginStream();
      }
      if (this.#ask.streamed) this.#reply.write(bytes);
      else this.#keep(bytes);
      this.#grantBytes();
    }
    if (completion >= this.#extendAt) void this.#extend();
  }

  #keep(bytes: Buffer): void {
    if (this.#received > limits.answerBytesMax) return this.#failed('engine_failed', false);
    this.#pieces.push(Buffer.from(bytes));
  }

  /** A slow reader's window does not grow: that is the back-pressure on its stream, and on no other. */
  #grantBytes(): void {
    if (this.#state !== 'flowing') return;
    const window = this.#received - this.#reply.pendingBytes + limits.streamWindowBytes;
    if (window - this.#bytesGranted < limits.streamWindowBytes / 2) return;
    this.#bytesGranted = window;
    this.#grant();
  }

  #grantTokens(tokens: number): void {
    const final = tokens >= this.#cap;
    const changed = tokens !== this.#tokensGranted || final !== this.#final;
    this.#tokensGranted = tokens;
    this.#final = final;
    this.#extendAt = final
      ? Number.POSITIVE_INFINITY
      : tokens - Math.floor((tokens - this.#completion) / 2);
    if (changed) this.#grant();
  }

  #grant(): void {
    this.#stream.grant({
      tokens: this.#tokensGranted,
      bytes: this.#bytesGranted,
      final: this.#final,
    });
  }

  /** More credit is held while half of what is granted is still unused, so that no stream waits for it. */
  async #extend(): Promise<void> {
    this.#extendAt = Number.POSITIVE_INFINITY;
    const target = Math.min(this.#cap, this.#tokensGranted + limits.sliceTokens);
    const covered = await this.#cover(this.#prompt, target);
    if (this.#state !== 'flowing') return;
    if (covered === 'unknown') {
      this.#parts.clock.after(EXTEND_AGAIN_MS, () => {
        if (this.#state === 'flowing') void this.#extend();
      });
    } else if (covered === 'gone') {
      this.#failed('store_unavailable', false);
    } else if (covered > this.#tokensGranted) {
      this.#grantTokens(Math.min(this.#cap, covered));
    } else {
      // Not one token more: the answer ends at what is paid for, with `length`.
      this.#cap = this.#tokensGranted;
      this.#grantTokens(this.#tokensGranted);
    }
  }

  async #cover(prompt: number, completion: number): Promise<number | 'gone' | 'unknown'> {
    try {
      return await this.#hold.cover(prompt, completion);
    } catch (error) {
      if (error instanceof StoreUnavailable) return 'unknown';
      throw error;
    }
  }

  // ── Endings ─────────────────────────────────────────────────────────────────────────────────────────

  #finish(prompt: number, completion: number, end: Finished): void {
    if (completion > this.#tokensGranted) this.#parts.alarm('completion_clamped');
    const counts = {
      prompt: this.#prompt || Math.min(prompt, this.#ask.promptTokensMax),
      completion: Math.min(completion, this.#tokensGranted),
    };
    this.#done({ kind: 'finished', counts, end, body: Buffer.concat(this.#pieces) });
  }

  #engineFailed(reason: Extract<End, { outcome: 'failed' }>['reason']): void {
    switch (reason) {
      case 'context_length':
        return this.#refuse(new Refusal('context_length_exceeded', { param: this.#promptField }));
      case 'bad_request':
        return this.#refuse(
          new Refusal('invalid_value', {
            param: this.#promptField,
            message: 'The engine does not accept this request.',
          }),
        );
      case 'busy':
        return this.#failed('overloaded', true);
      case 'engine':
        return this.#failed('engine_failed', true);
    }
  }

  get #promptField(): string {
    return this.#ask.endpoint === 'chat' ? 'messages' : 'prompt';
  }

  #failed(
    code: 'engine_failed' | 'worker_lost' | 'overloaded' | 'store_unavailable',
    again: boolean,
  ): void {
    const retry = again && this.#received === 0;
    this.#done({ kind: 'failed', refusal: new Refusal(code, { retryAfterS: 1 }), again: retry });
  }

  #refuse(refusal: Refusal): void {
    this.#done({ kind: 'failed', refusal, again: false });
  }

  /** The client is gone or does not read: the engine stops, and its last count is waited for. */
  #stop(): void {
    if (this.#state === 'stopping' || this.#state === 'done') return;
    this.#state = 'stopping';
    this.#stopAt = this.#parts.clock.monotonic() + limits.cancelReportMsMax;
    for (const { completion } of this.#early) {
      this.#completion = Math.max(this.#completion, completion);
    }
    this.#stream.cancel();
  }

  #stopped(prompt: number, completion: number, end: End): void {
    const accepted = end.outcome === 'cancelled' ? end.accepted : end.outcome === 'finished';
    if (end.outcome === 'failed') return this.#failed('engine_failed', false);
    this.#done({ kind: 'stopped', ...this.#left(prompt, completion, accepted) });
  }

  #left(prompt: number, completion: number, accepted: boolean) {
    const counts = {
      prompt: this.#prompt || Math.min(prompt, this.#ask.promptTokensMax),
      completion: Math.min(Math.max(this.#completion, completion), this.#tokensGranted),
    };
    return { counts, accepted };
  }

  #done(outcome: Outcome): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#parts.live.delete(this);
    this.#reply.listen({ left: () => {}, drained: () => {} });
    this.#stream.drop();
    this.#outcome.resolve(outcome);
  }

  // ── Deadlines ───────────────────────────────────────────────────────────────────────────────────────

  /** Called a few times a second: every deadline of this request stands here. */
  tick(now: number): void {
    if (this.#state === 'stopping') {
      if (now >= this.#stopAt) {
        this.#done({ kind: 'stopped', ...this.#left(0, 0, this.#accepted) });
      }
      return;
    }
    const { stalledAt } = this.#reply;
    if (stalledAt !== null && now - stalledAt > limits.writeStallMsMax) return this.#stop();
    if (now - this.#call.arrived > limits.requestMsMax) return this.#late('deadline_exceeded');
    if (this.#firstByteAt === null) {
      if (now - this.#call.arrived > limits.firstByteMsMax) return this.#late('first_byte_timeout');
      if (this.#ask.streamed && now - this.#commentedAt > limits.commentAfterMs) {
        this.#commentedAt = now;
        this.#reply.beginStream();
        this.#reply.write(COMMENT);
      }
    } else if (stalledAt === null && now - this.#heardAt > limits.idleMsMax) {
      this.#late('idle_timeout');
    }
  }

  #late(code: 'deadline_exceeded' | 'first_byte_timeout' | 'idle_timeout'): void {
    this.#refuse(new Refusal(code));
  }

  /** The router may no longer settle (MONEY 20): the answer ends here, unsettled. */
  abandon(): void {
    this.#refuse(new Refusal('store_unavailable', { retryAfterS: 1 }));
  }
}
