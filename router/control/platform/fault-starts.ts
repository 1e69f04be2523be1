/**
 * Since when the faults hold that alarms are about. The history of the fleet tells it, so that a
 * restart of a router does not change it. It is read once for each fault, when this router notices it.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Fault } from '../../history/faults.ts';
import { within } from '../../store/deadline.ts';

/** The alarms do not wait longer for it. */
const MS_MAX = 1_000;
/** The most faults that are read at once. Further ones are read after them. */
const FAULTS_MAX = 64;

/** In ms since the epoch; null: it is not known. */
export type StartOf = (fault: Fault) => number | null;

type Parts = Readonly<{
  clock: Clock;
  log: Log;
  /** The start of each fault; null: nothing is recorded of it. */
  read: (faults: readonly Fault[], now: number) => Promise<readonly (number | null)[]>;
}>;

/** One read, which goes on if the alarms no longer wait for it. */
type Reading = Readonly<{
  /** The faults that have not ended meanwhile. */
  present: Set<string>;
  done: Promise<void>;
}>;

export class FaultStarts {
  readonly #parts: Parts;
  readonly #known = new Map<string, number>();
  #reading: Reading | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Call it with all faults of now: what is not among them has ended. */
  async of(faults: readonly Fault[]): Promise<StartOf> {
    const now = new Set(faults.map(keyOf));
    for (const key of this.#known.keys()) if (!now.has(key)) this.#known.delete(key);
    for (const key of this.#reading?.present ?? []) {
      if (!now.has(key)) this.#reading?.present.delete(key);
    }
    const added = faults.filter((fault) => !this.#known.has(keyOf(fault))).slice(0, FAULTS_MAX);
    if (added.length > 0) {
      this.#reading ??= this.#read(added);
      // The next answer has what is read later.
      await within(this.#parts.clock, MS_MAX, 'the starts of faults', this.#reading.done).catch(
        () => undefined,
      );
    }
    return (fault) => this.#known.get(keyOf(fault)) ?? null;
  }

  #read(faults: readonly Fault[]): Reading {
    const present = new Set(faults.map(keyOf));
    return { present, done: this.#keep(faults, present) };
  }

  async #keep(faults: readonly Fault[], present: ReadonlySet<string>): Promise<void> {
    const { clock, log, read } = this.#parts;
    const now = clock.now();
    try {
      const starts = await read(faults, now);
      for (const [nth, fault] of faults.entries()) {
        const key = keyOf(fault);
        // A fault of which nothing is recorded yet has begun just now.
        if (present.has(key)) this.#known.set(key, starts[nth] ?? now);
      }
    } catch (error) {
      log.warn({ err: error }, 'the starts of faults could not be read');
    } finally {
      this.#reading = null;
    }
  }
}

function keyOf(fault: Fault): string {
  return JSON.stringify(
    fault.kind === 'unready' ? [fault.kind, fault.name] : [fault.kind, fault.model, fault.region],
  );
}
