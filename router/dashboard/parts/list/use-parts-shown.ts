import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

/**
 * Returns how many rows of a list are shown, and a function that shows another part of them. The
 * number is kept as long as the pages of lists that are loaded in parts, so that whoever goes back to
 * the list finds the same rows. `list` names it, as the key of a query.
 */
export function usePartsShown(list: readonly unknown[], part: number): [number, () => void] {
  const queries = useQueryClient();
  const queryKey = ['rows shown', ...list];
  const { data: most = part } = useQuery<number>({ queryKey, queryFn: skipToken });
  return [most, () => queries.setQueryData(queryKey, most + part)];
}
