/**
 * One answer in progress. Samples its script for the scheduler, ends at a stop string or at the
 * limit of tokens, counts the tokens, and passes the text to the reply. Hot path: `sample` runs for
 * every token.
 */
import type { Generation } from '../sequence.ts';
import { END, type Script, type TokenKind } from './script.ts';
import { StopScanner } from './stop-scanner.ts';

/** `abort`: the request was stopped from outside. Only some engines report it to the client. */
export type FinishReason = 'stop' | 'length' | 'abort';

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
  finish(kind: TokenKind, text: string, reason: FinishReason, stop: string | null): void;
}

/** Receives the events from which metrics are made. */
export interface Meter {
  admitted(model: string, waitedMs: number): void;
  firstToken(model: string, sinceArrivalMs: number): void;
  nextToken(model: string, sinceLastMs: number): void;
  finished(model: string, reason: FinishReason, sinceArrivalMs: number): void;
}

export interface CompletionInput {
  readonly model: string;
  readonly root: number;
  readonly salt: string | null;
  readonly prompt: Int32Array;
  readonly script: Script;
  readonly maxTokens: number;
  readonly stops: readonly string[];
  readonly includeStop: boolean;
}

export interface CompletionParts {
  readonly counts: Counts;
  readonly reply: Reply;
  readonly meter: Meter;
  readonly nowMs: number;
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
  readonly #ask: CompletionInput;
  readonly #scanner: StopScanner;
  readonly #counts: Counts;
  readonly #reply: Reply;
  readonly #meter: Meter;
  readonly #ended: () => void;
  readonly #arrivedMs: number;
  #lastTokenMs = 0;

  constructor(ask: CompletionInput, parts: CompletionParts) {
    this.model = ask.model;
    this.root = ask.root;
    this.prompt = ask.prompt;
    this.salt = ask.salt;
    this.holdMs = parts.holdMs;
    this.#ask = ask;
    this.#scanner = new StopScanner(ask.stops, ask.includeStop);
    this.#counts = parts.counts;
    this.#reply = parts.reply;
    this.#meter = parts.meter;
    this.#ended = parts.ended;
    this.#arrivedMs = parts.nowMs;
  }

  admitted(cachedTokens: number, nowMs: number): void {
    this.#counts.cached = cachedTokens;
    this.#meter.admitted(this.model, nowMs - this.#arrivedMs);
  }

  sample(nowMs: number): number {
    const counts = this.#counts;
    if (counts.completion === 0) this.#meter.firstToken(this.model, nowMs - this.#arrivedMs);
    else this.#meter.nextToken(this.model, nowMs - this.#lastTokenMs);
    this.#lastTokenMs = nowMs;

    const token = this.#ask.script.next();
    counts.completion++;
    if (token.kind === 'reasoning') counts.reasoning++;
    // Stop strings apply to the text of the answer only. Reasoning or a tool's arguments may
    // contain one.
    const text = token.kind === 'content' ? this.#scanner.push(token.text) : token.text;
    const stop = this.#scanner.matched;
    if (token === END || stop !== null) this.#finish(token.kind, text, 'stop', nowMs);
    else if (counts.completion >= this.#ask.maxTokens) {
      this.#finish(token.kind, text, 'length', nowMs);
    } else this.#reply.token(token.kind, text);
    return token.id;
  }

  /**
   * Stops the answer from outside. The client gets the answer so far, with the finish reason
   * `abort`.
   */
  stop(nowMs: number): void {
    if (!this.finished) this.#finish('silent', '', 'abort', nowMs);
  }

  /** Ends the answer without a reply, because its client is gone. */
  abandon(nowMs: number): void {
    if (this.finished) return;
    this.finished = true;
    this.#meter.finished(this.model, 'abort', nowMs - this.#arrivedMs);
    this.#ended();
  }

  #finish(kind: TokenKind, text: string, reason: FinishReason, nowMs: number): void {
    this.finished = true;
    this.#meter.finished(this.model, reason, nowMs - this.#arrivedMs);
    this.#ended();
    const rest = text + this.#scanner.flush();
    this.#reply.finish(
      rest === '' ? 'silent' : kind === 'silent' ? 'content' : kind,
      rest,
      reason,
      this.#scanner.matched,
    );
  }
}
