/** The models with the prices that the reader pays: their organization's, or the list prices. */
import { useQuery } from '@tanstack/react-query';
import { visitorQuery } from '../../api/me.ts';
import type { Membership } from '../../api/me.ts';
import { modelsQuery } from '../../api/organization.ts';
import { publicModelsQuery } from '../../api/public-figures.ts';
import { lastOrganization } from '../../session.tsx';
import type { PricedModel } from './order.ts';

/** Returns the organization whose pages the person saw last; null for a visitor. */
export function useOwnOrganization(): Membership | null {
  const me = useQuery(visitorQuery).data ?? null;
  return me && lastOrganization(me);
}

/** Returns the query of the models, and the instant before which their figures are. */
export function usePricedModels() {
  const organization = useOwnOrganization();
  const own = useQuery({
    ...modelsQuery(organization?.id ?? ''),
    enabled: organization !== null,
  }).data;
  const query = useQuery(publicModelsQuery);
  const { data, error, refetch } = query;
  const billed = new Map(own?.data.map((model) => [model.id, model.billed]));
  const models = data?.data.map(
    (model): PricedModel => ({ ...model, billed: billed.get(model.id) ?? model.pricing }),
  );
  return { data: models, error, refetch, asOf: data?.as_of };
}
