/**
 * The ledger by day: exact against the transfers themselves, however many of them are folded, and
 * with a balance that runs on from day to day.
 */
import { expect, test } from 'vitest';
import {
  type ListedTransfer,
  listTransfersOf,
  type TransferPage,
} from '../../../router/control/credit/procedures.ts';
import { insertTransfer } from '../../../router/ledger/credit.ts';
import {
  creditPayment,
  dispute,
  refund,
  reverseDispute,
  reverseRefund,
} from '../../../router/ledger/payments.ts';
import {
  type DaysPage,
  type DaysQuery,
  type LedgerDay,
  listLedgerDays,
} from '../../../router/usage/ledger-days/days.ts';
import {
  foldLedgerSlice,
  prepareLedgerFold,
  writeLedgerFold,
} from '../../../router/usage/ledger-days/fold.ts';
import { ledgerFolds } from '../../../router/usage/ledger-days/fold-task.ts';
import type { Page } from '../../../router/usage/pages.ts';
import {
  listTransfers,
  type Transfer,
  type TransferFilter,
} from '../../../router/usage/transfers.ts';
import { TRANSFER_KINDS } from '../../../shared/api/credit.ts';
import { type KeyId, mintId, type OrganizationId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { DIALECT } from '../../support/store.ts';
import { rig, shareRig } from '../ledger/shared-rig.ts';

shareRig();

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST = Math.floor(Date.UTC(2026, 9, 20) / DAY_MS);
const DAYS = 40;
const CENT = 10_000_000_000n;

/** Instants of a day: its first and last millisecond, and one between. */
const INSTANTS = [0, 1, DAY_MS / 2 + 1, DAY_MS - 1];

const moved = (answer: unknown) => expect(answer).toHaveProperty('transfer');

async function adjust(organization: OrganizationId, change: bigint, created: number) {
  const id = mintId('transfer', rig.clock, rig.random);
  const wanted = { id, organization, change, reference: 'a test', reason: null, created };
  moved(await rig.store.call(insertTransfer, { ...wanted, kind: 'adjustment' }));
}

/** Moves credit as an event of a payment provider does. */
async function report(
  procedure: typeof creditPayment,
  organization: OrganizationId,
  cents: bigint,
  created: number,
) {
  const event = mintId('transfer', rig.clock, rig.random);
  const amount = picoUsd(cents * CENT + 1n);
  const about = { provider: 'test', event, organization, reference: event };
  moved(await rig.store.call(procedure, { ...about, amount, created }));
}

/** Refunds one cent, and takes the refund back at the second instant, if there is one. */
async function payBack(organization: OrganizationId, created: number, failed: number | null) {
  const id = mintId('transfer', rig.clock, rig.random);
  const about = { organization, reason: 'a test' };
  const amount = picoUsd(CENT);
  moved(await rig.store.call(refund, { ...about, id, amount, reference: 'a test', created }));
  if (failed === null) return;
  moved(await rig.store.call(reverseRefund, { ...about, refund: id, created: failed }));
}

/** Charges requests at these instants, some of which are reversed at the given later instant. */
async function spend(
  organization: OrganizationId,
  instants: readonly number[],
  reversed: number,
): Promise<void> {
  const price = rig.price.price;
  const usages = instants.map((now, index) => {
    const request = mintId('request', rig.clock, rig.random);
    const tokens = { prompt: 1 + (index % 7), completion: 3 };
    // Each organization has its own key, since the instants of the next one begin earlier again.
    const key = `key_${organization}` as KeyId;
    const usage = { ...rig.usage(organization, request, tokens), key, created: now - 1 };
    const cost = picoUsd(price.prompt * BigInt(tokens.prompt) + price.completion * 3n);
    return { usage, cost, now };
  });
  await rig.run(usages.map((one) => ({ kind: 'settle', ...one })));
  const cut = usages.filter((_, index) => index % 50 === 0);
  const voided = { finishReason: null, status: 503, error: 'store_unavailable' };
  await rig.run(
    cut.map(({ usage }) => ({ kind: 'void', usage: { ...usage, ...voided }, now: reversed })),
  );
}

/** Thousands of transfers of every kind, on both sides of many midnights, not in order of time. */
async function fill(days = DAYS): Promise<OrganizationId> {
  const organization = await rig.organization(5_000_000_000_000n);
  for (let day = FIRST; day < FIRST + days; day += 1 + (day % 3)) {
    const instants = INSTANTS.map((instant) => day * DAY_MS + instant);
    const [first = 0, , noon = 0, last = 0] = instants;
    await report(creditPayment, organization, 500n, first);
    await payBack(organization, last, day % 2 === 0 ? last + 1 : null);
    await adjust(organization, day % 2 === 0 ? 1n : -1n, noon);
    const charged = Array.from({ length: 120 }, (_, n) => instants[n % 4] as number);
    await spend(organization, charged, last + 1);
  }
  // They suspend the organization.
  await report(dispute, organization, 7n, FIRST * DAY_MS);
  await report(reverseDispute, organization, 7n, (FIRST + 4) * DAY_MS - 1);
  return organization;
}

/** Computes the ledger by day from the transfers themselves. */
async function naive(organization: OrganizationId): Promise<LedgerDay[]> {
  const columns: Record<string, 'payments' | 'credits' | 'refunds' | 'usage'> = {
    payment: 'payments',
    usage: 'usage',
    reversal: 'usage',
    welcome: 'credits',
    adjustment: 'credits',
  };
  const rows = await rig.sql(`SELECT * FROM transfers WHERE organization = '${organization}'`);
  const days = Map.groupBy(rows as Row[], ({ created }) => Number(created / BigInt(DAY_MS)));
  let balance = 0n;
  const all: LedgerDay[] = [];
  for (const [day, of] of [...days].toSorted(([a], [b]) => a - b)) {
    const sums = { payments: 0n, credits: 0n, refunds: 0n, usage: 0n };
    const opening = balance;
    for (const { kind, amount, credit } of of) {
      const change = credit.startsWith('customer:') ? amount : -amount;
      sums[columns[kind] ?? 'refunds'] += change;
      balance += change;
    }
    const charges = of.filter(({ kind }) => columns[kind] === 'usage').length;
    all.push({ day, opening, ...sums, closing: balance, transfers: of.length, charges });
  }
  return all.toReversed();
}

type Row = Readonly<{ kind: string; amount: bigint; credit: string; created: bigint }>;

async function pages(organization: OrganizationId, limit: number): Promise<LedgerDay[]> {
  const all: LedgerDay[] = [];
  for (let until: number | null = null; ; ) {
    const asked: DaysQuery = { organization, from: null, until, limit };
    const page: DaysPage | null = await rig.store.call(listLedgerDays, asked);
    if (!page) throw new Error('there is no such organization');
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    all.push(...page.rows);
    if (page.next === null) return all;
    until = Number(page.next);
  }
}

async function ofDay(organization: OrganizationId, day: number, cause?: 'usage' | 'other') {
  const all: Transfer[] = [];
  for (let before: bigint | null = null; ; ) {
    const asked: TransferFilter = { organization, day, cause, before, limit: 50 };
    const page: Page<Transfer> = await rig.store.call(listTransfers, asked);
    all.push(...page.rows);
    if (page.next === null) return all;
    before = page.next;
  }
}

test('every day has the sums of its transfers, and its balance runs on, whatever is folded', async () => {
  const organization = await fill();
  const expected = await naive(organization);
  expect(expected.reduce((all, { transfers }) => all + transfers, 0)).toBeGreaterThan(2_000);
  for (const transfers of [0, 1, 700, 333, 100_000]) {
    if (transfers > 0) {
      expect(await foldLedgerSlice(rig.store, { organization, transfers })).toBe('folded');
    }
    expect(await pages(organization, 366)).toEqual(expected);
    expect(await pages(organization, 3)).toEqual(expected);
    await rig.check();
  }
  expect(await foldLedgerSlice(rig.store, { organization })).toBe('nothing');

  // The newest day closes with the balance, also after a transfer that is not folded yet.
  await report(creditPayment, organization, 1n, (FIRST + DAYS) * DAY_MS);
  await adjust(organization, 5n, FIRST * DAY_MS);
  const [newest, ...rest] = await pages(organization, 10);
  expect(newest).toMatchObject({
    payments: CENT + 1n,
    closing: (await rig.balance(organization)).balance,
  });
  expect([newest, ...rest]).toEqual(await naive(organization));
  for (const [at, day] of rest.entries()) {
    expect(day.closing).toBe([newest, ...rest][at]?.opening);
  }
});

test('a span of days begins with the balance before it', async () => {
  const organization = await fill(25);
  await foldLedgerSlice(rig.store, { organization, transfers: 900 });
  const all = await naive(organization);
  const asked = { organization, from: FIRST + 5, until: FIRST + 20, limit: 366 };
  const page = await rig.store.call(listLedgerDays, asked);
  expect(page?.rows).toEqual(all.filter(({ day }) => day >= FIRST + 5 && day < FIRST + 20));
  expect(page?.next).toBeNull();
});

test('a day opens to its transfers, and to nothing else', async () => {
  const organization = await fill(15);
  for (const transfers of [0, 555, 100_000]) {
    if (transfers > 0) await foldLedgerSlice(rig.store, { organization, transfers });
    for (const { day, transfers: n, charges } of (await naive(organization)).slice(0, 6)) {
      const found = await ofDay(organization, day);
      expect(found).toHaveLength(n);
      expect(found.every(({ created }) => Math.floor(created / DAY_MS) === day)).toBe(true);
      const seqs = found.map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => Number(b - a)));
      expect(await ofDay(organization, day, 'usage')).toHaveLength(charges);
      expect(await ofDay(organization, day, 'other')).toHaveLength(n - charges);
    }
    expect(await ofDay(organization, FIRST - 100)).toEqual([]);
  }
});

/** Computes the balance after each transfer from the transfers themselves. */
async function balancesOf(organization: OrganizationId): Promise<Map<bigint, bigint>> {
  const rows = (await rig.sql(
    `SELECT * FROM transfers WHERE organization = '${organization}' ORDER BY seq`,
  )) as (Row & { seq: bigint })[];
  let balance = 0n;
  const balances = new Map<bigint, bigint>();
  for (const { seq, credit, amount } of rows) {
    balance += credit.startsWith('customer:') ? amount : -amount;
    balances.set(seq, balance);
  }
  return balances;
}

/** Lists all transfers of a filter, page after page, as the management API does. */
async function listed(filter: Omit<TransferFilter, 'before'>): Promise<ListedTransfer[]> {
  const all: ListedTransfer[] = [];
  for (let before: bigint | null = null; ; ) {
    const page: TransferPage | null = await rig.store.call(listTransfersOf, { ...filter, before });
    if (!page) throw new Error('there is no such organization');
    all.push(...page.rows);
    if (page.next === null) return all;
    before = page.next;
  }
}

const WITHOUT_CHARGES = TRANSFER_KINDS.filter((kind) => kind !== 'usage');

test('each transfer has the exact balance after it, and that of the end of its day, whatever is folded', async () => {
  const organization = await fill(12);
  const expected = await balancesOf(organization);
  const days = new Map((await naive(organization)).map(({ day, closing }) => [day, closing]));
  const filters = [{}, { kinds: WITHOUT_CHARGES }, { kinds: ['payment'] }, { kinds: ['reversal'] }];
  for (const transfers of [0, 300, 450, 100_000]) {
    if (transfers > 0) await foldLedgerSlice(rig.store, { organization, transfers });
    for (const filter of filters as Pick<TransferFilter, 'kinds'>[]) {
      for (const limit of [7, 1_000]) {
        const rows = await listed({ organization, limit, ...filter });
        expect(rows.length).toBeGreaterThan(3);
        expect(rows.map(({ balances }) => balances)).toEqual(
          rows.map(({ seq, created }) => ({
            after: expected.get(seq),
            closing: days.get(Math.floor(created / DAY_MS)),
          })),
        );
      }
    }
  }
});

test('transfers are listed by kind without a gap, of one day or of all', async () => {
  const organization = await fill(12);
  await foldLedgerSlice(rig.store, { organization });
  const all = await listed({ organization, limit: 1_000 });
  const numbers = (rows: readonly Transfer[]) => rows.map(({ seq }) => seq);
  for (const kinds of [
    WITHOUT_CHARGES,
    ['adjustment', 'refund'],
    ['usage', 'payment'],
    ['dispute'],
  ] as (typeof TRANSFER_KINDS)[number][][]) {
    const wanted = all.filter(({ kind }) => (kinds as string[]).includes(kind));
    for (const limit of [1, 10, 1_000]) {
      expect(numbers(await listed({ organization, limit, kinds }))).toEqual(numbers(wanted));
    }
    const ofThatDay = wanted.filter(({ created }) => Math.floor(created / DAY_MS) === FIRST + 4);
    const rows = await listed({ organization, limit: 5, kinds, day: FIRST + 4 });
    expect(numbers(rows)).toEqual(numbers(ofThatDay));
  }
});

test('on a day with more transfers than can be added up, one has the balance of the end of its day', async () => {
  const organization = await rig.organization(5_000_000_000_000n);
  const noon = FIRST * DAY_MS + DAY_MS / 2;
  const many = 120_000;
  const account = `customer:${organization}`;
  const [{ transfer_seq: first }] = (await rig.sql(
    `SELECT transfer_seq FROM accounts WHERE id = '${organization}'`,
  )) as [{ transfer_seq: bigint }];
  const numbers =
    DIALECT === 'sqlite'
      ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many}) SELECT i FROM n)`
      : `(SELECT generate_series(1, ${many}) AS i) AS numbers`;
  await rig.sql(
    `INSERT INTO transfers (id, organization, seq, debit, credit, amount, kind, reference, created)
     SELECT 'trf_many_' || i, '${organization}', ${first} + i, '${account}',
       'platform:adjustments', 1, 'adjustment', 'a test', ${noon} FROM ${numbers}`,
    `UPDATE transfers SET kind = 'welcome', debit = 'platform:promotions', credit = '${account}'
     WHERE organization = '${organization}' AND seq = ${first + BigInt(many) / 2n}`,
    `UPDATE accounts SET transfer_seq = ${first} + ${many}, balance = balance - ${many - 2}
     WHERE id = '${organization}'`,
  );
  const read = async (filter: Partial<TransferFilter>) => {
    const asked = { organization, before: null, limit: 1, ...filter };
    const page = await rig.store.call(listTransfersOf, asked);
    return page?.rows[0]?.balances;
  };
  const inTheMiddle = { kinds: ['welcome'] as const };
  expect(await read(inTheMiddle)).toEqual({ after: null, closing: null });

  await foldLedgerSlice(rig.store, { organization, transfers: many * 2 });
  const { balance } = await rig.balance(organization);
  expect(await read(inTheMiddle)).toEqual({ after: null, closing: balance });
  // Near either end of the day, few transfers have to be added up.
  const expected = await balancesOf(organization);
  for (const seq of [first + 2n, first + BigInt(many) - 2n]) {
    expect(await read({ before: seq + 1n })).toEqual({
      after: expected.get(seq),
      closing: balance,
    });
  }
});

test('two routers that fold the same transfers count them once', async () => {
  const organization = await rig.organization(900n);
  const asked = { organization, transfers: 10 };
  const [one, other] = [
    await rig.store.call(prepareLedgerFold, asked),
    await rig.store.call(prepareLedgerFold, asked),
  ];
  if (!one || !other) throw new Error('nothing was prepared');
  expect(await rig.store.call(writeLedgerFold, one)).toBe(true);
  expect(await rig.store.call(writeLedgerFold, other)).toBe(false);
  expect(await pages(organization, 10)).toEqual(await naive(organization));
});

async function foldedOf(organization: OrganizationId): Promise<bigint | undefined> {
  const [row] = (await rig.sql(
    `SELECT folded_seq FROM ledger_folds WHERE organization = '${organization}'`,
  )) as { folded_seq: bigint }[];
  return row?.folded_seq;
}

test('the scheduled task folds all transfers, and many new ones at once', async () => {
  const organization = await rig.organization(1_000n);
  const task = ledgerFolds(rig.parts);
  await task.run();
  expect(await foldedOf(organization)).toBe(2n);
  await adjust(organization, 1n, rig.clock.now());
  await task.run();
  // Few transfers wait for a later pass.
  expect(await foldedOf(organization)).toBe(2n);
  for (let n = 0; n < 1_000; n++) await adjust(organization, 1n, rig.clock.now());
  await task.run();
  expect(await foldedOf(organization)).toBe(1_003n);
});

test('an organization whose transfers are damaged does not keep the others waiting', async () => {
  const organizations = [await rig.organization(1_000n), await rig.organization(1_000n)];
  const [damaged, sound] = organizations.toSorted() as [OrganizationId, OrganizationId];
  const lost = `FROM transfers WHERE organization = '${damaged}' AND seq = 1`;
  await rig.sql(`CREATE TABLE lost_transfers AS SELECT * ${lost}`, `DELETE ${lost}`);
  await ledgerFolds(rig.parts).run();
  expect(await foldedOf(damaged)).toBeUndefined();
  expect(await foldedOf(sound)).toBe(2n);
  await rig.sql('INSERT INTO transfers SELECT * FROM lost_transfers', 'DROP TABLE lost_transfers');
});

test('an organization that does not exist has no ledger', async () => {
  const asked = { organization: 'org_none' as OrganizationId, from: null, until: null, limit: 1 };
  expect(await rig.store.call(listLedgerDays, asked)).toBeNull();
});
