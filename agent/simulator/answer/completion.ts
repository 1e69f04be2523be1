/**
 * One answer in progress. Samples its script for the scheduler, ends at a stop string or at the
 * limit of tokens, counts the tokens, and passes the text to the reply. Hot path: `sample` runs for
 * every token.
 */
import { rootHash } from '../kv/block-hash.ts';
import type { Generation } from '../sequence.ts';
import type { Ending, FinishReason } from '../wire/chunks.ts';
import { type EngineError, serverError } from '../wire/errors.ts';
import type { Job } from '../wire/job.ts';
import { END, type TokenKind } from './script.ts';
import { StopScanner } from './stop-scanner.ts';

/** Tokens so far. */
export interface Counts {
  readonly prompt: number;
  cached: number;
  completion: number;
  reasoning: number;
}

/** Turns the tokens into a response: a stream or a whole answer, in some dialect. */
export interface Reply {
  token(kind: TokenKind, text: string): void;
  finish(kind: TokenKind, text: string, ending: Ending): void;
  /** Ends an answer with an error of the engine. */
  fail(error: EngineError): void;
}

/** Receives the events from which metrics are made. */
export interface Meter {
  admitted(model: string, waitedMs: number): void;
  firstToken(model: string, sinceArrivalMs: number): void;
  nextToken(model: string, sinceLastMs: number): void;
  finished(model: string, reason: FinishReason, sinceArrivalMs: number): void;
}

export interface CompletionParts {
  readonly job: Job;
  readonly counts: Counts;
  readonly reply: Reply;
  readonly meter: Meter;
  readonly arrivedMs: number;
  /** How long a fault holds the next token back. */
  readonly holdMs: () => number;
  /** Called once, when the answer is finished or abandoned. */
  readonly ended: () => void;
}

export class Completion implements Generation {
  readonly model: string;
  readonly root: number;
  readonly salt: string | null;
  readonly prompt: Int32Array;
  readonly holdMs: () => number;
  finished = false;
  readonly #parts: CompletionParts;
  readonly #scanner: StopScanner;
  #lastTokenMs = 0;

  constructor(parts: CompletionParts) {
    const { model, prompt, sampling } = parts.job;
    this.model = model.id;
    this.root = rootHash(model.id, sampling.salt);
    this.salt = sampling.salt;
    this.prompt = prompt;
    this.holdMs = parts.holdMs;
    this.#parts = parts;
    this.#scanner = new StopScanner(sampling.stops, sampling.includeStop);
  }

  admitted(cachedTokens: number, nowMs: number): void {
    const { counts, meter, arrivedMs } = this.#parts;
    counts.cached = cachedTokens;
    meter.admitted(this.model, nowMs - arrivedMs);
  }

  sample(nowMs: number): number {
    const { job, counts, reply, meter, arrivedMs } = this.#parts;
    if (counts.completion === 0) meter.firstToken(this.model, nowMs - arrivedMs);
    else meter.nextToken(this.model, nowMs - this.#lastTokenMs);
    this.#lastTokenMs = nowMs;

    const token = job.script.next();
    counts.completion++;
    if (token.kind === 'reasoning') counts.reasoning++;
    // Stop strings apply to the text of the answer only. Reasoning or a tool's arguments may
    // contain one.
    const text = token.kind === 'content' ? this.#scanner.push(token.text) : token.text;
    const stop = this.#scanner.matched;
    if (token === END || stop !== null) this.#finish(token.kind, text, 'stop', nowMs);
    else if (counts.completion >= job.sampling.length.maxTokens) {
      this.#finish(token.kind, text, 'length', nowMs);
    } else reply.token(token.kind, text);
    return token.id;
  }

  /**
   * Stops the answer from outside. The client gets the answer so far, with the finish reason
   * `abort`.
   */
  stop(nowMs: number): void {
    if (!this.finished) this.#finish('silent', '', 'abort', nowMs);
  }

  cut(nowMs: number): void {
    if (this.finished) return;
    this.#end('abort', nowMs);
    this.#parts.reply.fail(serverError('Context size has been exceeded.'));
  }

  /** Ends the answer without a reply, because its client is gone. */
  abandon(nowMs: number): void {
    if (!this.finished) this.#end('abort', nowMs);
  }

  #finish(kind: TokenKind, text: string, reason: FinishReason, nowMs: number): void {
    this.#end(reason, nowMs);
    const rest = text + this.#scanner.flush();
    const restKind = rest === '' ? 'silent' : kind === 'silent' ? 'content' : kind;
    this.#parts.reply.finish(restKind, rest, { reason, stop: this.#scanner.matched });
  }

  #end(reason: FinishReason, nowMs: number): void {
    const { meter, arrivedMs, ended } = this.#parts;
    this.finished = true;
    meter.finished(this.model, reason, nowMs - arrivedMs);
    ended();
  }
}
