/**
 * Upgrades a store from before billing periods ("stretches") were recorded. They are derived from
 * its invoices, and nothing is lost.
 */
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { up as foundation } from '../../../router/store/migrations/0001-foundation.ts';
import { up as limits } from '../../../router/store/migrations/0002-limits.ts';
import { up as controlPlane } from '../../../router/store/migrations/0003-control-plane.ts';
import { up as organizations } from '../../../router/store/migrations/0004-organizations.ts';
import { up as payments } from '../../../router/store/migrations/0005-payments.ts';
import { up as invoices } from '../../../router/store/migrations/0006-invoices.ts';
import { up as stretches } from '../../../router/store/migrations/0011-stretches.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';
import { onDatabase } from './on-database.ts';

const BEFORE = {
  '0001-foundation': { up: foundation },
  '0002-limits': { up: limits },
  '0003-control-plane': { up: controlPlane },
  '0004-organizations': { up: organizations },
  '0005-payments': { up: payments },
  '0006-invoices': { up: invoices },
};

function migrateTo(place: StorePlace, migrations: typeof BEFORE): Promise<void> {
  return onDatabase(place, async (db) => {
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error !== undefined) throw error;
  });
}

type Span = readonly [organization: string, from: number, to: number, more?: string];

test('stretches are found from the invoices that follow one another', async () => {
  await using place = await makeStorePlace('empty');
  await migrateTo(place, BEFORE);
  const billing = { on: 'invoiced', twice: 'invoiced', new: 'invoiced', off: 'prepaid' };
  for (const [id, is] of Object.entries(billing)) {
    const seq = { on: 9, twice: 12, new: 3, off: 4 }[id];
    await place.sql(
      `INSERT INTO organizations (id, name, region, status, billing, created)
       VALUES ('${id}', '', 'us', 'active', '${is}', 1)`,
      `INSERT INTO accounts (id, transfer_seq) VALUES ('${id}', 20)`,
      `INSERT INTO invoicing VALUES ('${id}', 30, ${seq}, 0, 24310)`,
    );
  }
  const spans: readonly Span[] = [
    ['on', 2, 5],
    ['on', 6, 9],
    ['twice', 2, 5],
    ['twice', 8, 12],
    ['off', 2, 4],
  ];
  for (const [index, [organization, from, to]] of spans.entries()) {
    const number = index + 1;
    // The first invoice was voided when there was one more.
    const [status, ended] = number === 1 ? ['void', '25'] : ['open', 'NULL'];
    await place.sql(
      `INSERT INTO invoices VALUES ('ivc_${number}', ${number}, '${organization}', '', ${24_300 + number},
         ${from}, ${to}, 7, 0, 7, 30, 1, '${status}', NULL, NULL, ${number * 10}, ${ended})`,
      `INSERT INTO invoice_lines VALUES ('ivc_${number}', 1, 'usage', NULL, NULL, 1, 2, 3, 4, 7)`,
    );
  }
  const [before, lines] = [
    await place.sql('SELECT * FROM invoices ORDER BY id'),
    await place.sql('SELECT * FROM invoice_lines ORDER BY invoice'),
  ];
  const after = { ...BEFORE, '0011-stretches': { up: stretches } };
  await migrateTo(place, after);
  expect(
    await place.sql('SELECT * FROM invoicing_stretches ORDER BY organization, from_seq'),
  ).toEqual([
    { organization: 'new', from_seq: 4n, to_seq: null },
    { organization: 'off', from_seq: 2n, to_seq: 4n },
    { organization: 'on', from_seq: 2n, to_seq: null },
    { organization: 'twice', from_seq: 2n, to_seq: 5n },
    { organization: 'twice', from_seq: 8n, to_seq: null },
  ]);
  expect(await place.sql('SELECT * FROM invoice_lines ORDER BY invoice')).toEqual(lines);
  expect(await place.sql('SELECT * FROM invoices ORDER BY id')).toEqual(
    before.map((row, index) => ({ ...(row as object), void_after: index === 0 ? 2n : null })),
  );
  // Two invoices of one month.
  await place.sql(
    `INSERT INTO invoices SELECT 'ivc_6', 6, organization, billed_to, month, 13, 14, total,
       brought_forward, amount_due, terms_days, due, status, reference, transfer, created, ended,
       void_after FROM invoices WHERE id = 'ivc_4'`,
  );
});
