/**
 * Has files read again when they change, and on request. The reads come one after another. The
 * reader handles its own faults, because whoever saves a file must not end what runs.
 */
import { watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, Timer } from './clock.ts';
import type { Log } from './log.ts';

/** Saving a file causes several events. One read follows all events within this time. */
const SETTLE_MS = 100;

export type WatchedFilesParts = Readonly<{
  clock: Clock;
  log: Log;
  /** Reads the files, and must not reject. It is also called when nothing in them has changed. */
  read: () => Promise<void>;
}>;

export class WatchedFiles implements AsyncDisposable {
  readonly #parts: WatchedFilesParts;
  readonly #watchers = new DisposableStack();
  #timer: Timer | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(files: readonly string[], parts: WatchedFilesParts) {
    this.#parts = parts;
    for (const folder of new Set(files.map(dirname))) this.#watch(folder);
  }

  /** Resolves when the files have been read again. */
  readAgain(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#parts.read());
    return this.#reading;
  }

  /** Resolves when no read is under way any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    this.#watchers.dispose();
    await this.#reading;
  }

  /**
   * The watch is on the folder, because an editor that renames a new file into place ends a watch
   * on the file. Any name in the folder counts: when the file is a symbolic link (a ConfigMap, for
   * example), the entry that changes has another name.
   */
  #watch(folder: string): void {
    const fail = (error: unknown) => {
      const message = 'folder cannot be watched: changes in it take effect after a SIGHUP';
      this.#parts.log.warn({ folder, err: error }, message);
    };
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#changed());
      this.#watchers.defer(() => watcher.close());
      watcher.on('error', fail);
    } catch (error) {
      fail(error);
    }
  }

  #changed(): void {
    this.#timer?.cancel();
    this.#timer = this.#parts.clock.after(SETTLE_MS, () => void this.readAgain());
  }
}
