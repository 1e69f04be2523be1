import { beforeEach, describe, expect, test } from 'vitest';
import type { ReserveAnswer } from '../../../router/ledger/terms.ts';
import { CapReached } from '../../../router/request/cap-reached.ts';
import { type Entry, Entrance } from '../../../router/request/entrance.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { isRefusal, type Refusal } from '../../../shared/refusals.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const CAPPED = {
  of: 'member',
  window: 'day',
  resets: Date.UTC(2026, 10, 27),
  unspent: 0n,
  left: 0n,
} as const;
const LIMITED = {
  limited: 'requests',
  reached: { of: 'organization', most: 3 },
  retryAfterMs: 30_000,
  standings: { requests: { limit: 3, remaining: 0, resetMs: 40_000 }, tokens: null },
} as const;
const MIB = 1024 * 1024;
/** The client receives its answer as soon as it is written. */
const AT_ONCE = (answered: () => void) => answered();

function callerOf(name: string, atOnce: { organization?: number; key?: number } = {}) {
  const rates = (concurrentRequests: number | null = null) => ({
    ...UNLIMITED.key,
    concurrentRequests,
  });
  return {
    organization: `org_${name}` as OrganizationId,
    key: `key_${name}` as KeyId,
    suspended: false,
    limits: {
      organization: rates(atOnce.organization),
      key: rates(atOnce.key),
      monthlyCap: null,
      dailyCap: null,
    },
  };
}

function entered(answer: Entry | Refusal): Entry {
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
}

const codeOf = (answer: Entry | Refusal) => (isRefusal(answer) ? answer.code : null);

test.each(['organization', 'key'] as const)(
  'the requests at once of one %s count from before their bodies are read until they have ended',
  (whose) => {
    const entrance = new Entrance(new ManualClock());
    const caller = callerOf('a', { [whose]: 2 });
    const first = entered(entrance.enter(caller, 10, AT_ONCE));
    const second = entered(entrance.enter(caller, null, AT_ONCE));
    const name = whose === 'key' ? 'API key' : 'organization';
    expect(entrance.enter(caller, 10, AT_ONCE)).toMatchObject({
      code: 'rate_limited',
      retryAfterS: 1,
      message: `This ${name} is limited to 2 requests at once: wait for one to end, then retry.`,
    });
    expect(codeOf(entrance.enter(callerOf('b'), 10, AT_ONCE))).toBeNull();
    first.bodyRead();
    expect(codeOf(entrance.enter(caller, 10, AT_ONCE))).toBe('rate_limited');
    second[Symbol.dispose]();
    second[Symbol.dispose]();
    entered(entrance.enter(caller, 10, AT_ONCE));
    expect(codeOf(entrance.enter(caller, 10, AT_ONCE))).toBe('rate_limited');
  },
);

test('an answer that its client has not taken keeps its place, and not the memory of its body', () => {
  const entrance = new Entrance(new ManualClock());
  const caller = callerOf('a', { organization: 1 });
  const taken: (() => void)[] = [];
  const entry = entered(entrance.enter(caller, 10, (answered) => taken.push(answered)));
  entry.lease.take(MIB);
  entry[Symbol.dispose]();
  expect(entrance.bodyBytes).toBe(0);
  expect(codeOf(entrance.enter(caller, 10, AT_ONCE))).toBe('rate_limited');
  for (const answered of taken) answered();
  expect(codeOf(entrance.enter(caller, 10, AT_ONCE))).toBeNull();
});

test('a suspended organization is refused', () => {
  const entrance = new Entrance(new ManualClock());
  expect(codeOf(entrance.enter({ ...callerOf('a'), suspended: true }, 0, AT_ONCE))).toBe(
    'organization_suspended',
  );
});

test('a body that does not fit the memory for its organization, or for all, is refused by its length', () => {
  const entrance = new Entrance(new ManualClock());
  const { lease } = entered(entrance.enter(callerOf('a'), 1, AT_ONCE));
  expect(lease.take(limits.bodiesPerOrganizationBytesMax - MIB)).toBe(true);
  // Its own part is a limit of the organization. The service is not unavailable because of it.
  expect(codeOf(entrance.enter(callerOf('a'), 2 * MIB, AT_ONCE))).toBe('rate_limited');
  expect(codeOf(entrance.enter(callerOf('a'), MIB, AT_ONCE))).toBeNull();
  const others = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => {
    const other = entered(entrance.enter(callerOf(name), 1, AT_ONCE));
    while (other.lease.take(MIB));
    expect(other.lease.exceeded).toBe('peer');
    return other.lease;
  });
  // However much they hold, there is room for ordinary bodies of another organization.
  expect(codeOf(entrance.enter(callerOf('other'), MIB, AT_ONCE))).toBeNull();
  expect(codeOf(entrance.enter(callerOf('other'), limits.bodyBytesMax, AT_ONCE))).toBe(
    'overloaded',
  );
  for (const one of [lease, ...others]) one[Symbol.dispose]();
  expect(entrance.bodyBytes).toBe(0);
  expect(codeOf(entrance.enter(callerOf('other'), limits.bodyBytesMax, AT_ONCE))).toBeNull();
});

test('requests with log probabilities are bounded in number, for an organization and in all', () => {
  const entrance = new Entrance(new ManualClock());
  const { logprobsRequestsMax: all, logprobsRequestsPerOrganizationMax: each } = limits;
  const few = limits.logprobsRequestsWhenCrowdedMax;
  const begin = (name: string) => {
    const entry = entered(entrance.enter(callerOf(name), 1, AT_ONCE));
    entry.bodyRead();
    return { entry, refusal: entry.takeLogprobs() };
  };
  const fill = (name: string, count: number) =>
    Array.from({ length: count }, () => {
      const { entry, refusal } = begin(name);
      expect(refusal).toBeNull();
      return entry;
    });
  const [first] = fill('o0', each);
  expect(begin('o0').refusal).toMatchObject({ code: 'rate_limited' });
  fill('o1', all / 2 - each);
  // From here on half of all places are taken.
  for (let nth = 2; nth < 2 + all / 2 / few; nth++) {
    fill(`o${nth}`, few);
    if (nth === 2) expect(begin('o2').refusal).toMatchObject({ code: 'rate_limited' });
  }
  expect(begin('other').refusal).toMatchObject({ code: 'overloaded' });
  first?.[Symbol.dispose]();
  expect(begin('o0').refusal).toMatchObject({ code: 'rate_limited' });
  expect(begin('other').refusal).toBeNull();
});

test('bodies that are being read are bounded in number, for an organization and in all', () => {
  const entrance = new Entrance(new ManualClock());
  const { bodiesReadingMax: all, bodiesReadingPerOrganizationMax: each } = limits;
  const entries = Array.from({ length: all / each }, (_, nth) =>
    Array.from({ length: each }, () => entered(entrance.enter(callerOf(`o${nth}`), 1, AT_ONCE))),
  );
  expect(codeOf(entrance.enter(callerOf('other'), 1, AT_ONCE))).toBe('overloaded');
  entries[0]?.[0]?.bodyRead();
  const last = entered(entrance.enter(callerOf('other'), 1, AT_ONCE));
  last[Symbol.dispose]();
  entered(entrance.enter(callerOf('o0'), 1, AT_ONCE));
  expect(codeOf(entrance.enter(callerOf('o0'), 1, AT_ONCE))).toBe('rate_limited');
});

describe('a key whose requests lack credit', () => {
  const clock = new ManualClock();
  const { recent } = new Entrance(clock);
  const caller = callerOf('a');
  const known = (bytes: number) => recent.find(caller, bytes)?.code ?? null;
  const noteOften = (times: number, answer: ReserveAnswer, bytes = 100) => {
    for (let nth = 0; nth < times; nth++) recent.note(caller, answer, bytes);
  };
  beforeEach(() => recent.forget(null));

  test('is refused unread only in a flood: the next request may cost less', () => {
    noteOften(19, 'insufficient');
    expect(known(100)).toBeNull();
    noteOften(1, 'insufficient');
    expect(known(100)).toBe('insufficient_credit');
    expect(recent.find(callerOf('b'), 100)).toBeNull();
  });

  test('is refused unread for a moment, and for bodies as large as the largest', () => {
    noteOften(10, 'insufficient', 100);
    noteOften(10, 'insufficient', 90);
    expect([known(99), known(100), known(Infinity)]).toEqual([
      null,
      'insufficient_credit',
      'insufficient_credit',
    ]);
    clock.advance(249);
    expect(known(100)).toBe('insufficient_credit');
    clock.advance(1);
    expect(known(100)).toBeNull();
  });

  test('is refused unread in a flood of small bodies, although one before them was large', () => {
    noteOften(19, 'insufficient', 100);
    noteOften(1, 'insufficient', 1_000);
    clock.advance(125);
    noteOften(20, 'insufficient', 100);
    expect(known(100)).toBeNull();
    clock.advance(125);
    noteOften(20, 'insufficient', 100);
    expect(known(100)).toBe('insufficient_credit');
  });

  test('is not refused unread when its refusals are far apart', () => {
    noteOften(10, 'insufficient');
    clock.advance(250);
    noteOften(10, 'insufficient');
    expect(known(100)).toBeNull();
  });

  test.each([
    ['the limits of its organization change', () => recent.forget(caller.organization)],
    ['all that is known is out of date', () => recent.forget(null)],
    ['a hold of its organization ends', () => recent.released(caller.organization)],
  ])('is asked about again when %s', (_, forget) => {
    noteOften(20, { capped: CAPPED });
    expect(known(100)).toBe('key_limit_reached');
    forget();
    expect(known(100)).toBeNull();
  });
});

test.each([
  [
    'The daily cap of the member who created this key is reached. It is reset at 2026-11-27T00:00:00Z.',
    { unspent: 0n, left: 0n },
  ],
  [
    'This request may cost more than what is left of the daily cap of the member who created this key: USD 0.000000000005. Lower max_tokens or raise the cap, which is reset at 2026-11-27T00:00:00Z.',
    { unspent: 5n, left: 5n },
  ],
  [
    'This request may cost more than what is left of the daily cap of the member who created this key: USD 0, because running requests hold USD 0.000000000007. Lower max_tokens or raise the cap, which is reset at 2026-11-27T00:00:00Z.',
    { unspent: 5n, left: -2n },
  ],
])('a refusal for a cap says: %s', (message, room) => {
  expect(new CapReached({ ...CAPPED, ...room }).message).toBe(message);
});

test('too many requests a minute are remembered until the ledger would take one again', () => {
  const clock = new ManualClock();
  const { recent } = new Entrance(clock);
  const caller = callerOf('a');
  recent.note(caller, LIMITED, 1_000);
  clock.advance(10_000);
  recent.released(caller.organization);
  expect(recent.find(caller, 1)).toMatchObject({
    code: 'rate_limited',
    message: 'This organization is limited to 3 requests per minute: slow down, then retry.',
    retryAfterMs: 20_000,
    standings: { requests: { limit: 3, remaining: 0, resetMs: 30_000 }, tokens: null },
  });
  clock.advance(20_000);
  expect(recent.find(caller, 1)).toBeNull();
});

test('of tokens and of requests at once nothing is remembered: the next may fit', () => {
  const { recent } = new Entrance(new ManualClock());
  const caller = callerOf('a');
  for (const limited of ['tokens', 'concurrency'] as const) {
    const standings = { requests: null, tokens: null };
    const reached = { of: 'key', most: 1 } as const;
    recent.note(caller, { limited, reached, retryAfterMs: 30_000, standings }, 1);
    expect(recent.find(caller, 1_000)).toBeNull();
  }
});

test('what is remembered is bounded: the oldest is forgotten', () => {
  const { recent } = new Entrance(new ManualClock());
  for (let nth = 0; nth <= 10_000; nth++) {
    recent.note(callerOf(String(nth)), LIMITED, 1);
  }
  expect(recent.find(callerOf('0'), 1)).toBeNull();
  expect(recent.find(callerOf('1'), 1)).not.toBeNull();
});
