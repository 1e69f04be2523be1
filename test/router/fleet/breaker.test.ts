/** When a worker stops receiving requests, and how it comes back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Breaker, type BreakerState } from '../../../router/fleet/breaker.ts';

const [ONE, OTHER] = ['org_one', 'org_other'] as const;

/**
 * Three failures in a row, of requests of two organizations. Each failed attempt began after the
 * failure before it. Returns the time of the last failure.
 */
function open(breaker: Breaker, from = 0): number {
  for (const [index, organization] of [ONE, OTHER, ONE].entries()) {
    const at = from + 10 * (index + 1);
    breaker.failed(organization, at - 5, at);
  }
  return from + 30;
}

function opened(): { breaker: Breaker; now: number } {
  const breaker = new Breaker();
  return { breaker, now: open(breaker) };
}

test('three failures in a row open it, and nothing is left of its slots', () => {
  const breaker = new Breaker();
  breaker.failed(ONE, 5, 10);
  breaker.failed(ONE, 15, 20);
  expect(breaker).toMatchObject({ state: 'closed', share: 1 });
  breaker.failed(OTHER, 25, 30);
  expect(breaker).toMatchObject({ state: 'open', share: 0 });
});

test('a process that dies under two hundred streams has failed once', () => {
  const breaker = new Breaker();
  for (let stream = 0; stream < 200; stream++)
    breaker.failed(stream % 2 ? ONE : OTHER, stream, 1_000 + stream / 100);
  expect(breaker.state).toBe('closed');
  breaker.failed(ONE, 1_003, 1_010);
  expect(breaker.state).toBe('closed');
  breaker.failed(OTHER, 1_011, 1_020);
  expect(breaker.state).toBe('open');
});

test('a success ends the row, and so does a minute without a failure', () => {
  const breaker = new Breaker();
  breaker.failed(ONE, 5, 10);
  breaker.failed(OTHER, 15, 20);
  breaker.succeeded(1);
  breaker.failed(ONE, 25, 30);
  breaker.failed(OTHER, 35, 40);
  expect(breaker.state).toBe('closed');
  breaker.failed(ONE, 60_039, 60_041);
  expect(breaker.state).toBe('closed');
  breaker.failed(OTHER, 60_042, 60_043);
  expect(breaker.state).toBe('closed');
});

test("a failure that was the request's own is taken back", () => {
  const breaker = new Breaker();
  for (let round = 0; round < 50; round++) {
    const whose = round % 2 ? ONE : OTHER;
    expect(breaker.failed(whose, round * 10 + 5, round * 10 + 10)).toBe(true);
    breaker.retract(whose);
  }
  expect(breaker.state).toBe('closed');
  open(breaker, 1_000);
  expect(breaker.state).toBe('open');
});

test("what is taken back is the organization's own failure, not one that came after it", () => {
  const breaker = new Breaker();
  breaker.failed(ONE, 5, 10);
  breaker.failed(OTHER, 15, 20);
  breaker.retract(ONE);
  breaker.failed(OTHER, 25, 30);
  breaker.failed(OTHER, 35, 40);
  // All failures are of one organization, so only a failed probe opens the breaker.
  expect(breaker.state).toBe('closed');
  expect(breaker.isDue(41)).toBe(true);
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
    breaker.probed('failed', now);
  }
  expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('a worker that is ready anew is probed at once', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed('failed', now);
  expect(breaker.isDue(now)).toBe(false);
  breaker.revived();
  expect(breaker.isDue(now)).toBe(true);
});

test('a worker that generates comes back by halves, one success each', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed('generated', now + 100);
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
  breaker.probed('generated', now + 100);
  breaker.failed(ONE, now - 1, now + 110);
  breaker.succeeded(now - 1);
  expect(breaker).toMatchObject({ state: 'returning', share: 1 / 8 });
});

test('failures of two organizations open a worker that comes back again, and the pause goes on growing', () => {
  const { breaker, now } = opened();
  breaker.probing();
  breaker.probed('generated', now + 100);
  breaker.failed(ONE, now + 105, now + 110);
  expect(breaker).toMatchObject({ state: 'returning', share: 1 / 8 });
  breaker.failed(OTHER, now + 111, now + 120);
  expect(breaker).toMatchObject({ state: 'open', share: 0 });
  expect(breaker.isDue(now + 1_119)).toBe(false);
  expect(breaker.isDue(now + 1_120)).toBe(true);
});

test('what only one organization sees fail opens nothing: a probe is wanted, and the worker serves on', () => {
  const breaker = new Breaker();
  for (let at = 10; at <= 1_000; at += 10) breaker.failed(ONE, at - 5, at);
  expect(breaker).toMatchObject({ state: 'closed', share: 1 });
  expect(breaker.isDue(1_000)).toBe(true);
  breaker.probing();
  expect(breaker.isDue(1_000)).toBe(false);
  breaker.probed('generated', 1_050);
  expect(breaker).toMatchObject({ state: 'closed', share: 1 });
  // The row of failures starts anew. The worker is not probed again at once, however fast such
  // requests come.
  for (let at = 1_060; at <= 1_090; at += 10) breaker.failed(ONE, at - 5, at);
  expect(breaker.isDue(2_049)).toBe(false);
  expect(breaker.isDue(2_050)).toBe(true);
});

test('a probe that fails opens it, whoever saw it fail before', () => {
  const breaker = new Breaker();
  for (const at of [10, 20, 30]) breaker.failed(ONE, at - 5, at);
  breaker.probing();
  breaker.probed('failed', 100);
  expect(breaker).toMatchObject({ state: 'open', share: 0 });
});

test('a probe that a full worker did not take says nothing: it is asked again', () => {
  const breaker = new Breaker();
  for (const at of [10, 20, 30]) breaker.failed(ONE, at - 5, at);
  breaker.probing();
  breaker.probed('unknown', 100);
  expect(breaker.state).toBe('closed');
  expect(breaker.isDue(1_099)).toBe(false);
  expect(breaker.isDue(1_100)).toBe(true);
  const { breaker: left, now } = opened();
  left.probing();
  left.probed('unknown', now);
  expect(left.state).toBe('open');
  expect(left.isDue(now + 1_000)).toBe(true);
});

test('failures of others while a probe runs open it, and the late probe changes nothing', () => {
  const breaker = new Breaker();
  for (const at of [10, 20, 30]) breaker.failed(ONE, at - 5, at);
  breaker.probing();
  breaker.failed(OTHER, 35, 40);
  expect(breaker.state).toBe('open');
  breaker.probed('generated', 50);
  expect(breaker.state).toBe('open');
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
        if (kind === 'fail') breaker.failed(flag ? ONE : OTHER, now - 1, now);
        if (kind === 'old failure') breaker.failed(ONE, now - 500, now);
        if (kind === 'succeed') breaker.succeeded(flag ? now - 1 : 0);
        if (kind === 'retract') breaker.retract(flag ? ONE : OTHER);
        if (kind === 'wait') now += 40_000;
        if (kind === 'probe') {
          if (breaker.isDue(now)) breaker.probing();
          else breaker.probed(flag ? 'generated' : 'failed', now);
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
