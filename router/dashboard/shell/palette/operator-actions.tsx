/** What administrators of the platform do from anywhere. Each action leads to its dialog. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, CirclePlay, Megaphone, Plus, ServerOff } from 'lucide-react';
import type { Agent } from '../../../../shared/api/agents.ts';
import type { OrganizationEntry } from '../../../../shared/api/organizations.ts';
import type { Me } from '../../../../shared/api/people.ts';
import { REGION_NAMES } from '../../../../shared/region.ts';
import { fleetQuery, hostsQuery } from '../../api/fleet.ts';
import { isAdministrator } from '../../api/me.ts';
import { organizationsQuery } from '../../api/platform.ts';
import { PAGES } from '../../pages.ts';
import type { Entry, EntryGroup } from './entry.ts';
import { hindranceOf } from './host-hindrance.ts';
import { type Asked, askedIn, VERBS, type VerbName, wordsFor } from './verbs.ts';

const OPERATOR = 'Operator';
/** From this many characters of its name on, an organization is searched for. */
const SEARCHED_CHARS = 2;

const ICONS: Readonly<Record<VerbName, Entry['icon']>> = {
  drain: <ServerOff />,
  undrain: <CirclePlay />,
  suspend: <Ban />,
  resume: <CirclePlay />,
};

/** `settled`: the search once the person stops typing. */
export function useOperatorActions(me: Me, settled: string): EntryGroup {
  const asked = askedIn(settled);
  const isOne = useOnes(isAdministrator(me) ? asked : null);
  const always = useAlways();
  if (!isAdministrator(me)) return { title: 'Operator actions', entries: [] };
  return { title: 'Operator actions', entries: [...always, ...isOne] };
}

/** The actions that need no name, and the verbs that wait for one. */
function useAlways(): readonly Entry[] {
  const navigate = useNavigate();
  const verbs = (Object.keys(VERBS) as VerbName[]).map((verb): Entry => {
    const { title, words } = VERBS[verb];
    return {
      key: `action ${verb}`,
      icon: ICONS[verb],
      name: `${title} …`,
      note: OPERATOR,
      words,
      fills: `${words[0]} `,
    };
  });
  return [
    {
      key: 'action incident',
      icon: <Megaphone />,
      name: 'Report an incident',
      note: OPERATOR,
      words: ['start incident', 'open incident', 'declare incident', 'outage', 'downtime'],
      open: () => navigate({ to: PAGES.incidents.path, search: { report: true } }),
    },
    {
      key: 'action enrol',
      icon: <Plus />,
      name: 'Enrol a host',
      note: OPERATOR,
      words: [
        'enroll a host',
        'enrol an agent',
        'enroll an agent',
        'add a host',
        'add host',
        'new host',
        'add a gpu',
        'join token',
      ],
      open: () => navigate({ to: PAGES.fleet.path, search: { open: 'enrol' } as never }),
    },
    ...verbs,
  ];
}

/** The hosts or organizations whose name follows a verb. */
function useOnes(asked: Asked | null): readonly Entry[] {
  const navigate = useNavigate();
  const isOfHost = asked !== null && VERBS[asked.verb].of === 'host';
  const isSearched = asked !== null && !isOfHost && asked.name.length >= SEARCHED_CHARS;
  const hosts = useQuery({ ...hostsQuery, enabled: isOfHost }).data?.data ?? [];
  const fleet = useQuery({ ...fleetQuery, enabled: isOfHost }).data;
  const status = asked?.verb === 'resume' ? 'suspended' : 'active';
  const found = useInfiniteQuery({
    ...organizationsQuery({ search: asked?.name, status }),
    enabled: isSearched,
  });
  if (asked === null) return [];
  const { verb, name } = asked;
  const entryOf = (one: Agent | OrganizationEntry) => ({
    key: `action ${verb} ${one.id}`,
    icon: ICONS[verb],
    name: `${VERBS[verb].title} ${one.name}`,
    words: wordsFor(verb, one.name),
    // The search has found it, by its name, its id or the address of a member.
    isFound: true,
  });
  if (verb === 'drain' || verb === 'undrain') {
    const named = hosts
      .filter((host) => host.state !== 'revoked' && isNamed(host, name))
      .map((host) => ({ host, hindrance: fleet ? hindranceOf(verb, host, fleet.workers) : null }));
    const ready = named.filter(({ hindrance }) => hindrance === null);
    const hindered = named.filter(({ hindrance }) => hindrance !== null);
    return [...ready, ...hindered].map(({ host, hindrance }) => ({
      ...entryOf(host),
      note: hindrance ?? REGION_NAMES[host.region],
      open: () =>
        navigate({
          to: PAGES.host.path,
          params: { agent: host.id },
          search: (hindrance === null ? { open: verb } : {}) as never,
        }),
    }));
  }
  // While the next answer is awaited, only those stay that fit what is typed now.
  const fits = (one: OrganizationEntry) =>
    !found.isPlaceholderData || (one.status === status && isNamed(one, name));
  return ((isSearched && found.data) || []).filter(fits).map((organization) => ({
    ...entryOf(organization),
    note: organization.id,
    open: () =>
      navigate({
        to: PAGES.anOrganization.path,
        params: { organization: organization.id },
        search: { open: verb } as never,
      }),
  }));
}

function isNamed({ id, name }: Readonly<{ id: string; name: string }>, text: string): boolean {
  return id === text || name.toLowerCase().includes(text.toLowerCase());
}
