/** Tests of the oracle itself: it passes correct books, and finds each kind of planted error. */
import { expect, test } from 'vitest';
import type { Call } from '../support/client-log.ts';
import type { Books, TransferRow, UsageRow } from './books.ts';
import { judge, type Rules } from './oracle.ts';

const ORGANIZATION = 'org_1';
const CREDIT = 1_000_000n;
const PRICE = { id: 'prc_1', model: 'lab/model', prompt: 10n, completion: 20n, cached: 1n };
const SHOWN = { prompt: 10, cached: 4, completion: 5 };
/** 6 uncached × 10 + 4 cached × 1 + 5 completion × 20. */
const COST = 164n;

function callOf(requestId: string | null, more: Partial<Call> = {}): Call {
  return {
    base: 'http://127.0.0.1:1/v1',
    key: 'sk',
    model: 'lab/model',
    api: 'chat',
    streamed: true,
    maxTokens: 20,
    bodyBytes: 90,
    sentAt: 0,
    requestId,
    status: 200,
    headersAt: 1,
    firstByteAt: 1,
    lastByteAt: 2,
    endedAt: 3,
    pieces: [],
    bytes: 100,
    events: 5,
    finish: 'stop',
    usage: SHOWN,
    done: true,
    code: null,
    ending: 'complete',
    ...more,
  };
}

const CUT = { ending: 'cut', done: false, finish: null, usage: null } as const;

function rowOf(request: string, seq: bigint, more: Partial<UsageRow> = {}): UsageRow {
  return {
    request,
    organization: ORGANIZATION,
    seq,
    model: 'lab/model',
    price: PRICE.id,
    prompt_tokens: 10n,
    cached_tokens: 4n,
    completion_tokens: 5n,
    status: 200n,
    error: null,
    finish_reason: 'stop',
    cost: COST,
    outcome: 'settled',
    ...more,
  };
}

function transferOf(id: string, seq: bigint, more: Partial<TransferRow>): TransferRow {
  return {
    id,
    organization: ORGANIZATION,
    seq,
    debit: `customer:${ORGANIZATION}`,
    credit: 'platform:revenue',
    amount: COST,
    kind: 'usage',
    reference: 'req_1',
    ...more,
  };
}

const WELCOME = transferOf('trf_0', 1n, {
  debit: 'platform:promotions',
  credit: `customer:${ORGANIZATION}`,
  amount: CREDIT,
  kind: 'welcome',
  reference: ORGANIZATION,
});
const CHARGE = transferOf('trf_1', 2n, {});

/** One answer that was charged, with its books. */
function books(more: Partial<Books> = {}): Books {
  return {
    accounts: [{ id: ORGANIZATION, balance: CREDIT - COST, held: 0n, reserve: 0n }],
    holds: [],
    transfers: [WELCOME, CHARGE],
    usage: [rowOf('req_1', 1n)],
    prices: [PRICE],
    ...more,
  };
}

function accountOf(balance: bigint, held = 0n): Books['accounts'] {
  return [{ id: ORGANIZATION, balance, held, reserve: 0n }];
}

function violations(calls: readonly Call[], of: Books, rules: Rules = { crashes: true }) {
  return judge(calls, of, rules).violations.join('\n');
}

test('an answer that was seen complete and charged once passes, as does one that was cut and is free', () => {
  const { counts, violations: found } = judge(
    [callOf('req_1'), callOf('req_2', CUT)],
    books({
      usage: [rowOf('req_1', 1n), rowOf('req_2', 2n, { outcome: 'voided', cost: 0n })],
    }),
    { crashes: false },
  );
  expect(found).toEqual([]);
  expect(counts).toMatchObject({ begun: 2, complete: 1, cut: 1, chargedIncomplete: 0, rows: 2 });
});

test('a complete answer without a charge is found, whether its row is missing or voided', () => {
  const free = { accounts: accountOf(CREDIT), transfers: [WELCOME] };
  expect(violations([callOf('req_1')], books({ ...free, usage: [] }))).toContain(
    'not in the books',
  );
  const voided = [rowOf('req_1', 1n, { outcome: 'voided', cost: 0n })];
  expect(violations([callOf('req_1')], books({ ...free, usage: voided }))).toContain('is voided');
});

test('a second charge is found', () => {
  const twice = [WELCOME, CHARGE, transferOf('trf_2', 3n, {})];
  const found = violations(
    [callOf('req_1')],
    books({ transfers: twice, accounts: accountOf(CREDIT - 2n * COST) }),
  );
  expect(found).toContain('req_1 has a second usage');
  expect(found).toContain(`is charged ${2n * COST}`);
});

test('a charge that is not the price of the usage shown is found', () => {
  const shown = { ...SHOWN, completion: 4 };
  expect(violations([callOf('req_1', { usage: shown })], books())).toContain('costs 144');
});

test('a charged answer that nobody saw complete is found, unless a router crashed', () => {
  for (const call of [callOf('req_1', CUT), callOf(null, { ending: 'unreached', status: null })]) {
    expect(violations([call], books(), { crashes: true })).toBe('');
    expect(violations([call], books(), { crashes: false })).toContain('req_1');
  }
});

test('a client that left, and an organization that was suspended, may have to pay', () => {
  const left = callOf('req_1', { ...CUT, ending: 'left' });
  expect(violations([left], books(), { crashes: false })).toBe('');
  const unnamed = callOf(null, { ...CUT, ending: 'left', status: null });
  expect(violations([unnamed], books(), { crashes: false })).toBe('');
  const stopped = new Set(['req_1']);
  expect(violations([callOf('req_1', CUT)], books(), { crashes: false, stopped })).toBe('');
});

test('an incomplete answer that is charged above its hold is found, even where a router crashed', () => {
  const much = 20_000n;
  const found = violations(
    [callOf('req_1', CUT)],
    books({
      transfers: [WELCOME, transferOf('trf_1', 2n, { amount: much })],
      accounts: accountOf(CREDIT - much),
      usage: [rowOf('req_1', 1n, { cost: much, completion_tokens: 995n })],
    }),
  );
  expect(found).toContain('above its hold');
});

test('a refused request that is charged is found', () => {
  const refused = callOf('req_1', { ...CUT, ending: 'refused', status: 402, code: 'x' });
  expect(violations([refused], books())).toContain('was refused (x) and is charged');
});

test('a charge that was taken back leaves a cut answer free, and only a cut one', () => {
  const back = transferOf('trf_1_reversal', 3n, {
    kind: 'reversal',
    debit: 'platform:revenue',
    credit: `customer:${ORGANIZATION}`,
  });
  const reversed = books({
    transfers: [WELCOME, CHARGE, back],
    accounts: accountOf(CREDIT),
    usage: [rowOf('req_1', 1n, { outcome: 'voided', cost: 0n })],
  });
  expect(violations([callOf('req_1', CUT)], reversed, { crashes: false })).toBe('');
  expect(violations([callOf('req_1')], reversed)).toContain('is voided');
});

test('a hold that is left, a balance that does not follow and a number that is missing are found', () => {
  const hold = { request: 'req_9', organization: ORGANIZATION, amount: 5n };
  const held = books({ holds: [hold], accounts: accountOf(CREDIT - COST, 5n) });
  expect(violations([callOf('req_1')], held)).toContain('1 holds are left');
  const wrongHeld = books({ accounts: accountOf(CREDIT - COST, 7n) });
  expect(violations([callOf('req_1')], wrongHeld)).toContain('holds sum to 0');
  const wrongBalance = books({ accounts: accountOf(CREDIT) });
  const found = violations([callOf('req_1')], wrongBalance);
  expect(found).toContain('its transfers come to');
  expect(found).toContain('debits come to');
  const gap = books({ transfers: [WELCOME, transferOf('trf_1', 3n, {})] });
  expect(violations([callOf('req_1')], gap)).toContain('there is no number 2');
});

test('a balance below zero, or below what is held of it, is found', () => {
  const welcome = { ...WELCOME, amount: 100n };
  const below = books({ transfers: [welcome, CHARGE], accounts: accountOf(100n - COST) });
  expect(violations([callOf('req_1')], below)).toContain('is below zero');
});
