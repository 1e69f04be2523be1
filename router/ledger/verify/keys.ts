/** Keys and agreed prices: whose they are, and whose what was done with them is. */
import { sql } from 'kysely';
import { type Check, rowsThatDiffer } from './check.ts';

function ofNobody(table: 'keys' | 'rates'): Check {
  return rowsThatDiffer(
    sql<{ organization: string }>`
      select distinct x.organization from ${sql.table(table)} x
      where not exists (select 1 from organizations o where o.id = x.organization)`,
    ({ organization }) => `${table}: rows of ${organization}, which is no organization`,
  );
}

/** Once for each that is wrong: a key may have millions of usage rows. */
function ofAnother(table: 'meters' | 'holds' | 'usage'): Check {
  return rowsThatDiffer(
    sql<{ key: string; organization: string; owner: string }>`
      select k.id as key, x.organization, k.organization as owner
      from (select distinct key, organization from ${sql.table(table)}) x
      join keys k on k.id = x.key where k.organization <> x.organization`,
    ({ key, organization, owner }) =>
      `${table}: rows of ${organization} with key ${key}, which is ${owner}'s`,
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
      : `rate of ${organization} for ${model}: ${price} is of ${priced}, for ${agreed ?? 'all'}`,
);

export const checkKeys: readonly Check[] = [
  ofNobody('keys'),
  ofNobody('rates'),
  ofAnother('meters'),
  ofAnother('holds'),
  ofAnother('usage'),
  rates,
];
