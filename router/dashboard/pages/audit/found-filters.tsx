/** Filters of the platform's audit log, whose organizations and people are found by a search. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationQuery } from '../../api/organization.ts';
import { offeredOrganizationsQuery, offeredPeopleQuery, personQuery } from '../../api/platform.ts';
import { Finder } from '../../parts/list/finder.tsx';
import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';

type FilterProps = Readonly<{
  /** The ids of what is chosen. */
  ids: readonly string[];
  onChange: (ids: readonly string[]) => void;
}>;

export function OrganizationsFilter({ ids, onChange }: FilterProps) {
  const [search, setSearch] = useState('');
  const known = useQueries({ queries: ids.map((id) => organizationQuery(id)) });
  const found = useQuery({ ...offeredOrganizationsQuery(search), enabled: search !== '' });
  return (
    <Finder
      label="Organization"
      placeholder="Name, ID or a member's email"
      charsMax={SEARCH_CHARS_MAX}
      chosen={ids.map((id, index) => ({ id, name: known[index]?.data?.name || id }))}
      most={FILTER_VALUES_MAX}
      found={found.data?.data.map((one) => ({
        id: one.id,
        name: one.name === '' ? 'Deleted organization' : one.name,
        note: one.id,
      }))}
      onSearch={setSearch}
      onChoose={onChange}
    />
  );
}

/** Also shows management tokens, whose ids an address may have. */
export function PeopleFilter({ ids, onChange }: FilterProps) {
  const [search, setSearch] = useState('');
  const known = useQueries({
    queries: ids.map((id) => ({ ...personQuery(id), enabled: id.startsWith('per_') })),
  });
  const found = useQuery({ ...offeredPeopleQuery(search), enabled: search !== '' });
  return (
    <Finder
      label="Changed by"
      placeholder="Name or email"
      charsMax={SEARCH_CHARS_MAX}
      chosen={ids.map((id, index) => ({ id, name: known[index]?.data?.name || id }))}
      most={FILTER_VALUES_MAX}
      found={found.data?.data.map((one) => ({ id: one.id, name: one.name, note: one.email }))}
      onSearch={setSearch}
      onChoose={onChange}
    />
  );
}
