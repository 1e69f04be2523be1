/**
 * Hot path: by default, daemons log a line for each request. The lines of `LINGER_MS` are one
 * write, because a write costs more than all the rest of a line. Warnings and errors do not wait,
 * and neither do the lines before them.
 */
import { type DestinationStream, pino } from 'pino';
import type { Clock } from './clock.ts';

/** How long a line may wait. A process that is killed loses what waits. */
const LINGER_MS = 20;
/** When more than this waits, it is written at once. */
const WAITING_CHARS_MAX = 64 * 1024;
const WARN = 40;

export type LineWriter = DestinationStream & Readonly<{ flushSync(): void }>;

export class LogLines implements DestinationStream {
  /** Makes pino set `lastLevel` before each line. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  readonly #writer: LineWriter;
  readonly #clock: Clock;
  #waiting = '';
  #isTimed = false;

  constructor(writer: LineWriter, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  write(line: string): void {
    this.#waiting += line;
    if (this.lastLevel >= WARN || this.#waiting.length > WAITING_CHARS_MAX) return this.flush();
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#clock.after(LINGER_MS, () => {
      this.#isTimed = false;
      this.flush();
    });
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting === '') return;
    this.#writer.write(this.#waiting);
    this.#waiting = '';
  }

  /** The same, and returns when it is written. Called by pino after a fatal error. */
  flushSync(): void {
    this.flush();
    this.#writer.flushSync();
  }
}
