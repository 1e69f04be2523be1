/** Waits for conditions without a clock: they are checked again whenever something happens. */

type Waiter = { holds: () => boolean; resolve: () => void };

export class Gate {
  #waiters: Waiter[] = [];

  /** Reports that something happened, so that conditions are checked again. */
  stir(): void {
    const ready = this.#waiters.filter((waiter) => waiter.holds());
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }

  /** Resolves when `holds` is true. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ holds, resolve }));
  }
}

/** Lets the event loop turn once, so that real sockets make progress. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Lets data that was written to a socket of this process arrive at its other end: on loopback it is
 * there at once, and is read within a few turns.
 */
export async function delivered(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

/** Turns the event loop until `holds` is true, for changes that nothing reports. */
export async function turnUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** Turns the event loop until `progress` has not changed for `turns` turns. */
export async function standstill(progress: () => number, turns = 300): Promise<void> {
  for (let still = 0, last = progress(); still < turns; still++) {
    await turn();
    if (progress() === last) continue;
    last = progress();
    still = 0;
  }
}
