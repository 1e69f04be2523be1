/**
 * Since when the faults hold that alarms are about. The history of the fleet tells it, so that a
 * restart of a router does not change it. It is read once for each fault, when this router notices it.
 */
import type { Clock } from '../../../shared/clock.ts';
import { readFaultStarts } from '../../history/fault-starts.ts';
import type { Fault } from '../../history/faults.ts';
import { within } from '../../store/deadline.ts';
import type { Store } from '../../store/store.ts';

/** The other alarms do not wait longer for it. */
const MS_MAX = 1_000;

/** The most faults that are looked up at once. */
const FAULTS_MAX = 64;

/** In ms since the epoch; null: it is not known. */
export type StartOf = (fault: Fault) => number | null;

export class FaultStarts {
  readonly #store: Pick<Store, 'call'>;
  readonly #clock: Clock;
  #known: ReadonlyMap<string, number> = new Map();

  constructor({ store, clock }: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Call it with all faults of now: what is not among them has ended. */
  async of(faults: readonly Fault[]): Promise<StartOf> {
    const added = faults.filter((fault) => !this.#known.has(keyOf(fault))).slice(0, FAULTS_MAX);
    const found = new Map([...this.#known, ...(await this.#read(added))]);
    const present = faults.flatMap((fault) => {
      const start = found.get(keyOf(fault));
      return start === undefined ? [] : [[keyOf(fault), start] as const];
    });
    this.#known = new Map(present);
    const known = this.#known;
    return (fault) => known.get(keyOf(fault)) ?? null;
  }

  /** A fault that is not recorded yet has begun just now. */
  async #read(faults: readonly Fault[]): Promise<readonly (readonly [string, number])[]> {
    if (faults.length === 0) return [];
    const now = this.#clock.now();
    const reading = this.#store.call(readFaultStarts, { faults, now });
    try {
      const starts = await within(this.#clock, MS_MAX, 'the starts of faults', reading);
      return faults.map((fault, nth) => [keyOf(fault), starts[nth] ?? now] as const);
    } catch {
      // It is read again for the next answer. A read that fails is logged by the pages that read more.
      return [];
    }
  }
}

function keyOf(fault: Fault): string {
  return JSON.stringify(
    fault.kind === 'unready'
      ? [fault.kind, fault.agent, fault.worker]
      : [fault.kind, fault.model, fault.region],
  );
}
