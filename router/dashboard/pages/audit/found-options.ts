/** What the filters of the platform's audit log offer: it is found by a search, or typed as an id. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hostsQuery } from '../../api/fleet.ts';
import { organizationQuery } from '../../api/organization.ts';
import { offeredOrganizationsQuery, offeredPeopleQuery, personQuery } from '../../api/platform.ts';
import { foundByName } from '../../format/search-words.ts';
import type { FoundOptions } from '../../parts/list/found-choices.tsx';
import { OBJECT_ID } from '../../search.ts';

/** Hosts are all there at once. Of other things, the server offers a few. */
const HOSTS_OFFERED = 10;

function nameOf(organization: Readonly<{ name: string }>): string {
  return organization.name === '' ? 'Deleted organization' : organization.name;
}

export function useOrganizationOptions(ids: readonly string[]): FoundOptions {
  const [searched, onSearch] = useState('');
  const known = useQueries({ queries: ids.map((id) => organizationQuery(id)) });
  const found = useQuery({ ...offeredOrganizationsQuery(searched), enabled: searched !== '' });
  return {
    placeholder: "Name, ID or a member's email",
    chosen: ids.map((id, index) => ({ value: id, name: known[index]?.data?.name || id })),
    searched,
    found: found.data?.data.map((one) => ({ value: one.id, name: nameOf(one), note: one.id })),
    error: found.error,
    onSearch,
  };
}

/** `ids` may also be those of management tokens, which an address may have. */
export function usePeopleOptions(ids: readonly string[]): FoundOptions {
  const [searched, onSearch] = useState('');
  const known = useQueries({
    queries: ids.map((id) => ({ ...personQuery(id), enabled: id.startsWith('per_') })),
  });
  const found = useQuery({ ...offeredPeopleQuery(searched), enabled: searched !== '' });
  return {
    placeholder: 'Name or email',
    chosen: ids.map((id, index) => ({ value: id, name: known[index]?.data?.name || id })),
    searched,
    found: found.data?.data.map(({ id, name, email }) => ({ value: id, name, note: email })),
    error: found.error,
    onSearch,
  };
}

/** What was changed: an organization, a person or a host by its name, or anything by its id. */
export function useObjectOptions(id: string | undefined): FoundOptions {
  const [searched, onSearch] = useState('');
  const isAsked = searched !== '';
  const organizations = useQuery({ ...offeredOrganizationsQuery(searched), enabled: isAsked });
  const people = useQuery({ ...offeredPeopleQuery(searched), enabled: isAsked });
  const hosts = useQuery({ ...hostsQuery, enabled: isAsked || id?.startsWith('agt_') === true });
  const name = useNameOf(id, hosts.data?.data ?? []);
  const lists = [
    organizations.data?.data.map((one) => ({ value: one.id, name: nameOf(one), note: one.id })),
    people.data?.data.map((one) => ({ value: one.id, name: one.name, note: one.email })),
    hosts.data &&
      foundByName(hosts.data.data, searched)
        .slice(0, HOSTS_OFFERED)
        .map((one) => ({ value: one.id, name: one.name, note: 'Host' })),
  ];
  const isFound = lists.every((list) => list !== undefined);
  const named = lists.flatMap((list) => list ?? []);
  const isUnnamed = OBJECT_ID.test(searched) && !named.some(({ value }) => value === searched);
  const typed = isUnnamed ? [{ value: searched, name: searched }] : [];
  return {
    placeholder: 'Name or ID',
    chosen: id === undefined ? [] : [{ value: id, name }],
    searched,
    // A complete id can be chosen before the lists are loaded.
    found: isFound || isUnnamed ? [...typed, ...named] : undefined,
    error: organizations.error ?? people.error ?? hosts.error,
    onSearch,
  };
}

type Host = Readonly<{ id: string; name: string }>;

/** The name of what was changed, if a page for operators has it; otherwise its id. */
function useNameOf(id: string | undefined, hosts: readonly Host[]): string {
  const known = id ?? '';
  const isOrganization = known.startsWith('org_');
  const isPerson = known.startsWith('per_');
  const organization = useQuery({ ...organizationQuery(known), enabled: isOrganization });
  const person = useQuery({ ...personQuery(known), enabled: isPerson });
  const name = isOrganization
    ? organization.data?.name
    : isPerson
      ? person.data?.name
      : hosts.find((host) => host.id === known)?.name;
  return name || known;
}
