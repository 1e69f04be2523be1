/** What is measured of the models, for the models page of an organization. */
import { useQuery } from '@tanstack/react-query';
import type { PublicModel } from '../../../../shared/api/public-figures.ts';
import { organizationQuery } from '../../api/organization.ts';
import { publicModelsQuery } from '../../api/public-figures.ts';
import { useOrganization } from '../../session.tsx';
import { type State, stateIn } from '../catalog/states.tsx';

export type MeasuredModel = Readonly<{
  /** In the region of the organization. Null until the region is known. */
  state: State | null;
  figures: PublicModel['figures']['day'];
  uptime: PublicModel['uptime'];
}>;

/**
 * Returns what is measured of a model, as the catalog shows it: the figures of 24 hours. Null until
 * it is known, or if it cannot be read.
 */
export function useMeasured(): (model: string) => MeasuredModel | null {
  const region = useQuery(organizationQuery(useOrganization())).data?.region;
  const models = useQuery(publicModelsQuery).data?.data;
  const byId = new Map(models?.map((model) => [model.id, model]));
  return (id) => {
    const model = byId.get(id);
    if (model === undefined) return null;
    const { regions, figures, uptime } = model;
    return { state: region ? stateIn(regions, region) : null, figures: figures.day, uptime };
  };
}
