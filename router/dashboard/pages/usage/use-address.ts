import { useNavigate, useSearch } from '@tanstack/react-router';
import type { UsageSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { changed, type UsageChange } from './address.ts';

/** The state in the address bar, and a function that changes it. */
export type Address = Readonly<{ search: UsageSearch; change: (change: UsageChange) => void }>;

export function useAddress(): Address {
  const organization = useOrganization();
  const search = useSearch({ from: '/signed-in/organization/$organization/usage' });
  const navigate = useNavigate();
  const change = (wanted: UsageChange) =>
    void navigate({
      to: '/$organization/usage',
      params: { organization },
      search: changed(search, wanted),
      resetScroll: false,
    });
  return { search, change };
}
