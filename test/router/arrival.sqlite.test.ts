/** When a request arrived, if it had to wait for its turn to begin. */
import { get } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { endListener, listen } from '../../router/listen.ts';
import type { Arrival } from '../../router/request/call.ts';
import { RequestTurns } from '../../router/request-turns.ts';
import { systemClock } from '../../shared/clock.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Turns in which no request begins until the test says so. */
class HeldTurns extends RequestTurns {
  readonly taken = Promise.withResolvers<() => void>();

  override take(_connection: Duplex, begin: () => void): void {
    this.taken.resolve(begin);
  }
}

test('the time of a request counts from its arrival, with its wait for a turn', async () => {
  const clock = new ManualClock();
  const turns = new HeldTurns();
  let seen: Arrival | null = null;
  const listener = await listen(
    { host: '127.0.0.1', port: 0, region: 'eu' },
    {
      data: (_request, response, arrival) => {
        seen = arrival;
        response.end();
      },
      link: (_request, socket) => socket.destroy(),
      rest: (_request, response) => response.writeHead(500).end(),
    },
    { clock, random, draining: new AbortController().signal, turns },
  );
  const arrival = { region: 'eu', created: clock.now(), arrived: clock.monotonic() };
  const answered = new Promise((resolve) => get(`${listener.origin}/v1/models`, resolve));
  const begin = await turns.taken.promise;
  clock.advance(750);
  begin();
  await answered;
  expect(seen).toEqual(arrival);
  await endListener(listener, systemClock);
});
