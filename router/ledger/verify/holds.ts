/** Open holds: each stands under an incarnation that is known, at a known price, for a request not ended. */
import { sql } from 'kysely';
import { type Check, rowsThatDiffer } from './check.ts';

export const checkHolds: readonly Check[] = [
  rowsThatDiffer(
    sql<{ request: string; incarnation: string }>`
      select h.request, h.incarnation from holds h
      where not exists (select 1 from incarnations i where i.id = h.incarnation)`,
    ({ request, incarnation }) => `hold ${request}: its incarnation ${incarnation} is not known`,
  ),
  rowsThatDiffer(
    sql<{ request: string; price: string }>`
      select h.request, h.price from holds h
      where not exists (select 1 from prices p where p.id = h.price)`,
    ({ request, price }) => `hold ${request}: there is no price ${price}`,
  ),
  rowsThatDiffer(
    sql<{ request: string; outcome: string }>`
      select h.request, u.outcome from holds h join usage u on u.request = h.request`,
    ({ request, outcome }) => `hold ${request} is open, though its request was ${outcome}`,
  ),
];
