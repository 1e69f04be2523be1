/** Filters of the platform's audit log, whose organizations and people are found by a search. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationQuery } from '../../api/organization.ts';
import { offeredOrganizationsQuery, offeredPeopleQuery, personQuery } from '../../api/platform.ts';
import { Finder } from '../../parts/finder.tsx';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';

type FilterProps = Readonly<{
  /** The id of what is chosen. */
  id: string | undefined;
  onChange: (id: string | undefined) => void;
}>;

export function OrganizationFilter({ id, onChange }: FilterProps) {
  const [search, setSearch] = useState('');
  const chosen = useQuery({ ...organizationQuery(id ?? ''), enabled: id !== undefined });
  const found = useQuery({ ...offeredOrganizationsQuery(search), enabled: search !== '' });
  return (
    <Finder
      label="Organization"
      placeholder="Name, ID or a member's email"
      charsMax={SEARCH_CHARS_MAX}
      chosen={id === undefined ? null : chosen.data?.name || id}
      found={found.data?.data.map((one) => ({
        id: one.id,
        name: one.name === '' ? 'Deleted organization' : one.name,
        note: one.id,
      }))}
      onSearch={setSearch}
      onChoose={(organization) => onChange(organization ?? undefined)}
    />
  );
}

/** Also shows a management token, whose id an address may have. */
export function PersonFilter({ id, onChange }: FilterProps) {
  const [search, setSearch] = useState('');
  const isPerson = id?.startsWith('per_') === true;
  const chosen = useQuery({ ...personQuery(id ?? ''), enabled: isPerson });
  const found = useQuery({ ...offeredPeopleQuery(search), enabled: search !== '' });
  return (
    <Finder
      label="Changed by"
      placeholder="Name or email"
      charsMax={SEARCH_CHARS_MAX}
      chosen={id === undefined ? null : chosen.data?.name || id}
      found={found.data?.data.map((one) => ({ id: one.id, name: one.name, note: one.email }))}
      onSearch={setSearch}
      onChoose={(person) => onChange(person ?? undefined)}
    />
  );
}
