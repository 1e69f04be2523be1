import { Link, useRouterState } from '@tanstack/react-router';
import {
  Activity,
  BookOpen,
  Boxes,
  Building2,
  ChartColumn,
  CreditCard,
  FileText,
  Gauge,
  House,
  KeyRound,
  LayoutDashboard,
  LifeBuoy,
  ListChecks,
  Logs,
  MessagesSquare,
  Network,
  ScrollText,
  Settings,
  Siren,
  UserCog,
  UserRoundSearch,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { PAGES, type PageName } from '../pages.ts';
import { useMaySee, useMe } from '../session.tsx';
import { LinkGroup } from './link-group.tsx';
import { type Group, pagesOf } from './page-groups.ts';

export const PAGE_ICONS: Partial<Record<PageName, ReactNode>> = {
  overview: <LayoutDashboard />,
  playground: <MessagesSquare />,
  models: <Boxes />,
  keys: <KeyRound />,
  usage: <ChartColumn />,
  docs: <BookOpen />,
  status: <Activity />,
  logs: <Logs />,
  billing: <CreditCard />,
  members: <Users />,
  webhooks: <Webhook />,
  settings: <Settings />,
  audit: <ScrollText />,
  platform: <House />,
  fleet: <Gauge />,
  organizations: <Building2 />,
  payments: <Wallet />,
  invoices: <FileText />,
  people: <UserRoundSearch />,
  operators: <UserCog />,
  routers: <Network />,
  jobs: <ListChecks />,
  incidents: <Siren />,
  runbooks: <LifeBuoy />,
  platformAudit: <ScrollText />,
};

/** Links to the pages of an organization, without those that the role may not see. */
export function OrganizationLinks({ organization }: { organization: string }) {
  const maySee = useMaySee();
  const links = (group: Group) =>
    pagesOf(group)
      .filter((name) => maySee(PAGES[name].needs))
      .map((name) => <PageLink key={name} {...{ name, organization }} />);
  return (
    <>
      <LinkGroup group="build">{links('build')}</LinkGroup>
      <LinkGroup group="organization">{links('organization')}</LinkGroup>
    </>
  );
}

export function OperatorLinks() {
  const { operator } = useMe();
  if (!operator) return null;
  return (
    <LinkGroup group="operator">
      {pagesOf('operator').map((name) => (
        <PageLink key={name} name={name} organization="" />
      ))}
    </LinkGroup>
  );
}

export function LinksHeading({ children }: { children: ReactNode }) {
  return <p className="mt-4 truncate px-2 text-xs font-medium">{children}</p>;
}

/** Where the pages below a page are, if they do not have its address. */
const BELOW: Readonly<Partial<Record<PageName, string>>> = {
  fleet: '/operator/hosts/',
  runbooks: '/operator/documents/',
};

type PageLinkProps = Readonly<{ name: PageName; organization: string }>;

function PageLink({ name, organization }: PageLinkProps) {
  const { path, title } = PAGES[name];
  const exact = name === 'overview' || name === 'platform';
  const below = BELOW[name];
  const isAbove = useRouterState({
    select: ({ location }) => below !== undefined && location.pathname.startsWith(below),
  });
  return (
    <li>
      <Link
        to={path}
        params={{ organization }}
        activeOptions={{ exact, includeSearch: false }}
        data-above={isAbove || undefined}
        className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm text-muted hover:bg-hover hover:text-ink max-lg:min-h-11 data-above:bg-hover data-above:font-medium data-above:text-ink data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink [&_svg]:size-4"
      >
        {PAGE_ICONS[name]}
        {title}
      </Link>
    </li>
  );
}
