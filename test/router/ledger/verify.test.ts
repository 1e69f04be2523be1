import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { verifyLedger } from '../../../router/ledger/verify.ts';
import { openStoreReadOnly } from '../../../router/store/store.ts';
import { LOG, REGISTRY, Rig } from './rig.ts';

let rig: Rig;
let organization: OrganizationId;
let settled: RequestId;
let voided: RequestId;
let open: RequestId;

beforeAll(async () => {
  rig = await Rig.start();
  organization = await rig.organization(10_000n);
  settled = await rig.hold(organization, 100n);
  await rig.settle(organization, settled, { prompt: 3, cached: 1, completion: 2, reasoning: 1 });
  voided = await rig.hold(organization, 100n);
  await rig.settle(organization, voided, { prompt: 1, completion: 1 });
  await rig.void(organization, voided);
  open = await rig.hold(organization, 100n, 40n);
  rig.damaged = true;
  await rig.sql(...TABLES.map((table) => `CREATE TABLE good_${table} AS SELECT * FROM ${table}`));
});
afterAll(() => rig[Symbol.asyncDispose]());

const TABLES = [
  'organizations',
  'accounts',
  'holds',
  'transfers',
  'usage',
  'prices',
  'incarnations',
];

beforeEach(async () => {
  const restore = TABLES.flatMap((table) => [
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} SELECT * FROM good_${table}`,
  ]);
  await rig.sql(...restore);
  await rig.check();
});

/** What is done to the file, and what has to be said of it. */
const DAMAGE: [string, () => string[], () => RegExp[]][] = [
  [
    'a balance',
    () => [`UPDATE accounts SET balance = balance + 1 WHERE id = '${organization}'`],
    () => [
      new RegExp(`account ${organization}: balance 9940, but its transfers sum to 9939`),
      /the platform's accounts gave \d+, but customers have/,
    ],
  ],
  [
    'a held amount',
    () => [`UPDATE accounts SET held = held - 1`],
    () => [/held 99 and reserve 40, but its open holds sum to 100 and 40/],
  ],
  [
    'a reserve',
    () => [`UPDATE accounts SET reserve = 0`],
    () => [/held 100 and reserve 0, but its open holds sum to 100 and 40/],
  ],
  [
    'a hold gone',
    () => [`DELETE FROM holds`],
    () => [/held 100 and reserve 40, but its open holds sum to 0 and 0/],
  ],
  [
    'a hold of nobody',
    () => [`DELETE FROM incarnations`],
    () => [new RegExp(`hold ${open}: its incarnation rtr_\\w+ is not known`)],
  ],
  [
    'a hold at no price',
    () => [`UPDATE holds SET price = 'prc_none'`],
    () => [new RegExp(`hold ${open}: there is no price prc_none`)],
  ],
  [
    'a hold of a request that has ended',
    () => [`UPDATE holds SET request = '${settled}'`],
    () => [new RegExp(`hold ${settled} is open, though its request was settled`)],
  ],
  [
    'a transfer gone',
    () => [`DELETE FROM transfers WHERE reference = '${settled}'`],
    () => [
      /balance 9939, but its transfers sum to 10000/,
      /transfer_seq is 5, but transfers has 4 rows, numbered 1 to 5/,
      new RegExp(`usage ${settled}: settled at 61, which transfer trf_\\w+ does not bear out`),
      /the platform's accounts gave/,
    ],
  ],
  [
    'a transfer changed, and the balance with it',
    () => [
      `UPDATE transfers SET amount = amount - 1 WHERE reference = '${settled}'`,
      `UPDATE accounts SET balance = balance + 1 WHERE id = '${organization}'`,
    ],
    () => [new RegExp(`usage ${settled}: settled at 61, which transfer`)],
  ],
  [
    'a charge made twice, and the balance with it',
    () => [
      `INSERT INTO transfers SELECT 'trf_again', organization, seq + 3, debit, credit, amount, kind,
         reference, reason, created FROM transfers WHERE reference = '${settled}'`,
      `UPDATE accounts SET balance = balance - 61, transfer_seq = 6 WHERE id = '${organization}'`,
    ],
    () => [new RegExp(`transfer trf_again: a usage that usage ${settled} does not name`)],
  ],
  [
    'a transfer without its usage',
    () => [
      `DELETE FROM usage WHERE request = '${settled}'`,
      `UPDATE accounts SET usage_seq = 1`,
      `UPDATE usage SET seq = 1`,
    ],
    () => [new RegExp(`transfer trf_\\w+: a usage that usage ${settled} does not name`)],
  ],
  [
    'a reversal gone',
    () => [
      `DELETE FROM transfers WHERE kind = 'reversal'`,
      `UPDATE accounts SET balance = balance - 30, transfer_seq = 4 WHERE id = '${organization}'`,
    ],
    () => [new RegExp(`usage ${voided}: voided at 0, which transfer trf_\\w+ does not bear out`)],
  ],
  [
    'a reversal of what still counts as settled',
    () => [`UPDATE usage SET outcome = 'settled', cost = 30 WHERE request = '${voided}'`],
    () => [new RegExp(`transfer trf_\\w+_reversal: a reversal that usage ${voided} does not name`)],
  ],
  [
    'tokens',
    () => [`UPDATE usage SET completion_tokens = 3 WHERE request = '${settled}'`],
    () => [new RegExp(`usage ${settled}: cost 61, but at prc_\\w+ its tokens cost 81`)],
  ],
  [
    'a voided row that costs',
    () => [`UPDATE usage SET cost = 30 WHERE request = '${voided}'`],
    () => [
      new RegExp(`usage ${voided}: cost 30, but at prc_\\w+ its tokens cost 30 \\(0 when voided`),
    ],
  ],
  [
    'counts that contradict one another',
    () => [`UPDATE usage SET reasoning_tokens = 9 WHERE request = '${settled}'`],
    () => [new RegExp(`usage ${settled}: its token counts contradict one another`)],
  ],
  [
    'a price gone',
    () => [`DELETE FROM prices`],
    () => [
      new RegExp(`hold ${open}: there is no price prc_`),
      new RegExp(`usage ${settled}: there is no price prc_`),
    ],
  ],
  [
    'a usage row gone, with its charge given back by hand',
    () => [
      `DELETE FROM usage WHERE request = '${settled}'`,
      `DELETE FROM transfers WHERE reference = '${settled}'`,
      `UPDATE accounts SET balance = balance + 61 WHERE id = '${organization}'`,
    ],
    () => [
      /transfer_seq is 5, but transfers has 4 rows, numbered 1 to 5/,
      /usage_seq is 2, but usage has 1 rows, numbered 2 to 2/,
    ],
  ],
  [
    'a transfer the wrong way round',
    () => [`UPDATE transfers SET debit = credit, credit = debit WHERE kind = 'welcome'`],
    () => [
      /balance 9939, but its transfers sum to -/,
      /a welcome cannot move 5000000000000 from customer:org_\w+ to platform:promotions/,
      /the platform's accounts gave/,
    ],
  ],
  [
    'a transfer to an account that nobody knows',
    () => [`UPDATE transfers SET credit = 'platform:pocket' WHERE kind = 'usage'`],
    () => [
      /a usage cannot move 61 from customer:org_\w+ to platform:pocket/,
      /a usage cannot move 30 from customer:org_\w+ to platform:pocket/,
      /the platform's accounts gave/,
    ],
  ],
  [
    'a balance below its floor',
    () => [`UPDATE accounts SET floor = 9900`],
    () => [/balance 9939 less 100 held is below its floor 9900/],
  ],
  [
    'an account gone',
    () => [`DELETE FROM accounts`],
    () => [
      /organization org_\w+ has no account/,
      /transfers: rows of org_\w+, which has no account/,
      /usage: rows of org_\w+, which has no account/,
      /holds: rows of org_\w+, which has no account/,
      /the platform's accounts gave 9939, but customers have 0/,
    ],
  ],
  [
    'an organization gone',
    () => [`DELETE FROM organizations`],
    () => [/account org_\w+ has no organization/],
  ],
];

test.each(DAMAGE)('verify names %s', async (_what, damage, said) => {
  await rig.sql(...damage());
  const { differences } = await rig.verify();
  expect(differences).toHaveLength(said().length);
  for (const [index, sentence] of said().entries()) expect(differences[index]).toMatch(sentence);
});

test('verify counts what it looked at, and runs from another reader beside the router', async () => {
  const config = { url: rig.place.url, registry: REGISTRY };
  await using reader = await openStoreReadOnly(config, { clock: rig.clock, log: LOG });
  expect(await reader.call(verifyLedger, null)).toEqual({
    differences: [],
    checked: {
      organizations: 1n,
      accounts: 1n,
      holds: 1n,
      transfers: 5n,
      usage: 2n,
      prices: 1n,
    },
  });
});

test('verify is not stopped by sums beyond 64 bits', async () => {
  // Each credit is within the bound of an account; an account of another life had three and spent them.
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
  await rig.sql(
    `INSERT INTO organizations (id, name, region, status, billing, created)
     VALUES ${rows.join(', ')}`,
  );
  const { differences } = await rig.verify();
  expect(differences).toHaveLength(101);
  expect(differences.at(-1)).toBe('… and more of the same');
});
