/** How PostgreSQL looks for what may be few rows among many, with statistics of a filled table. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditFilter, listAudit } from '../../../router/control/audit/list.ts';
import type { Schema } from '../../../router/store/schema.ts';
import { auditTargets, WHOLE_LOG } from './audit-filters.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Adds entries of 50 organizations, of the given one, and of none, about hundreds of objects. */
async function fillAudit(organization: string): Promise<void> {
  await rig.place.sql(
    `insert into audit
       (id, organization, actor_kind, actor, action, target, details, address, request, created)
     select 'aud_' || lpad(n::text, 26, '0'),
       case when n % 52 = 0 then null when n % 52 = 1 then '${organization}'
         else 'org_' || lpad((n % 52)::text, 26, '0') end,
       'system', null, 'key.change', 'key_' || lpad((n % 700)::text, 12, '0'), '{}', '', '', n
     from generate_series(1, 100000) as n`,
    'analyze audit',
  );
}

/** The lines of the plan of the query on the audit log. */
async function planOf(filter: AuditFilter): Promise<string> {
  const pool = new pg.Pool({ connectionString: rig.place.url });
  const asked: Readonly<{ sql: string; parameters: readonly unknown[] }>[] = [];
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  });
  try {
    await listAudit.run(db, filter);
    const query = asked.find(({ sql }) => sql.includes('from "audit"'));
    const plan = await pool.query(`explain ${query?.sql}`, [...(query?.parameters ?? [])]);
    return plan.rows.map((row: Readonly<{ 'QUERY PLAN': string }>) => row['QUERY PLAN']).join('\n');
  } finally {
    await db.destroy();
  }
}

test('the entries about an object are looked up by its organization, or by its id if it has none', async () => {
  const { owned, ofNone, organization } = await auditTargets(rig);
  await fillAudit(organization);
  for (const target of owned) {
    for (const organizations of [null, [organization]]) {
      const plan = await planOf({ ...WHOLE_LOG, target, organizations });
      expect(plan, target).toMatch(/Index Scan.* (?:using|on) audit_organization/);
      expect(plan, target).toMatch(/Index Cond: \(organization = /);
      expect(plan, target).not.toMatch(/Seq Scan|audit_pkey/);
    }
  }
  for (const target of ofNone) {
    const plan = await planOf({ ...WHOLE_LOG, target });
    expect(plan, target).toMatch(/Index Scan.* (?:using|on) audit_agent/);
    expect(plan, target).toMatch(/Index Cond: \(substr\(target, 1, 30\) = /);
    expect(plan, target).not.toMatch(/Seq Scan|audit_pkey/);
  }
});
