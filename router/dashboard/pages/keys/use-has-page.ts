import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../api/keys.ts';
import { useOrganization } from '../../session.tsx';

/**
 * Whether a key has a page. Deleted keys have none, and neither have the keys of playground
 * sessions. False while that is not known.
 */
export function useHasPage(key: string | null): boolean {
  const { data } = useQuery({ ...keysQuery(useOrganization()), enabled: key !== null });
  return data?.some(({ id }) => id === key) ?? false;
}
