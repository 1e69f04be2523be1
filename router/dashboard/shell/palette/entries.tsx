/**
 * What the palette finds: the pages that the role may see, and the models, keys and members of the
 * organization; for operators also organizations, people, hosts, routers and open incidents.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  Boxes,
  Building2,
  KeyRound,
  LifeBuoy,
  Megaphone,
  Network,
  Receipt,
  Server,
  UserRound,
} from 'lucide-react';
import type { Me } from '../../../../shared/api/people.ts';
import type { OperatorUsageDetail } from '../../../../shared/api/usage.ts';
import { REGION_NAMES } from '../../../../shared/region.ts';
import { get } from '../../api/client.ts';
import { hostsQuery, routersQuery } from '../../api/fleet.ts';
import { openIncidentsQuery } from '../../api/incidents.ts';
import { keysQuery } from '../../api/keys.ts';
import { membersQuery } from '../../api/members.ts';
import { modelsQuery } from '../../api/organization.ts';
import { organizationsQuery, peopleQuery } from '../../api/platform.ts';
import { routerName } from '../../../../shared/router-names.ts';
import { requestIdIn } from '../../format/request-id.ts';
import { VIEW_NAMES } from '../../pages/billing/view-names.ts';
import { modelParams } from '../../pages/catalog/model-params.ts';
import { INCIDENT_STATES } from '../../pages/status/incident-states.ts';
import { isOperatorPath, PAGES, type PageName } from '../../pages.ts';
import { useMay, useMaySee } from '../../session.tsx';
import { PAGE_ICONS } from '../navigation.tsx';
import type { EntryGroup } from './entry.ts';
import { BILLING_KEYWORDS, KEYWORDS } from './keywords.ts';

/** The groups of the shown organization; empty ones when none is shown. */
export function useOrganizationGroups(shown: string | null): readonly EntryGroup[] {
  const organization = shown ?? '';
  const enabled = shown !== null;
  const navigate = useNavigate();
  const mayChat = useMay('playground');
  const models = useQuery({ ...modelsQuery(organization), enabled }).data?.data ?? [];
  const keys = useQuery({ ...keysQuery(organization), enabled }).data ?? [];
  const members = useQuery({ ...membersQuery(organization), enabled }).data?.data ?? [];
  const params = { organization };
  return [
    {
      title: 'Models',
      entries: models.map(({ id, name }) => ({
        key: id,
        icon: <Boxes />,
        name,
        note: id,
        words: [id],
        open: () =>
          mayChat
            ? navigate({ to: PAGES.playground.path, params, search: { model: id } })
            : navigate({ to: '/catalog/$namespace/$name', params: modelParams(id) }),
      })),
    },
    {
      title: 'API keys',
      entries: keys.map(({ id, name, label }) => ({
        key: id,
        icon: <KeyRound />,
        name,
        note: label,
        words: [id, label],
        open: () => navigate({ to: PAGES.key.path, params: { organization, key: id } }),
      })),
    },
    {
      title: 'Members',
      entries: members.map(({ id, person, name, email }) => ({
        key: id,
        icon: <UserRound />,
        name,
        note: email,
        words: [id, person, email],
        open: () => navigate({ to: PAGES.members.path, params }),
      })),
    },
  ];
}

/** The request whose id was pasted. Operators find requests of all organizations. */
export function useRequestGroup(
  search: string,
  { operator }: Me,
  shown: string | null,
): EntryGroup {
  const navigate = useNavigate();
  const request = requestIdIn(search);
  const owner = useQuery({
    queryKey: ['platform', 'request', request],
    queryFn: ({ signal }) => get<OperatorUsageDetail>(`/requests/${request}`, {}, signal),
    enabled: operator && request !== null,
  });
  // Without an answer, the page of the request says that there is no such request.
  const organization = owner.data?.organization_id ?? shown;
  if (request === null || organization === null || owner.isLoading)
    return { title: 'Request', entries: [] };
  const open = () => navigate({ to: PAGES.request.path, params: { organization, request } });
  const entry = { key: request, icon: <Receipt />, name: request, words: [search], open };
  return { title: 'Request', entries: [entry] };
}

const BILLING = ['activity', 'payments', 'statements', 'budget'] as const;

/**
 * Every page of the navigation, and those of the person and of visitors. On an operator's page, those
 * of operators are the first.
 */
export function usePageGroup(organization: string | null): EntryGroup {
  const maySee = useMaySee();
  const navigate = useNavigate();
  const isOperating = isOperatorPath(useLocation().pathname);
  const names = (Object.keys(PAGES) as PageName[]).filter((name) => {
    const { group, needs } = PAGES[name];
    if (needs === 'person' || needs === 'visitor') return true;
    if (group === null || (group !== 'operator' && organization === null)) return false;
    return maySee(needs);
  });
  const params = { organization: organization ?? '' };
  const ofOperators = names.filter((name) => PAGES[name].group === 'operator');
  const ordered = isOperating
    ? [...ofOperators, ...names.filter((name) => !ofOperators.includes(name))]
    : names;
  return {
    title: 'Pages',
    entries: [
      ...ordered.map((name) => ({
        key: `page ${name}`,
        icon: PAGE_ICONS[name] ?? <UserRound />,
        name: PAGES[name].title,
        words: KEYWORDS[name] ?? [],
        ...(PAGES[name].group === 'operator' && {
          note: 'Operator',
          words: ['operator', ...(KEYWORDS[name] ?? [])],
        }),
        open: () => navigate({ to: PAGES[name].path, params } as never),
      })),
      ...(names.includes('billing') ? BILLING : []).map((view) => ({
        key: `page billing ${view}`,
        icon: PAGE_ICONS.billing,
        name: VIEW_NAMES[view],
        note: PAGES.billing.title,
        words: BILLING_KEYWORDS[view],
        open: () => navigate({ to: PAGES.billing.path, params, search: { view } }),
      })),
    ],
  };
}

/** The person's organizations, to switch between them. */
export function useOwnGroup({ organizations }: Me, shown: string | null): EntryGroup {
  const navigate = useNavigate();
  return {
    title: 'Switch organization',
    entries: organizations
      .filter(({ id }) => id !== shown)
      .map(({ id, name }) => ({
        key: `own ${id}`,
        icon: <Building2 />,
        name,
        words: [id],
        open: () => navigate({ to: '/$organization', params: { organization: id } }),
      })),
  };
}

/** From this many characters on, all organizations are searched. */
const SEARCHED_CHARS = 2;

/** The texts of runbooks are loaded for operators only. */
const runbooksQuery = {
  queryKey: ['runbooks'],
  queryFn: async () => (await import('virtual:runbooks')).GROUPS,
  staleTime: Infinity,
};

/**
 * For operators: customers, people, hosts, routers, open incidents and runbooks. `settled` is the search
 * once the person stops typing.
 */
export function useOperatorGroups(me: Me, settled: string): readonly EntryGroup[] {
  const navigate = useNavigate();
  const isAsked = me.operator && settled.length >= SEARCHED_CHARS;
  const found = useInfiniteQuery({ ...organizationsQuery({ search: settled }), enabled: isAsked });
  const people = useInfiniteQuery({ ...peopleQuery(settled), enabled: isAsked });
  const hosts = useQuery({ ...hostsQuery, enabled: me.operator }).data?.data ?? [];
  const routers = useQuery({ ...routersQuery, enabled: me.operator }).data?.data ?? [];
  const runbooks = useQuery({ ...runbooksQuery, enabled: me.operator }).data ?? [];
  const incidents = useQuery({ ...openIncidentsQuery, enabled: me.operator }).data?.data ?? [];
  if (!me.operator) return [];
  // What an earlier search has found must not be opened for this one.
  const isOfThis = (list: Readonly<{ isPlaceholderData: boolean }>) =>
    isAsked && !list.isPlaceholderData;
  return [
    {
      title: 'Customers',
      // The API also finds them by their members' addresses.
      entries: ((isOfThis(found) && found.data) || []).map(({ id, name }) => ({
        key: id,
        icon: <Building2 />,
        name,
        note: id,
        words: [id],
        isFound: true,
        open: () => navigate({ to: PAGES.anOrganization.path, params: { organization: id } }),
      })),
    },
    {
      title: 'People',
      entries: ((isOfThis(people) && people.data) || []).map(({ id, name, email }) => ({
        key: id,
        icon: <UserRound />,
        name,
        note: email,
        words: [email],
        isFound: true,
        open: () => navigate({ to: PAGES.person.path, params: { person: id } }),
      })),
    },
    {
      title: 'Hosts',
      entries: hosts.map(({ id, name, region }) => ({
        key: id,
        icon: <Server />,
        name,
        note: REGION_NAMES[region],
        words: [id, region],
        open: () => navigate({ to: PAGES.host.path, params: { agent: id } }),
      })),
    },
    {
      title: 'Routers',
      entries: routers.map((router) => ({
        key: router.id,
        icon: <Network />,
        name: routerName(router),
        note: router.regions.map((region) => REGION_NAMES[region]).join(', '),
        words: [router.id, ...router.regions],
        open: () => navigate({ to: PAGES.router.path, params: { router: router.id } }),
      })),
    },
    {
      title: 'Open incidents',
      entries: incidents.map(({ id, title, state, models }) => ({
        key: id,
        icon: <Megaphone />,
        name: title,
        note: INCIDENT_STATES[state].name,
        words: ['incident', id, ...models],
        open: () => navigate({ to: PAGES.incidents.path, hash: id }),
      })),
    },
    {
      title: 'Runbooks',
      entries: runbooks.flatMap((group) =>
        group.runbooks.map(({ name, title, first }) => ({
          key: `runbook ${name}`,
          icon: <LifeBuoy />,
          name: title,
          note: first,
          words: [name, group.title],
          open: () => navigate({ to: PAGES.runbook.path, params: { runbook: name } }),
        })),
      ),
    },
  ];
}
