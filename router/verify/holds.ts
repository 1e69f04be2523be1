/** Checks that each open hold has a known incarnation, a known price, and an unfinished request. */
import { sql } from 'kysely';
import { type Check, rowsThatDiffer } from './check.ts';

export const checkHolds: readonly Check[] = [
  rowsThatDiffer(
    // A dead incarnation stays known until the last of its holds is freed.
    sql<{ request: string; incarnation: string }>`
      select h.request, h.incarnation from holds h
      where not exists (select 1 from incarnations i where i.id = h.incarnation)`,
    ({ request, incarnation }) => `hold ${request}: its incarnation ${incarnation} is not known`,
  ),
  rowsThatDiffer(
    sql<{ request: string; price: string; known: string | null; agreed: string | null }>`
      select h.request, h.price, p.id as known, p.organization as agreed
      from holds h left join prices p on p.id = h.price
      where p.id is null or p.organization <> h.organization`,
    ({ request, price, known, agreed }) =>
      known === null
        ? `hold ${request}: there is no price ${price}`
        : `hold ${request}: its price ${price} was agreed with ${agreed}`,
  ),
  rowsThatDiffer(
    // A cross join makes SQLite begin with the holds: they are few, which its planner cannot know.
    sql<{ request: string; outcome: string }>`
      select h.request, u.outcome from holds h cross join usage u where u.request = h.request`,
    ({ request, outcome }) => `hold ${request} is open, though its request was ${outcome}`,
  ),
];
