/** The states of the models in the region of the organization. */
import { useQuery } from '@tanstack/react-query';
import { organizationQuery } from '../../api/organization.ts';
import { statusQuery } from '../../api/public-figures.ts';
import { useOrganization } from '../../session.tsx';
import type { State } from '../catalog/states.tsx';

/**
 * Returns the state of each model by its id, as the status page shows it. Null until it is known, or
 * if it cannot be read.
 */
export function useStates(): ((model: string) => State) | null {
  const region = useQuery(organizationQuery(useOrganization())).data?.region;
  const models = useQuery(statusQuery).data?.models;
  if (region === undefined || models === undefined) return null;
  const states = new Map(
    models.map(({ id, regions }) => [id, regions.find((one) => one.region === region)?.state]),
  );
  return (model) => states.get(model) ?? 'no_data';
}
