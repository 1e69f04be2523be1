/**
 * Checks that keys and agreed prices belong to an existing organization, and that rows with a key
 * belong to the key's organization.
 */
import { sql } from 'kysely';
import type { PriceId } from '../../shared/ids.ts';
import { picoUsd } from '../../shared/money.ts';
import { priceId } from '../ledger/prices.ts';
import type { PriceRow } from '../store/schema/ledger.ts';
import { type Check, PAGE_ROWS, rowsThatDiffer, rowsWithFaults } from './check.ts';

function ofNobody(table: 'keys' | 'rates'): Check {
  return rowsThatDiffer(
    sql<{ organization: string }>`
      select distinct x.organization from ${sql.table(table)} x
      where not exists (select 1 from organizations o where o.id = x.organization)`,
    ({ organization }) =>
      `${table}: there are rows of ${organization}, which is not an organization`,
  );
}

/** One difference for each key and organization: a key may have millions of usage rows. */
function ofAnother(table: 'meters' | 'holds' | 'usage'): Check {
  return rowsThatDiffer(
    sql<{ key: string; organization: string; owner: string }>`
      select k.id as key, x.organization, k.organization as owner
      from (select distinct key, organization from ${sql.table(table)}) x
      join keys k on k.id = x.key where k.organization <> x.organization`,
    ({ key, organization, owner }) =>
      `${table}: there are rows of ${organization} with key ${key}, which belongs to ${owner}`,
  );
}

const rates = rowsThatDiffer(
  sql<{
    organization: string;
    model: string;
    price: string;
    priced: string | null;
    agreed: string | null;
  }>`
    select r.organization, r.model, r.price, p.model as priced, p.organization as agreed
    from rates r left join prices p on p.id = r.price
    where p.id is null or p.model <> r.model or coalesce(p.organization, '') <> r.organization`,
  ({ organization, model, price, priced, agreed }) =>
    priced === null
      ? `rate of ${organization} for ${model}: there is no price ${price}`
      : `rate of ${organization} for ${model}: price ${price} is for ${priced} and ${agreed ?? 'all organizations'}`,
);

/** The id of a price is a digest of its figures. */
const prices = rowsWithFaults(
  (db, after: PriceRow | null) =>
    db
      .selectFrom('prices')
      .selectAll()
      .where('id', '>', after?.id ?? ('' as PriceId))
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute(),
  ({ id, model, organization, prompt, completion, cached }) => {
    const price = {
      prompt: picoUsd(prompt),
      completion: picoUsd(completion),
      cached: picoUsd(cached),
    };
    const known = priceId({ model, price, ...(organization !== null && { organization }) });
    return known === id ? [] : [`price ${id}: its id does not match its figures`];
  },
);

export const checkKeys: readonly Check[] = [
  ofNobody('keys'),
  ofNobody('rates'),
  ofAnother('meters'),
  ofAnother('holds'),
  ofAnother('usage'),
  rates,
  prices,
];
