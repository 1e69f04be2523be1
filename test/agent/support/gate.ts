/** Waiting for what will happen, without a clock: conditions are looked at again whenever something happens. */

type Waiter = { holds: () => boolean; resolve: () => void };

export class Gate {
  #waiters: Waiter[] = [];

  /** Something happened. */
  stir(): void {
    const ready = this.#waiters.filter((waiter) => waiter.holds());
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }

  /** Resolves once `holds` does. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ holds, resolve }));
  }
}

/** Lets the event loop turn, so that what is under way on real sockets can happen. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Lets what was written to a socket of this process be read at its other end: on loopback it is there at
 * once, and a few turns take it in.
 */
export async function delivered(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

/** Turns the event loop until `holds`; for what nobody reports. */
export async function turnUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** Turns until `progress` has stood still for `turns` turns. */
export async function standstill(progress: () => number, turns = 300): Promise<void> {
  for (let still = 0, last = progress(); still < turns; still++) {
    await turn();
    if (progress() === last) continue;
    last = progress();
    still = 0;
  }
}
