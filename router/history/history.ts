/**
 * The fleet's history as one router process keeps it: samples of the fleet, and once a minute the
 * cells of the minute that has ended, which are written into the store in pieces, one at a time, so
 * that no settlement waits for more than one of them. A process that is killed loses the last
 * minute.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import { mintId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { StoreUnavailable } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { LEVELS, ordinalOf, SAMPLE_MS } from './levels.ts';
import type { HistoryRecorder } from './recorder.ts';
import { sample, type Sampled } from './sample.ts';
import { type HistoryBatch, writeHistory } from './write.ts';

/** Cells in one transaction. */
const PIECE_CELLS = 50;
/** Pieces that wait while the store is unavailable: 20 minutes of a thousand workers, of 50 bytes to 150 a cell. */
const PIECES_MAX = 500;

export type FleetHistoryParts = Readonly<{
  recorder: HistoryRecorder;
  store: Pick<Store, 'call'>;
  /** The store's time. While it has a fault, nothing is sampled or written. */
  clock: Clock & Readonly<{ fault?: string | null }>;
  random: Random;
  log: Log;
  sampled: () => Sampled;
}>;

type Piece = Omit<HistoryBatch, 'now'>;

export class FleetHistory implements AsyncDisposable {
  readonly #parts: FleetHistoryParts;
  readonly #router: string;
  #number = 0;
  #minute: number;
  /** The instant of the next sample. */
  #due = 0;
  #timer: Timer;
  #pieces: Piece[] = [];
  #writing: Promise<void> | null = null;

  constructor(parts: FleetHistoryParts) {
    this.#parts = parts;
    this.#router = mintId('incarnation', parts.clock, parts.random);
    this.#minute = minuteOf(parts.clock.now());
    this.#timer = this.#setTimer();
  }

  /** Resolves when everything recorded until the end of the last minute is written, or failed. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#writing;
    this.#close(this.#minute);
    await this.#write();
  }

  /**
   * Fires at the same instants on every router. A timer may fire a little early: the instant that it
   * was for is not sampled twice.
   */
  #setTimer(): Timer {
    const { clock } = this.#parts;
    const now = clock.now();
    const next = now - (now % SAMPLE_MS) + SAMPLE_MS;
    this.#due = next === this.#due ? next + SAMPLE_MS : next;
    return clock.after(this.#due - now, () => {
      this.#tick();
      this.#timer = this.#setTimer();
    });
  }

  #tick(): void {
    const { recorder, clock, sampled } = this.#parts;
    if (clock.fault) return;
    // A sample that is taken a little early belongs to the minute of its instant.
    const minute = minuteOf(Math.max(this.#due, clock.now()));
    if (minute !== this.#minute) {
      this.#close(minute);
      this.#writing ??= this.#write().finally(() => {
        this.#writing = null;
      });
    }
    sample(recorder, sampled());
  }

  /** Ends the current minute: what is recorded from now on belongs to `next`. */
  #close(next: number): void {
    const cells = this.#parts.recorder.take();
    const minute = this.#minute * MINUTE_MS;
    this.#minute = next;
    for (let at = 0; at < cells.length; at += PIECE_CELLS) {
      this.#number += 1;
      const some = cells.slice(at, at + PIECE_CELLS);
      this.#pieces.push({ router: this.#router, number: this.#number, minute, cells: some });
    }
    const dropped = this.#pieces.length - PIECES_MAX;
    if (dropped <= 0) return;
    this.#pieces.splice(0, dropped);
    this.#parts.log.warn(
      { pieces: dropped },
      'history of the fleet was dropped: the store is away',
    );
  }

  async #write(): Promise<void> {
    const { store, clock, log } = this.#parts;
    for (let piece = this.#pieces[0]; piece; piece = this.#pieces[0]) {
      try {
        await store.call(writeHistory, { ...piece, now: clock.now() });
      } catch (error) {
        // The piece is sent again after the next minute: its number tells if it was written.
        if (error instanceof StoreUnavailable) return;
        log.error({ err: error }, 'history of the fleet could not be written');
      }
      if (this.#pieces[0] === piece) this.#pieces.shift();
    }
  }
}

function minuteOf(instant: number): number {
  return ordinalOf(LEVELS.minute, instant);
}
