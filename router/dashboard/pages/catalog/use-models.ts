/** The models with the prices that the reader pays: their organization's, or the list prices. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Region } from '../../../../shared/region.ts';
import { mayDo } from '../../../control/permissions.ts';
import { type Membership, meQuery, visitorQuery } from '../../api/me.ts';
import { modelsQuery, organizationQuery } from '../../api/organization.ts';
import { publicModelsQuery } from '../../api/public-figures.ts';
import { lastOrganization } from '../../session.tsx';
import type { PricedModel } from './order.ts';

/** The organization whose pages the reader saw last, and what the reader may do there. */
type Own = Readonly<{ organization: Membership; mayChat: boolean; mayCreateKeys: boolean }>;

/** Returns null for a visitor, and for a person without an organization. */
export function useOwn(): Own | null {
  const visitor = useQuery(visitorQuery).data;
  // A person who comes from another page of the dashboard is already known.
  const known = useQueryClient().getQueryData(meQuery.queryKey);
  const me = visitor === undefined ? (known ?? null) : visitor;
  const organization = me && lastOrganization(me);
  if (me === null || organization === null) return null;
  const may = (permission: 'playground' | 'keys') =>
    me.operator || mayDo(organization.role, permission);
  return { organization, mayChat: may('playground'), mayCreateKeys: may('keys') };
}

/** Returns the region of the reader's organization; null if there is none, or until it is known. */
export function useOwnRegion(): Region | null {
  const id = useOwn()?.organization.id;
  return (
    useQuery({ ...organizationQuery(id ?? ''), enabled: id !== undefined }).data?.region ?? null
  );
}

/**
 * Returns the query of the models, the instant before which their figures are, and whether the
 * prices are those of the reader's organization. List prices take their place if they cannot be read.
 */
export function usePricedModels() {
  const own = useOwn();
  const id = own?.organization.id ?? '';
  const priced = useQuery({ ...modelsQuery(id), enabled: own !== null });
  const query = useQuery(publicModelsQuery);
  const { data, error, refetch } = query;
  const billed = new Map(priced.data?.data.map((model) => [model.id, model.billed]));
  const models = data?.data.map(
    (model): PricedModel => ({ ...model, billed: billed.get(model.id) ?? model.pricing }),
  );
  // No list price is taken for the reader's own.
  const isKnown = own === null || !priced.isPending;
  return {
    data: isKnown ? models : undefined,
    error,
    refetch,
    asOf: data?.as_of,
    areOwn: priced.data !== undefined,
  };
}
