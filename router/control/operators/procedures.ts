/** Operators of the platform, and the tokens by which they manage it. */
import type { PersonId } from '../../../shared/ids.ts';
import type { Procedure } from '../../store/procedure.ts';

/** Whose token this is, and whether that person is an operator still. */
export const findOperator: Procedure<
  { digest: string },
  { person: PersonId; operator: boolean } | null
> = {
  name: 'findOperator',
  access: 'read',
  async run(db, { digest }) {
    const row = await db
      .selectFrom('operator_tokens')
      .innerJoin('people', 'people.id', 'operator_tokens.person')
      .where('operator_tokens.digest', '=', digest)
      .select(['people.id as person', 'people.operator as operator'])
      .executeTakeFirst();
    return row ? { person: row.person, operator: row.operator === 1n } : null;
  },
};
