/** The picture of the schema, drawn from the tables that the migrations make. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../router/store/open-store.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { SqlitePlace } from '../../support/store.ts';

const REGISTRY = new URL('../../../router/procedures.ts', import.meta.url);

/** Each table appears in one picture. */
const PICTURES: Readonly<Record<string, readonly string[]>> = {
  'Organizations, people and keys': [
    'organizations',
    'people',
    'members',
    'invitations',
    'sessions',
    'links',
    'recovery_codes',
    'passkeys',
    'used_challenges',
    'keys',
    'management_tokens',
    'operator_tokens',
    'operator_changes',
    'audit',
    'throttles',
    'welcomes',
    'welcome_claims',
  ],
  'Money: holds, charges and transfers': [
    'accounts',
    'holds',
    'usage',
    'transfers',
    'prices',
    'rates',
    'meters',
    'member_caps',
    'windows',
    'incarnations',
    'forgotten_usage',
  ],
  'Payments and invoices': [
    'payments',
    'payment_events',
    'billing_details',
    'budgets',
    'payment_customers',
    'refunds',
    'recharges',
    'invoicing',
    'invoicing_stretches',
    'invoices',
    'invoice_lines',
    'sandbox_checkouts',
    'sandbox_methods',
    'sandbox_charges',
    'sandbox_refunds',
  ],
  'Usage, aggregated': ['usage_folds', 'usage_series', 'usage_rollups', 'usage_reversals'],
  'The ledger by day': ['ledger_folds', 'ledger_days'],
  'Refused requests': ['refusal_counts', 'refusals'],
  'Hosts, jobs and the fleet': [
    'agents',
    'join_tokens',
    'jobs',
    'idempotency_keys',
    'fleet_settings',
    'fleet_time',
    'host_events',
    'schema_state',
  ],
  Chats: ['chats'],
  Webhooks: ['webhook_endpoints', 'webhook_deliveries', 'exhausted_credit'],
  Incidents: ['incidents', 'incident_updates'],
  'History of the fleet': [
    'history_series',
    'history_cells',
    'history_batches',
    'router_periods',
    'router_runs',
    'alarms',
  ],
};

/**
 * Columns that hold the id of a row of another table without a foreign key. A foreign key would
 * make settlements more expensive.
 */
const NAMES: Readonly<Record<string, string>> = {
  organization: 'organizations',
  person: 'people',
  member: 'members',
  key: 'keys',
  price: 'prices',
  agent: 'agents',
  payment: 'payments',
  incarnation: 'incarnations',
  webhook: 'webhook_endpoints',
};

type Column = Readonly<{ name: string; type: string; pk: bigint; notnull: bigint }>;
type ForeignKey = Readonly<{ table: string; from: string }>;

let place: SqlitePlace;
beforeAll(async () => {
  place = new SqlitePlace();
  const parts = { clock, log: makeLog('test', 'silent') };
  const store = await openStore({ url: place.url, registry: REGISTRY }, parts);
  await store[Symbol.asyncDispose]();
});
afterAll(() => place[Symbol.asyncDispose]());

async function tables(): Promise<string[]> {
  const rows = (await place.sql(
    `select name from sqlite_master where type = 'table'
     and name not like 'sqlite_%' and name not like 'kysely_%' order by name`,
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

async function columnsOf(table: string): Promise<Column[]> {
  return (await place.sql(`select * from pragma_table_info('${table}')`)) as Column[];
}

async function linesOf(table: string): Promise<string[]> {
  const columns = await columnsOf(table);
  const keys = (await place.sql(
    `select * from pragma_foreign_key_list('${table}')`,
  )) as ForeignKey[];
  const lines = [`  ${table} {`];
  for (const { name, type, pk, notnull } of columns) {
    const notes = [pk > 0n && 'PK', keys.some(({ from }) => from === name) && 'FK'].filter(Boolean);
    const marks = notes.length > 0 ? ` ${notes.join(', ')}` : '';
    const nullable = notnull === 0n && pk === 0n ? ' "nullable"' : '';
    lines.push(`    ${type.toLowerCase()} ${name}${marks}${nullable}`);
  }
  lines.push('  }');
  for (const { table: to, from } of keys) lines.push(`  ${to} ||--o{ ${table} : ${from}`);
  for (const { name } of columns) {
    const to = NAMES[name];
    if (!to || to === table || keys.some(({ from }) => from === name)) continue;
    lines.push(`  ${to} ||..o{ ${table} : ${name}`);
  }
  return lines;
}

async function page(): Promise<string> {
  const parts = [
    '# The schema',
    '',
    'This picture is drawn from the tables that the migrations create. `npx vitest run --project sqlite test/router/store/schema-picture.sqlite.test.ts -u`',
    'draws it again. A solid line is a foreign key. A dotted line is a column that has the id of another row but is no foreign key.',
    'Amounts are in pico-USD. Times are in milliseconds since 1970 (UTC).',
  ];
  for (const [title, names] of Object.entries(PICTURES)) {
    parts.push('', `## ${title}`, '', '```mermaid', 'erDiagram');
    for (const table of names) parts.push(...(await linesOf(table)));
    parts.push('```');
  }
  return `${parts.join('\n')}\n`;
}

test('every table stands in one picture', async () => {
  expect(Object.values(PICTURES).flat().toSorted()).toEqual(await tables());
});

test('docs/schema.md is what the migrations make', async () => {
  await expect(await page()).toMatchFileSnapshot('../../../docs/schema.md');
});
