/**
 * Plants each kind of damage directly in the database. `verify` must report exactly that damage.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStoreReadOnly } from '../../../router/store/open-store.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { Books } from '../ledger/books.ts';
import { LOG, REGISTRY } from '../ledger/rig.ts';
import { DAMAGE } from './damage.ts';

let books: Books;
beforeAll(async () => {
  books = await Books.make();
});
afterAll(() => books[Symbol.asyncDispose]());
beforeEach(() => books.restore());

test.each(DAMAGE)('verify names %s', async (_what, damage) => {
  const { done, said } = damage(books);
  await books.rig.sql(...done);
  const { differences } = await books.rig.verify();
  expect(differences).toEqual(said.map((sentence) => expect.stringMatching(sentence)));
});

test('verify counts what it looked at, and runs from another reader beside the router', async () => {
  const { rig } = books;
  const config = { url: rig.place.url, registry: REGISTRY };
  await using reader = await openStoreReadOnly(config, { clock: rig.clock, log: LOG });
  expect(await reader.call(verifyLedger, null)).toEqual({
    differences: [],
    checked: {
      organizations: 2n,
      accounts: 2n,
      holds: 1n,
      meters: 1n,
      transfers: 10n,
      usage: 2n,
      prices: 2n,
      rates: 1n,
      payment_events: 1n,
      payments: 1n,
      refunds: 0n,
      invoices: 0n,
      keys: 2n,
    },
  });
});

test('MONEY 19: the holds of a router that was declared dead are being swept, which is no difference', async () => {
  await books.rig.sql('UPDATE incarnations SET beat = -1');
  await books.rig.check();
});

test('MONEY 2: what the platform took or gave is no row but a sum, and not stopped by the end of 64 bits', async () => {
  const { rig } = books;
  expect(await rig.sql(`SELECT id FROM accounts WHERE id NOT LIKE 'org_%'`)).toEqual([]);
  // Each single credit is within the bound of an account. The account received three in all and
  // spent two between them.
  const amount = 4_000_000_000_000_000_000n;
  const rows = [1, 3, 5, 2, 4].map((seq) => {
    const [debit, credit] = ['platform:adjustments', 'customer:org_rich'];
    const [from, to] = seq % 2 === 1 ? [debit, credit] : [credit, debit];
    return `('t${seq}', 'org_rich', ${seq}, '${from}', '${to}', ${amount}, 'adjustment', '', NULL, 1)`;
  });
  await rig.sql(
    `INSERT INTO organizations (id, name, region, status, billing, created)
       VALUES ('org_rich', 'Rich', 'us', 'active', 'prepaid', 1)`,
    `INSERT INTO accounts (id, balance, transfer_seq) VALUES ('org_rich', ${amount}, 5)`,
    `INSERT INTO transfers VALUES ${rows.join(', ')}`,
  );
  await rig.check();
});

test('of one kind of damage verify names a hundred, and says that there is more', async () => {
  const rows = Array.from(
    { length: 150 },
    (_, n) => `('org_${n}', '', 'us', 'active', 'prepaid', 1)`,
  );
  await books.rig.sql(
    `INSERT INTO organizations (id, name, region, status, billing, created)
     VALUES ${rows.join(', ')}`,
  );
  const { differences } = await books.rig.verify();
  expect(differences).toHaveLength(101);
  expect(differences.at(-1)).toBe('… and more differences of this kind');
});
