/**
 * How SQLite looks for what may be few rows among millions. It has no statistics, so that it chooses
 * the same plan for an empty store.
 */
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUnrecordedTurns, listLosses } from '../../../router/control/agents/losses.ts';
import { listAudit } from '../../../router/control/audit/list.ts';
import { readOtherActors } from '../../../router/control/audit/other-actors.ts';
import type { Db } from '../../../router/store/procedure.ts';
import type { Schema } from '../../../router/store/schema.ts';
import { SqlitePlace } from '../../support/store.ts';
import { auditTargets, WHOLE_LOG } from './audit-filters.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Runs `read`, and returns the steps of the plans of its queries. */
async function plansOf(read: (db: Db) => Promise<unknown>): Promise<string[]> {
  if (!(rig.place instanceof SqlitePlace)) throw new Error('the store is not SQLite');
  const database = new BetterSqlite3(rig.place.file, { readonly: true });
  const asked: Readonly<{ sql: string; parameters: readonly unknown[] }>[] = [];
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void asked.push(query),
  });
  try {
    await read(db);
    return asked.flatMap(({ sql, parameters }) =>
      database
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...parameters)
        .map(({ detail }) => detail),
    );
  } finally {
    await db.destroy();
  }
}

test('who made each of a thousand keys is looked up by the time of the key', async () => {
  const organization = rig.first.organization.id;
  const made = Array.from({ length: 1000 }, (_, n) => {
    return { action: 'key.create', target: `key_${n}`, at: n } as const;
  });
  const plan = await plansOf((db) => readOtherActors(db, organization, made));
  expect(plan.filter((step) => step.includes(' audit '))).toEqual([
    expect.stringMatching(/^SEARCH audit USING .*\(organization=\? AND id>\? AND id<\?\)$/),
  ]);
});

test('the entries about an object are looked up by its organization, or by its id if it has none', async () => {
  const { owned, ofNone, organization } = await auditTargets(rig);
  const stepsFor = async (filter: Partial<typeof WHOLE_LOG>) => {
    const steps = await plansOf((db) => listAudit.run(db, { ...WHOLE_LOG, ...filter }));
    return steps.filter((step) => /\baudit\b|ORDER BY/.test(step));
  };
  for (const target of owned) {
    const ofOrganization = ['SEARCH audit USING INDEX audit_organization (organization=?)'];
    expect(await stepsFor({ target }), target).toEqual(ofOrganization);
    expect(await stepsFor({ target, organizations: [organization] })).toEqual(ofOrganization);
  }
  for (const target of ofNone) {
    const byTarget = ['SEARCH audit USING INDEX audit_agent (<expr>=?)'];
    expect(await stepsFor({ target }), target).toEqual(byTarget);
  }
});

test.each([
  ['listed', (db: Db) => listLosses.run(db, { from: 0, until: 1 })],
  ['recorded', (db: Db) => findUnrecordedTurns.run(db, { now: 1 })],
])('losses of hosts are %s without reading all events', async (_, read) => {
  const plan = await plansOf(read);
  expect(plan.some((step) => /^SEARCH lost USING .*\(agent=\? AND mark>\?\)$/.test(step))).toBe(
    true,
  );
  expect(plan.filter((step) => /^SCAN (lost|returned|joined|host_events)\b/.test(step))).toEqual(
    [],
  );
});
