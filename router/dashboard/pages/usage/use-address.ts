import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { type UsageSearch, usageSearch } from '../../search.ts';
import { changed, type UsageChange } from './address.ts';

/** The state in the address bar, and a function that changes it. */
export type Address = Readonly<{ search: UsageSearch; change: (change: UsageChange) => void }>;

export function useAddress(): Address {
  const search = useSearch({ from: '/signed-in/organization/$organization/usage' });
  const go = useSearchChange(usageSearch, { replaces: false });
  const change = (wanted: UsageChange) => go((before) => changed(before, wanted));
  return { search, change };
}
