/**
 * The current names of what the audit log refers to by id. The log itself has no names of people:
 * when a person or an organization is erased, its name is gone from the log, too.
 */
import { usdInWords } from '../../../shared/audit-words.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { Db } from '../../store/procedure.ts';
import { documentNumber, INVOICES } from '../documents/number.ts';

/**
 * `email`: people only. `gone`: it was deleted, revoked or has left, or is an invitation that is no
 * longer open.
 */
export type Name = Readonly<{ name: string; email: string | null; gone: boolean }>;

/** By id. Whatever is unknown or was erased has no entry. */
export type Names = ReadonlyMap<string, Name>;

/** Reads the names of those of the given ids that have one. */
export async function namesOf(db: Db, ids: Iterable<string>): Promise<Names> {
  const byPrefix = Map.groupBy(new Set(ids), (id) => id.slice(0, 4));
  const names = new Map<string, Name>();
  for (const [prefix, some] of byPrefix) {
    const read = READ[prefix];
    if (!read) continue;
    for (const { id, name, email = null, gone = false } of await read(db, some)) {
      if (name !== '') names.set(id, { name, email, gone });
    }
  }
  return names;
}

type Read = (
  db: Db,
  ids: readonly string[],
) => Promise<readonly Readonly<{ id: string; name: string; email?: string; gone?: boolean }>[]>;

const READ: Readonly<Record<string, Read>> = {
  per_: (db, ids) =>
    db
      .selectFrom('people')
      .select(['id', 'name', 'email'])
      .where('id', 'in', ids as never)
      .where('erased', 'is', null)
      .execute(),
  icd_: (db, ids) =>
    db
      .selectFrom('incidents')
      .select(['id', 'title as name'])
      .where('id', 'in', ids as never)
      .execute(),
  mem_: async (db, ids) => {
    const rows = await db
      .selectFrom('members')
      .innerJoin('people', 'people.id', 'members.person')
      .select(['members.id', 'members.left_at', 'people.name', 'people.email'])
      .where('members.id', 'in', ids as never)
      .where('people.erased', 'is', null)
      .execute();
    return rows.map(({ left_at: left, ...member }) => ({ ...member, gone: left !== null }));
  },
  inv_: async (db, ids) => {
    const rows = await db
      .selectFrom('invitations')
      .select(['id', 'email as name', 'state'])
      .where('id', 'in', ids as never)
      .execute();
    return rows.map(({ id, name, state }) => ({ id, name, gone: state !== 'open' }));
  },
  key_: async (db, ids) => {
    const rows = await db
      .selectFrom('keys')
      .select(['id', 'name', 'state', 'source'])
      .where('id', 'in', ids as never)
      .execute();
    return rows.map(({ id, name, state, source }) => ({
      id,
      name,
      // A key of the playground is never shown.
      gone: state === 'deleted' || source === 'playground',
    }));
  },
  mtk_: async (db, ids) => {
    const rows = await db
      .selectFrom('management_tokens')
      .select(['id', 'name', 'revoked'])
      .where('id', 'in', ids as never)
      .execute();
    return rows.map(({ id, name, revoked }) => ({ id, name, gone: revoked !== null }));
  },
  org_: (db, ids) =>
    db
      .selectFrom('organizations')
      .select(['id', 'name'])
      .where('id', 'in', ids as never)
      .execute(),
  // A worker's id is its agent's id and the name of its engine.
  agt_: async (db, ids) => {
    const agents = ids.map((id) => id.split('/')[0] ?? id);
    const rows = await db
      .selectFrom('agents')
      .select(['id', 'name'])
      .where('id', 'in', agents as never)
      .execute();
    const names = new Map(rows.map(({ id, name }) => [id as string, name]));
    return ids.flatMap((id) => {
      const [agent = '', ...engine] = id.split('/');
      const name = names.get(agent);
      return name === undefined ? [] : [{ id, name: [name, ...engine].join('/') }];
    });
  },
  // An endpoint is named by the host of its URL.
  whk_: async (db, ids) => {
    const rows = await db
      .selectFrom('webhook_endpoints')
      .select(['id', 'url'])
      .where('id', 'in', ids as never)
      .execute();
    return rows.map(({ id, url }) => ({ id, name: new URL(url).host }));
  },
  ivc_: async (db, ids) => {
    const rows = await db
      .selectFrom('invoices')
      .select(['id', 'number'])
      .where('id', 'in', ids as never)
      .execute();
    return rows.map(({ id, number }) => ({ id, name: documentNumber(INVOICES, number) }));
  },
  // A payment is told apart by its amount.
  pay_: async (db, ids) => {
    const rows = await db
      .selectFrom('payments')
      .select(['id', 'amount'])
      .where('id', 'in', ids as never)
      .execute();
    return rows.map(({ id, amount }) => ({
      id,
      name: amount === null ? '' : usdInWords(formatUsd(amount)),
    }));
  },
};
