import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { containing } from '../../store/containing.ts';
import type { Schema } from '../../store/schema.ts';

/** Whether a column has the organization with this id, or one with this text in its name. */
export function isSearched(
  organization: Expression<OrganizationId>,
  search: string,
): Expression<SqlBool> {
  const is = expressionBuilder<Schema>();
  const named = is
    .selectFrom('organizations')
    .select('organizations.id')
    .where((of) => containing(of.ref('organizations.name'), search));
  return is.or([
    is(organization, '=', search.toLowerCase() as OrganizationId),
    is(organization, 'in', named),
  ]);
}
