/**
 * Records what happens to agents and their workers (decision 0034). What happens again in the same
 * minute is only counted, and new rows of one agent have a rate, so an agent that flaps costs a
 * constant. All rows that wait are written once a second, so a process that is killed loses at most
 * its last second, as long as the store can be reached.
 */
import { createHash } from 'node:crypto';
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock, Timer } from '../../shared/clock.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { type AgentId, type HostEventId, mintId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import { printed } from '../../shared/printed.ts';
import type { Random } from '../../shared/random.ts';
import type { HostEvent } from '../fleet/host-event.ts';
import { StoreUnavailable } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { type RecordedHostEvent, ROWS_PER_WRITE, writeHostEvents } from './write.ts';

const FLUSH_MS = 1_000;
/** Rows that wait for the store. */
export const HOST_EVENTS_WAITING_MAX = 4_096;
/**
 * If the time of ids is further ahead than this, the clock was set back: it is a millisecond for each
 * of the events that may happen at once.
 */
const AHEAD_MAX_MS = limits.hostEvents.all.burst;
/** Agents choose the names of their engines and versions. */
const TEXT_CHARS_MAX = 256;

type Parts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  random: Random;
  log: Log;
  /** The id of this router's incarnation. */
  router: () => string;
}>;

type Cell = { -readonly [Name in keyof RecordedHostEvent]: RecordedHostEvent[Name] };

export class HostEventRecorder implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #timer: Timer;
  readonly #ofAgent: PeerRates<AgentId>;
  #minute = 0;
  /** The rows of this minute, by what they count. */
  #cells = new Map<string, Cell>();
  /** The rows whose count is not in the store yet. */
  readonly #unwritten = new Set<Cell>();
  /** The time in the id of the last event. */
  #lastId = 0;
  #dropped = 0;
  #isAway = false;
  #writing: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ofAgent = new PeerRates(parts.clock, limits.hostEvents);
    this.#timer = parts.clock.every(FLUSH_MS, () => void this.#write());
  }

  /** How many rows wait for the store. */
  get size(): number {
    return this.#unwritten.size;
  }

  note({ agent, worker, action, detail, once }: HostEvent): void {
    const now = this.#parts.clock.now();
    this.#turnMinute(now);
    const key = JSON.stringify(once ? [agent, once] : [agent, worker, action, detail]);
    const known = this.#cells.get(key);
    if (known) {
      if (once === null) this.#count(known, now);
      return;
    }
    if (this.#unwritten.size >= HOST_EVENTS_WAITING_MAX || !this.#ofAgent.spend(agent)) {
      this.#dropped += 1;
      return;
    }
    const id = this.#nextId(now);
    const cell: Cell = {
      id,
      agent,
      worker: storable(worker),
      action,
      detail: storable(detail),
      mark: once === null ? id : markOf(once),
      router: this.#parts.router(),
      count: 0,
      created: now,
      last: now,
    };
    this.#cells.set(key, cell);
    this.#count(cell, now);
  }

  /**
   * Events are listed by their ids, which begin with a time. Of several events of one millisecond, each
   * gets a later time than the one before, so that they stay in the order in which they happened.
   */
  #nextId(now: number): HostEventId {
    const isAhead = this.#lastId >= now && this.#lastId - now < AHEAD_MAX_MS;
    const instant = isAhead ? this.#lastId + 1 : now;
    this.#lastId = instant;
    return mintId('hostEvent', { now: () => instant }, this.#parts.random);
  }

  /** Resolves when everything that waits is written, or the store has failed. */
  async written(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.written();
  }

  #count(cell: Cell, now: number): void {
    cell.count += 1;
    cell.last = now;
    this.#unwritten.add(cell);
  }

  #turnMinute(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#cells = new Map();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Writes what waits by now, in batches. What is counted up meanwhile waits for the next second. */
  async #writeAll(): Promise<void> {
    const waiting = [...this.#unwritten];
    for (let from = 0; from < waiting.length; from += ROWS_PER_WRITE) {
      if (!(await this.#writeBatch(waiting.slice(from, from + ROWS_PER_WRITE)))) break;
    }
    if (this.#dropped === 0) return;
    const fields = { events: this.#dropped };
    this.#dropped = 0;
    this.#parts.log.warn(
      fields,
      'events of agents were dropped: there are too many, or the store refuses them',
    );
  }

  /** Returns false if the store cannot be reached. */
  async #writeBatch(cells: readonly Cell[]): Promise<boolean> {
    const { store, log } = this.#parts;
    const rows = cells.map((cell) => ({ ...cell }));
    try {
      await store.call(writeHostEvents, rows);
      this.#isAway = false;
    } catch (error) {
      // Writing the same rows again does no harm, so it does not matter whether they were written.
      if (!this.#isAway) log.warn({ err: error }, 'failed to write events of agents');
      this.#isAway = true;
      if (error instanceof StoreUnavailable) return false;
      for (const cell of cells) this.#unwritten.delete(cell);
      this.#dropped += cells.length;
      return true;
    }
    for (const [i, cell] of cells.entries()) {
      if (cell.count === rows[i]?.count) this.#unwritten.delete(cell);
    }
    return true;
  }
}

/** The same on all routers: the run of the agent, and what happened in it. */
function markOf([run, ...rest]: readonly [string, ...string[]]): string {
  return rest.length === 0 ? digest([run]) : `${digest([run])}/${digest(rest)}`;
}

function digest(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}

/**
 * Without control characters, which PostgreSQL does not store all of, and without those that change
 * the direction of the text that follows them.
 */
function storable(text: string): string {
  const { length } = text;
  const short = length <= TEXT_CHARS_MAX ? text : `${text.slice(0, TEXT_CHARS_MAX - 1)}…`;
  return printed(short.toWellFormed(), '\u{FFFD}');
}
