/**
 * The live view of `penstock top`: reads the fleet every second and shows rates over the last ten
 * readings, until a key or a signal ends it.
 */
import { render } from 'ink';
import { createElement } from 'react';
import { type Clock, sleep } from '../../shared/clock.ts';
import type { Client } from '../admin/client.ts';
import { describe } from '../faults.ts';
import { printable } from '../printable.ts';
import { type Reading, readFleet, rowsOf } from './reading.ts';
import { type Keys, Screen, type State } from './screen.ts';
import { ORDERS } from './table.ts';

const EVERY_MS = 1_000;
const ANSWER_MS_MAX = 5_000;
/** Rates are taken over this many readings. */
const READINGS_KEPT = 10;

export async function runLive(
  parts: Readonly<{ client: Client; clock: Clock; origin: string; signal: AbortSignal }>,
): Promise<void> {
  const { client, clock, origin, signal } = parts;
  // Read before the screen is taken over, so that an error is printed as by any other command.
  const readings: Reading[] = [await readFleet(client, clock)];
  let state: State = { origin, rows: rowsNow(readings), order: 'name', fault: null };
  const left = new AbortController();
  const ended = AbortSignal.any([signal, left.signal]);

  const show = (change: Partial<State>) => {
    state = { ...state, ...change };
    app.rerender(createElement(Screen, { state, keys }));
  };
  const keys: Keys = {
    quit: () => left.abort(),
    sort: () => {
      const next = (ORDERS.indexOf(state.order) + 1) % ORDERS.length;
      show({ order: ORDERS[next] ?? 'name' });
    },
  };
  const app = render(createElement(Screen, { state, keys }), {
    alternateScreen: true,
    interactive: true,
  });
  // Handles Ctrl-C, which ink intercepts while it has the keyboard.
  void app.waitUntilExit().then(() => left.abort());
  try {
    for (;;) {
      await sleep(clock, EVERY_MS, ended);
      if (ended.aborted) return;
      try {
        readings.push(await readInTime(client, clock, ended));
        if (readings.length > READINGS_KEPT) readings.shift();
        show({ rows: rowsNow(readings), fault: null });
      } catch (error) {
        show({ fault: printable(describe(error)) });
      }
    }
  } finally {
    app.unmount();
    await app.waitUntilExit();
  }
}

/** Reads the fleet with a timeout: a router that does not answer must not block the keys. */
async function readInTime(client: Client, clock: Clock, ended: AbortSignal): Promise<Reading> {
  const late = new AbortController();
  const timer = clock.after(ANSWER_MS_MAX, () => {
    late.abort(new Error(`the router did not answer within ${ANSWER_MS_MAX / 1000} seconds`));
  });
  try {
    return await readFleet(client.until(AbortSignal.any([ended, late.signal])), clock);
  } finally {
    timer.cancel();
  }
}

function rowsNow(readings: readonly Reading[]) {
  const now = readings.at(-1) as Reading;
  return rowsOf(readings[0] as Reading, now, 'before');
}
