/** When a worker gets no more requests, and how it comes back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Breaker, type BreakerState } from '../../../router/fleet/breaker.ts';

/** Three failures in a row, each of an attempt that began after the one before; answers the time. */
function open(breaker: Breaker, from = 0): number {
  for (const at of [from + 10, from + 20, from + 30]) breaker.failed(at - 5, at);
  return from + 30;
}

function opened(): { breaker: Breaker; now: number } {
  const breaker = new Breaker();
  return { breaker, now: open(breaker) };
}

test('three failures in a row open it, and nothing is left of its slots', () => {
  const breaker = new Breaker();
  breaker.failed(5, 10);
  breaker.failed(15, 20);
  expect(breaker).toMatchObject({ state: 'closed', share: 1 });
  breaker.failed(25, 30);
  expect(breaker).toMatchObject({ state: 'open', share: 0 });
});

test('a process that dies under two hundred streams has failed once', () => {
  const breaker = new Breaker();
  for (let stream = 0; stream < 200; stream++) breaker.failed(stream, 1_000 + stream / 100);
  expect(breaker.state).toBe('closed');
  breaker.failed(1_003, 1_010);
  expect(breaker.state).toBe('closed');
  breaker.failed(1_011, 1_020);
  expect(breaker.state).toBe('open');
});

test('a success ends the row, and so does a minute without a failure', () => {
  const breaker = new Breaker();
  breaker.failed(5, 10);
  breaker.failed(15, 20);
  breaker.succeeded(1);
  breaker.failed(25, 30);
  breaker.failed(35, 40);
  expect(breaker.state).toBe('closed');
  breaker.failed(60_039, 60_041);
  expect(breaker.state).toBe('closed');
  breaker.failed(60_042, 60_043);
  expect(breaker.state).toBe('closed');
});

test("a failure that was the request's own is taken back", () => {
  const breaker = new Breaker();
  for (let round = 0; round < 50; round++) {
    expect(breaker.failed(round * 10 + 5, round * 10 + 10)).toBe(true);
    breaker.retract();
  }
  expect(breaker.state).toBe('closed');
  open(breaker, 1_000);
  expect(breaker.state).toBe('open');
});

test('the first probe comes at once, and the pause before each further one doubles up to half a minute', () => {
  const { breaker, now: start } = opened();
  const pauses: number[] = [];
  for (let probe = 0, now = start; probe < 9; probe++) {
    let pause = 0;
    while (!breaker.isDue(now + pause)) pause += 500;
    pauses.push(pause);
    now += pause;
    breaker.probing();
    expect(breaker.isDue(now)).toBe(false);
    breaker.probed(false, now);
  }
  expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('a worker that is ready anew is probed at once', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed(false, now);
  expect(breaker.isDue(now)).toBe(false);
  breaker.revived();
  expect(breaker.isDue(now)).toBe(true);
});

test('a worker that generates comes back by halves, one success each', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed(true, now + 100);
  const shares = [breaker.share];
  while (breaker.state === 'returning') {
    breaker.succeeded(now + 200);
    shares.push(breaker.share);
  }
  expect(shares).toEqual([1 / 8, 1 / 4, 1 / 2, 1]);
  expect(breaker.state).toBe('closed');
});

test('what began before it opened neither opens it again nor brings it back', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed(true, now + 100);
  breaker.failed(now - 1, now + 110);
  breaker.succeeded(now - 1);
  expect(breaker).toMatchObject({ state: 'returning', share: 1 / 8 });
});

test('one failure of a worker that comes back opens it again, and the pause goes on growing', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed(true, now + 100);
  breaker.failed(now + 110, now + 120);
  expect(breaker).toMatchObject({ state: 'open', share: 0 });
  expect(breaker.isDue(now + 1_119)).toBe(false);
  expect(breaker.isDue(now + 1_120)).toBe(true);
});

test('whatever happens, states follow the table, and a share is 0 exactly while nothing may be given', () => {
  const event = fc.constantFrom('fail', 'old failure', 'succeed', 'retract', 'probe', 'wait');
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.boolean()), { maxLength: 200 }), (events) => {
      let state = 'closed' as BreakerState;
      const turns: string[] = [];
      const breaker = new Breaker((to) => {
        turns.push(`${state} ${to}`);
        state = to;
      });
      let now = 0;
      for (const [kind, flag] of events) {
        now += 10;
        if (kind === 'fail') breaker.failed(now - 1, now);
        if (kind === 'old failure') breaker.failed(now - 500, now);
        if (kind === 'succeed') breaker.succeeded(flag ? now - 1 : 0);
        if (kind === 'retract') breaker.retract();
        if (kind === 'wait') now += 40_000;
        if (kind === 'probe') {
          if (breaker.isDue(now)) breaker.probing();
          else if (breaker.state === 'probing') breaker.probed(flag, now);
        }
        expect(breaker.state).toBe(state);
        expect(breaker.share === 0).toBe(state === 'open' || state === 'probing');
        expect(breaker.share === 1).toBe(state === 'closed');
      }
      const allowed =
        /^(?:closed open|open probing|probing (?:open|returning)|returning (?:open|closed))$/;
      expect(turns.filter((turn) => !allowed.test(turn))).toEqual([]);
    }),
  );
});
