/**
 * Hot path. One inference request to an engine. Its server-sent events are passed to a listener as
 * they come, and reading can be paused and resumed. An abort closes the connection, which makes the
 * engine stop.
 */
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { Clock, Timer } from '../../shared/clock.ts';

/** The largest event. A larger one is not a valid answer, and ends the exchange. */
const EVENT_CHARS_MAX = 16 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;
/**
 * How long an engine may take to end its response after [DONE]. Without this limit it could keep
 * the connection forever.
 */
const LINGER_MS_MAX = 2_000;

/** Either `ended` or `failed` is called, exactly once and last, unless the exchange is aborted. */
export interface ExchangeEvents {
  /** The engine answered with status 200: it has accepted the request. */
  accepted(): void;
  event(data: string): void;
  /** The answer has ended. A broken connection is reported in the same way as a regular end. */
  ended(): void;
  /**
   * There is no answer. `status` is that of the engine's error response, or null when there was no
   * response. `text` is the start of that response.
   */
  failed(status: number | null, text: string): void;
}

export type ExchangeRequest = Readonly<{
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #events: ExchangeEvents;
  readonly #parser: EventSourceParser;
  /** Set while the request is in flight. Afterwards the connection may serve another request. */
  #controller: Dispatcher.DispatchController | null = null;
  #over = false;
  #status = 0;
  #error = '';
  #paused = false;
  #decoder: StringDecoder | null = null;
  /** Whether the decoder may hold the first bytes of a character. */
  #split = false;
  #linger: Timer | null = null;

  constructor(events: ExchangeEvents) {
    this.#events = events;
    this.#parser = createParser({
      onEvent: (event: EventSourceMessage) => events.event(event.data),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#break();
      },
      maxBufferSize: EVENT_CHARS_MAX,
    });
  }

  /** Whether the exchange has ended. */
  get over(): boolean {
    return this.#over;
  }

  start(dispatcher: Dispatcher, { path, headers, body }: ExchangeRequest): void {
    try {
      dispatcher.dispatch({ path, method: 'POST', headers, body }, this);
    } catch {
      this.#finish();
    }
  }

  /** Pauses reading, after the chunk that is being read. */
  pause(): void {
    this.#paused = true;
    this.#controller?.pause();
  }

  /**
   * Resumes reading. Must not be called from within an event of this or another exchange, because
   * the HTTP parser underneath is shared.
   */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#controller?.resume();
  }

  /**
   * Lets the response end by itself after the answer, so that the connection can be reused. Aborts
   * if reading is paused, or if the response does not end within `LINGER_MS_MAX`.
   */
  release(clock: Clock): void {
    if (this.#over) return;
    if (this.#paused) return this.abort();
    this.#linger = clock.after(LINGER_MS_MAX, () => this.abort());
  }

  /** Ends the exchange without another event. */
  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#linger?.cancel();
    this.#controller?.abort(new Error('aborted'));
    this.#controller = null;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) return controller.abort(new Error('aborted'));
    this.#controller = controller;
    if (this.#paused) controller.pause();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // Informational responses (1xx) come before the final one.
    if (status < 200) return;
    this.#status = status;
    if (status === 200 && !this.#over) this.#events.accepted();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (this.#status !== 200) return this.#refusal(chunk);
    this.#parser.feed(this.#decode(chunk));
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(): void {
    this.#finish();
  }

  #finish(): void {
    this.#controller = null;
    if (this.#over) return;
    this.#over = true;
    this.#linger?.cancel();
    if (this.#status === 200) this.#events.ended();
    else this.#events.failed(this.#status || null, this.#error);
  }

  #break(): void {
    const controller = this.#controller;
    this.#finish();
    controller?.abort(new Error('an event is too large'));
  }

  #refusal(chunk: Buffer): void {
    this.#error += chunk.toString('utf8');
    if (this.#error.length <= ERROR_BYTES_MAX) return;
    this.#break();
  }

  #decode(chunk: Buffer): string {
    // A chunk nearly always ends with a line feed, so that no character is split over two chunks.
    const split = (chunk.at(-1) ?? 0) >= 0x80;
    if (!split && !this.#split) return chunk.toString('utf8');
    this.#decoder ??= new StringDecoder('utf8');
    this.#split = split;
    return this.#decoder.write(chunk);
  }
}
