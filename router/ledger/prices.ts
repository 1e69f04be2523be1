/** Immutable price versions (MONEY 5). The id is a digest, so that equal figures share one row. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId, PriceId } from '../../shared/ids.ts';
import type { Price } from '../../shared/money.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, writeProcedure } from '../store/procedure.ts';
import type { Store } from '../store/store.ts';
import type { PriceVersion } from './terms.ts';

export type PriceQuery = Readonly<{
  model: string;
  price: Price;
  /** The only organization that the price applies to; absent for a list price. */
  organization?: OrganizationId;
}>;

const ID_CHARS = 26;

/** The id of these figures; the same in every store. */
export function priceId({ model, price, organization }: PriceQuery): PriceId {
  const { prompt, completion, cached } = price;
  const figures = [model, organization ?? '', `${prompt}`, `${completion}`, `${cached}`];
  const digest = createHash('sha256').update(JSON.stringify(figures)).digest('hex');
  return `prc_${digest.slice(0, ID_CHARS)}` as PriceId;
}

/** Stores one price version, within a procedure's transaction. */
export async function addPrice(db: Db, query: PriceQuery, created: number): Promise<PriceVersion> {
  const { model, price, organization = null } = query;
  const id = priceId(query);
  await db
    .insertInto('prices')
    .values({ id, model, organization, ...price, created: milliseconds(created) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return { id, model, price };
}

export const insertPrices = writeProcedure(
  'insertPrices',
  async (
    db,
    { prices, created }: Readonly<{ prices: readonly PriceQuery[]; created: number }>,
  ): Promise<readonly PriceVersion[]> => {
    const versions = new Map<PriceId, PriceVersion>();
    // In the order of their ids, so that two routers that insert the same prices cannot deadlock.
    for (const [id, query] of prices.map((one) => [priceId(one), one] as const).toSorted(byId)) {
      versions.set(id, await addPrice(db, query, created));
    }
    return prices.map((query) => versions.get(priceId(query)) as PriceVersion);
  },
);

function byId([a]: readonly [PriceId, PriceQuery], [b]: readonly [PriceId, PriceQuery]): number {
  return a < b ? -1 : 1;
}

/** Stores prices, so that holds can name them. Returns the versions in the order of `prices`. */
export function ensurePrices(
  parts: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>,
  prices: readonly PriceQuery[],
): Promise<readonly PriceVersion[]> {
  return parts.store.call(insertPrices, { prices, created: parts.clock.now() });
}
