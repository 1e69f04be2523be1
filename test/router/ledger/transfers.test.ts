/** Transfers are never changed after they are written, and are numbered. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { adjustCredit } from '../../../router/ledger/credit.ts';
import { listTransfers } from '../../../router/usage/transfers.ts';
import { creditPayment, dispute, refund, reverseRefund } from '../../../router/ledger/payments.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const ROUTER = resolve(import.meta.dirname, '../../../router');
const TOKENS = { prompt: 1, completion: 1 };

/** Every operation that moves money, one after the other. */
function steps(organization: OrganizationId): readonly (() => Promise<unknown>)[] {
  const { store, clock, random } = rig;
  const created = clock.now();
  const reference = 'pi_1';
  const told = (amount: bigint, event: string) => ({
    provider: 'stripe',
    event,
    organization,
    reference,
    created,
    amount: picoUsd(amount),
  });
  const refunded = mintId('transfer', clock, random);
  const request = mintId('request', clock, random);
  const adjust = (amount: bigint) =>
    adjustCredit(rig.parts, { organization, amount: picoUsd(amount), reason: 'x', reference });
  return [
    () => store.call(creditPayment, told(1_000n, `evt_1_${organization}`)),
    () => rig.settle(organization, request, TOKENS),
    () => rig.void(organization, request),
    () => adjust(70n),
    () => adjust(-50n),
    () => {
      const asked = { id: refunded, organization, reference, reason: 'asked', created };
      return store.call(refund, { ...asked, amount: picoUsd(20n) });
    },
    () => store.call(reverseRefund, { refund: refunded, organization, reason: 'no', created }),
    () => store.call(dispute, told(10n, `evt_2_${organization}`)),
  ];
}

const transfers = (organization: OrganizationId) =>
  rig.sql(`SELECT * FROM transfers WHERE organization = '${organization}' ORDER BY seq`);

test('MONEY 3: a transfer has two sides, an amount, a kind, a reference and the next number of its account', async () => {
  const organization = await rig.organization(1_000n);
  for (const step of steps(organization)) await step();
  const rows = (await transfers(organization)) as Record<string, unknown>[];
  expect(rows.map(({ kind }) => kind)).toEqual([
    'welcome',
    'adjustment',
    'payment',
    'usage',
    'reversal',
    'adjustment',
    'adjustment',
    'refund',
    'refund_reversal',
    'dispute',
  ]);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => BigInt(index + 1)));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const customer = `customer:${organization}`;
  let balance = 0n;
  for (const { debit, credit, amount, reference } of rows) {
    expect([debit, credit]).toContain(customer);
    expect([debit, credit]).toContainEqual(expect.stringMatching(/^platform:/));
    expect(amount).toBeGreaterThan(0n);
    expect(reference).not.toBe('');
    balance += credit === customer ? (amount as bigint) : -(amount as bigint);
  }
  expect(await rig.balance(organization)).toMatchObject({ balance });
});

test('MONEY 3: transfers are immutable: whatever is corrected, what was written stays, and a new one is added', async () => {
  const organization = await rig.organization(1_000n);
  let before = await transfers(organization);
  for (const step of steps(organization)) {
    await step();
    const after = await transfers(organization);
    expect(after.slice(0, -1)).toEqual(before);
    before = after;
  }
});

test('MONEY 3: no statement of the router changes or deletes a transfer', async () => {
  const entries = await readdir(ROUTER, { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name }) => name.endsWith('.ts'));
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  const touching =
    /(?:update|delete\s+from|truncate)\s+transfers|(?:updateTable|deleteFrom)\('transfers/i;
  expect(texts.join('\n')).toMatch(/INSERT INTO transfers|insertInto\('transfers'\)/);
  expect(texts.filter((text) => touching.test(text))).toEqual([]);
});

test('MONEY 3: lists go by the number, not by the time: a clock that is set back changes no order and hides nothing', async () => {
  const organization = await rig.organization(1_000n);
  const created = rig.clock.now();
  const adjust = (later: number, amount: bigint) =>
    rig.store.call(creditPayment, {
      provider: 'stripe',
      event: `${organization} ${later}`,
      organization,
      reference: 'x',
      amount: picoUsd(amount),
      created: created + later,
    });
  await adjust(9_000, 1n);
  await adjust(-9_000, 2n);
  await adjust(0, 3n);
  const seen: bigint[] = [];
  for (let before: bigint | null = null; ; ) {
    const page: Awaited<ReturnType<typeof listTransfers.run>> = await rig.store.call(
      listTransfers,
      { organization, before, limit: 2 },
    );
    seen.push(...page.rows.map(({ change }) => change));
    if (page.next === null) break;
    before = page.next;
  }
  expect(seen.slice(0, 3)).toEqual([3n, 2n, 1n]);
  expect(seen).toHaveLength(5);
});
