/** The passkeys of a person in the store, for procedures. */
import type { PersonId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

export async function countPasskeys(db: Db, person: PersonId): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('person', '=', person)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function dropPasskeys(db: Db, person: PersonId): Promise<void> {
  await db.deleteFrom('passkeys').where('person', '=', person).execute();
}
