/**
 * Prices agreed with single organizations. A rate points at an immutable price version, and a hold
 * keeps the version it was made with, so that a change takes effect with the next request
 * (MONEY 5, 11).
 */
import type { OrganizationId } from '../../shared/ids.ts';
import { type Price, picoUsd } from '../../shared/money.ts';
import { bumpEpoch } from '../ledger/epoch.ts';
import { lockOrganization } from '../ledger/locks.ts';
import { addPrice } from '../ledger/prices.ts';
import type { PriceVersion } from '../ledger/terms.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../store/procedure.ts';

export type Rate = PriceVersion & Readonly<{ created: number }>;

/** Sets an organization's price for a model. `unknown`: there is no such organization. */
export const setRate = writeProcedure<
  Readonly<{
    organization: OrganizationId;
    model: string;
    price: Price;
    /** ms since the epoch. */
    created: number;
  }>,
  Rate | 'unknown'
>(
  'setRate',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, model, price, created }) => {
    if (!(await lockOrganization(db, organization))) return 'unknown';
    await bumpEpoch(db, organization);
    const version = await addPrice(db, { model, price, organization }, created);
    const to = { price: version.id, created: milliseconds(created) };
    await db
      .insertInto('rates')
      .values({ organization, model, ...to })
      .onConflict((conflict) => conflict.columns(['organization', 'model']).doUpdateSet(to))
      .execute();
    return { ...version, created };
  },
);

/** Returns a model to its list price. `unknown`: no such organization, or no rate was agreed. */
export const removeRate = writeProcedure<
  Readonly<{ organization: OrganizationId; model: string }>,
  'done' | 'unknown'
>(
  'removeRate',
  { invalidates: ({ organization }) => organization },
  async (db, { organization, model }) => {
    if (!(await lockOrganization(db, organization))) return 'unknown';
    const rate = await db
      .selectFrom('rates')
      .select('price')
      .where('organization', '=', organization)
      .where('model', '=', model)
      .executeTakeFirst();
    if (!rate) return 'unknown';
    await bumpEpoch(db, organization);
    await db
      .deleteFrom('rates')
      .where('organization', '=', organization)
      .where('model', '=', model)
      .execute();
    return 'done';
  },
);

/** Lists rates by model, starting after the model `after`. */
export const listRates = readProcedure<
  Readonly<{ organization: OrganizationId; after: string | null; limit: number }>,
  readonly Rate[]
>('listRates', async (db, { organization, after, limit }) => {
  let query = db
    .selectFrom('rates as r')
    .innerJoin('prices as p', 'p.id', 'r.price')
    .select(['p.id', 'r.model', 'p.prompt', 'p.completion', 'p.cached', 'r.created'])
    .where('r.organization', '=', organization)
    .orderBy('r.model')
    .limit(limit);
  if (after !== null) query = query.where('r.model', '>', after);
  return (await query.execute()).map(({ id, model, created, ...price }) => ({
    id,
    model,
    price: {
      prompt: picoUsd(price.prompt),
      completion: picoUsd(price.completion),
      cached: picoUsd(price.cached),
    },
    created: Number(created),
  }));
});
