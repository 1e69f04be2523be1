/** Contention between customers: a request writes rows of its own customer only. */
import { expect, test } from 'vitest';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { DIALECT } from '../../support/store.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

/** The column of each table that names the row's owner. */
const OWNER: Readonly<Record<string, string>> = {
  accounts: 'id',
  organizations: 'id',
  holds: 'organization',
  meters: 'organization',
  windows: 'organization',
  transfers: 'organization',
  usage: 'organization',
  usage_reversals: 'organization',
  keys: 'organization',
  rates: 'organization',
};
/**
 * On PostgreSQL, the transaction that wrote the row, so that a rewritten row counts as changed even
 * if its values are the same.
 */
const VERSION = DIALECT === 'postgres' ? `, xmin::text AS "version"` : '';

type Rows = Map<string, Readonly<{ table: string; owner: unknown }>>;

async function tables(): Promise<string[]> {
  const list =
    DIALECT === 'postgres'
      ? `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
      : `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`;
  return ((await rig.sql(list)) as { name: string }[]).map(({ name }) => name);
}

/** Reads all rows of all tables as text. */
async function allRows(): Promise<Rows> {
  const rows: Rows = new Map();
  for (const table of await tables()) {
    const found = await rig.sql(`SELECT *${VERSION} FROM ${table}`);
    for (const row of found as Record<string, unknown>[]) {
      const text = Object.entries(row).map(([column, value]) => `${column}=${String(value)}`);
      rows.set(`${table}: ${text.join(' ')}`, { table, owner: row[OWNER[table] ?? ''] });
    }
  }
  return rows;
}

/** Returns the rows that `act` wrote or deleted: their number by table, and their owners. */
async function changedBy(act: () => Promise<unknown>) {
  const before = await allRows();
  await act();
  const after = await allRows();
  const changed = [
    ...[...before].filter(([text]) => !after.has(text)),
    ...[...after].filter(([text]) => !before.has(text)),
  ].map(([, row]) => row);
  return {
    tables: [...new Set(changed.map(({ table }) => table))].toSorted(),
    owners: [...new Set(changed.map(({ owner }) => owner))],
  };
}

async function customer(name: string): Promise<{ organization: OrganizationId; key: KeyId }> {
  const organization = await rig.organization(10_000n);
  return { organization, key: await rig.key(organization, name) };
}

test('MONEY 21: what a request writes, from admission to its end, is in no row that another customer shares', async () => {
  const [mine, other] = [await customer('mine'), await customer('other')];
  const limits = {
    ...UNLIMITED,
    organization: { requestsPerMinute: 100, tokensPerMinute: 10_000, concurrentRequests: 10 },
  };
  // The other customer is just as busy.
  const beside = rig.reservation(other.organization, 100n, { key: other.key, limits, tokens: 5 });
  await rig.ledger.reserve(beside);
  const asked = rig.reservation(mine.organization, 100n, { key: mine.key, limits, tokens: 5 });
  const usage = {
    ...rig.usage(mine.organization, asked.request, { prompt: 1, completion: 1 }),
    key: mine.key,
  };
  const onlyMine = { owners: [mine.organization] };

  const windows = DIALECT === 'postgres' ? ['windows'] : [];
  const admitted = await changedBy(() => rig.ledger.reserve(asked));
  expect(admitted).toEqual({ ...onlyMine, tables: ['accounts', 'holds', 'meters', ...windows] });
  const settled = await changedBy(() =>
    rig.ledger.settle(usage, rig.cost({ prompt: 1, completion: 1 })),
  );
  expect(settled).toEqual({
    ...onlyMine,
    tables: ['accounts', 'holds', 'meters', 'transfers', 'usage', ...windows].toSorted(),
  });
  const reversed = await changedBy(() => rig.ledger.void(usage));
  expect(reversed).toEqual({
    ...onlyMine,
    tables: ['accounts', 'meters', 'transfers', 'usage', 'usage_reversals'],
  });
});
