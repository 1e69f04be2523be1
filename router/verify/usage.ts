/** Checks usage rows against the transfers that charged them, one to one, and their prices. */
import { sql } from 'kysely';
import { KINDS } from '../ledger/transfers.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type Check, rowsThatDiffer } from './check.ts';

const EXACT = sql`((u.prompt_tokens - u.cached_tokens) * p.prompt + u.cached_tokens * p.cached
  + u.completion_tokens * p.completion)`;

type Priced = Readonly<{
  request: string;
  cost: bigint;
  model: string;
  price: string;
  exact: bigint | null;
  priced: string;
  agreed: string | null;
  organization: string;
}>;

const costs = rowsThatDiffer(
  sql<Priced>`
    select u.request, u.organization, u.cost, u.model, u.price, ${EXACT} as exact,
      p.model as priced, p.organization as agreed
    from usage u left join prices p on p.id = u.price
    where (u.outcome = 'settled' and (p.id is null or u.cost <> ${EXACT} or p.model <> u.model
        or p.organization <> u.organization))
      or (u.outcome = 'voided' and u.cost <> 0)`,
  ({ request, organization, cost, model, price, exact, priced, agreed }) => {
    if (exact === null) return `usage ${request}: there is no price ${price}`;
    if (priced !== model)
      return `usage ${request}: its model is ${model}, but price ${price} is for ${priced}`;
    if (agreed !== null && agreed !== organization) {
      return `usage ${request}: its price ${price} was agreed with ${agreed}`;
    }
    return `usage ${request}: cost ${cost}, but at ${price} its tokens cost ${exact} (0 when voided)`;
  },
);

const counts = rowsThatDiffer(
  sql<{ request: string }>`
    select u.request from usage u
    where u.outcome = 'settled' and (u.cached_tokens < 0 or u.cached_tokens > u.prompt_tokens
      or u.reasoning_tokens < 0 or u.reasoning_tokens > u.completion_tokens)`,
  ({ request }) => `usage ${request}: its token counts contradict one another`,
);

/** A settled row was charged its cost; whatever a voided row was charged has been reversed. */
const charges = rowsThatDiffer(
  sql<{ request: string; outcome: string; cost: bigint; transfer: string | null }>`
    select u.request, u.outcome, u.cost, u.transfer
    from usage u left join transfers t on t.id = u.transfer
    where (u.outcome = 'settled' and u.transfer is null and u.cost <> 0)
      or (u.transfer is not null and (t.id is null or t.kind <> 'usage'
        or t.reference <> u.request or t.organization <> u.organization
        or (u.outcome = 'settled' and t.amount <> u.cost)
        or (u.outcome = 'voided' and not exists (
          select 1 from transfers r
          where r.id = t.id || '_reversal' and r.kind = 'reversal' and r.reference = u.request
            and r.organization = u.organization and r.amount = t.amount))))`,
  ({ request, outcome, cost, transfer }) =>
    `usage ${request}: ${outcome} at a cost of ${cost}, but transfer ${transfer ?? '(none)'} does not match that`,
);

/**
 * A claim refuses repeats (MONEY 27), so its request must have been charged. (The other rows are of
 * mutations, and have JSON as their answer.) Claims are deleted months before the usage rows that
 * they name. A claim that was not deleted in time may outlive its row, so a missing row counts only
 * if the claim is younger than all deleted rows. A row is older than its claim, by less than a day.
 */
const claims = rowsThatDiffer(
  sql<{ request: string; outcome: string | null }>`
    select k.answer as request, u.outcome
    from idempotency_keys k left join usage u on u.request = k.answer
    where k.answer like 'req!_%' escape '!' and (u.outcome <> 'settled' or (u.request is null
      and k.created > coalesce((select max(f.until) from forgotten_usage f), 0) + ${sql.lit(DAY_MS)}))`,
  ({ request, outcome }) =>
    `claim of ${request}: its request was ${outcome ?? 'never recorded'}, and not charged`,
);

export const checkUsage: readonly Check[] = [costs, counts, charges, claims];

/** A forgotten usage row no longer explains its transfers; the sums kept of all such rows do. */
const unexplained = rowsThatDiffer(
  sql<{ id: string; kind: string; reference: string }>`
    select t.id, t.kind, t.reference
    from transfers t left join usage u on u.request = t.reference
      left join forgotten_usage f on f.organization = t.organization
    where (t.kind = 'usage' and (u.transfer is null or u.transfer <> t.id)
        and not (u.request is null and t.seq <= coalesce(f.transfer_seq, 0)))
      or (t.kind = 'reversal' and (u.transfer is null or u.outcome <> 'voided'
        or t.id <> u.transfer || '_reversal')
        and not (u.request is null and exists (
          select 1 from transfers c
          where c.id = replace(t.id, '_reversal', '') and t.id = c.id || '_reversal'
            and c.kind = 'usage' and c.organization = t.organization and c.amount = t.amount
            and c.reference = t.reference and c.seq <= f.transfer_seq)))`,
  ({ id, kind, reference }) =>
    `transfer ${id}: usage ${reference} does not name this ${kind} transfer`,
);

const CUSTOMER = sql`'customer:' || t.organization`;
/** The sides that each kind of transfer may have. */
const ALLOWED = Object.entries(KINDS).flatMap(([kind, { platform, towards }]) => {
  const [name, account] = [sql.lit(kind), sql.lit(platform)];
  const gained = sql`(t.kind = ${name} and t.debit = ${account} and t.credit = ${CUSTOMER})`;
  const lost = sql`(t.kind = ${name} and t.debit = ${CUSTOMER} and t.credit = ${account})`;
  if (towards === 'either') return [gained, lost];
  return towards === 'customer' ? [gained] : [lost];
});

const wrongSides = rowsThatDiffer(
  sql<{ id: string; kind: string; amount: bigint; debit: string; credit: string }>`
    select t.id, t.kind, t.amount, t.debit, t.credit from transfers t
    where t.amount <= 0 or not (${sql.join(ALLOWED, sql` or `)})`,
  ({ id, kind, amount, debit, credit }) =>
    `transfer ${id}: a ${kind} cannot move ${amount} from ${debit} to ${credit}`,
);

export const checkTransfers: readonly Check[] = [unexplained, wrongSides];
