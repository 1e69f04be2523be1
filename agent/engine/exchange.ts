/**
 * Hot path. One inference request to an engine: its server-sent events go to a listener as they come, reading
 * stops and starts on demand, and an abort takes the connection away, which is how an engine is told to stop.
 */
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { Clock, Timer } from '../../shared/clock.ts';

/** An event larger than this is no answer that anybody asked for. */
const EVENT_CHARS_MAX = 16 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;
/** An engine that does not end its response after [DONE] would keep the connection for ever. */
const LINGER_MS_MAX = 2_000;

/** Exactly one of `ended` and `failed` comes, last, unless the exchange is aborted. */
export interface ExchangeEvents {
  /** Status 200: the engine has taken the request. */
  accepted(): void;
  event(data: string): void;
  /** The answer is over, in good order or not: a broken connection is as good as an end of file. */
  ended(): void;
  /** There is no answer: the status of the refusal with the start of its text, or null for no connection. */
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
  /** There while the request is under way; a connection is another request's after that. */
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

  /** Whether nothing more will come of it. */
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

  /** Takes effect with the chunk that is being read. */
  pause(): void {
    this.#paused = true;
    this.#controller?.pause();
  }

  /** Never from within an event of this or another exchange: the parser underneath is shared. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#controller?.resume();
  }

  /** Nobody listens any more: what little is left is read, but a reading that has stopped is not resumed. */
  release(clock: Clock): void {
    if (this.#over) return;
    if (this.#paused) return this.abort();
    this.#linger = clock.after(LINGER_MS_MAX, () => this.abort());
  }

  /** Ends it without another event. */
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
    // An informational one comes before the one that counts.
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
    // Nearly always a chunk ends with a line feed, and no character is split over two.
    const split = (chunk.at(-1) ?? 0) >= 0x80;
    if (!split && !this.#split) return chunk.toString('utf8');
    this.#decoder ??= new StringDecoder('utf8');
    this.#split = split;
    return this.#decoder.write(chunk);
  }
}
