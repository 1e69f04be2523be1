/** Rates that an organization is billed instead of a model's list price. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { type Price, picoUsd } from '../../../shared/money.ts';
import type { Region } from '../../../shared/region.ts';
import { readProcedure } from '../../store/procedure.ts';
import { findOrganization } from '../organizations/procedures.ts';

export type Agreed = Readonly<{ region: Region; rates: ReadonlyMap<string, Price> }>;

/**
 * Returns the organization's region and its agreed rates for these models, or null when there is no
 * such organization.
 */
export const findAgreed = readProcedure<
  Readonly<{ organization: OrganizationId; models: readonly string[] }>,
  Agreed | null
>('findAgreed', async (db, { organization, models }) => {
  const owner = await findOrganization.run(db, organization);
  if (!owner) return null;
  const rows = await db
    .selectFrom('rates as r')
    .innerJoin('prices as p', 'p.id', 'r.price')
    .select(['r.model', 'p.prompt', 'p.completion', 'p.cached'])
    .where('r.organization', '=', organization)
    .where('r.model', 'in', models)
    .execute();
  const rates = rows.map(({ model, prompt, completion, cached }) => {
    const price = {
      prompt: picoUsd(prompt),
      completion: picoUsd(completion),
      cached: picoUsd(cached),
    };
    return [model, price] as const;
  });
  return { region: owner.region, rates: new Map(rates) };
});
