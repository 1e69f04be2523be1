/** Checks who keys and agreed prices belong to, and that rows with a key belong to its owner. */
import { sql } from 'kysely';
import type { PriceId } from '../../shared/ids.ts';
import { picoUsd } from '../../shared/money.ts';
import { priceId } from '../ledger/prices.ts';
import { type Check, rowsThatDiffer } from './check.ts';

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

const PAGE_ROWS = 500;

/** The id of a price is a digest of its figures. */
const prices: Check = async (db, limit) => {
  const faults: string[] = [];
  let after = '';
  while (faults.length < limit) {
    const rows = await db
      .selectFrom('prices')
      .selectAll()
      .where('id', '>', after as PriceId)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const { id, model, organization, prompt, completion, cached } of rows) {
      const price = {
        prompt: picoUsd(prompt),
        completion: picoUsd(completion),
        cached: picoUsd(cached),
      };
      const ask = { model, price, ...(organization !== null && { organization }) };
      if (priceId(ask) !== id) faults.push(`price ${id}: its id does not match its figures`);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) break;
    after = last.id;
  }
  return faults.slice(0, limit);
};

export const checkKeys: readonly Check[] = [
  ofNobody('keys'),
  ofNobody('rates'),
  ofAnother('meters'),
  ofAnother('holds'),
  ofAnother('usage'),
  rates,
  prices,
];
