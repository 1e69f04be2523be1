/** An organization's usage with the names of its keys, deleted ones included. */
import type { KeyId } from '../../../shared/ids.ts';
import { listUsage, type UsageAsk, type UsageRecord } from '../../ledger/listings.ts';
import type { Procedure } from '../../store/procedure.ts';
import { organizationExists } from '../organizations/procedures.ts';
import type { Page } from '../pages.ts';

export type NamedUsage = UsageRecord & Readonly<{ keyName: string | null }>;

/** Null: there is no such organization. */
export const listNamedUsage: Procedure<UsageAsk, Page<NamedUsage, bigint> | null> = {
  name: 'listNamedUsage',
  access: 'read',
  async run(db, ask) {
    if (!(await organizationExists(db, ask.organization))) return null;
    const { rows, next } = await listUsage.run(db, ask);
    const names = new Map<KeyId, string>();
    if (rows.length > 0) {
      const keys = await db
        .selectFrom('keys')
        .select(['id', 'name'])
        .where('id', 'in', [...new Set(rows.map(({ key }) => key))])
        .execute();
      for (const { id, name } of keys) names.set(id, name);
    }
    return { rows: rows.map((row) => ({ ...row, keyName: names.get(row.key) ?? null })), next };
  },
};
