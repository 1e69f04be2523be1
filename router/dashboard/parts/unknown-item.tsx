/** What an operator's page shows when its address names something that does not exist. */
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { ApiError } from '../api/client.ts';
import { PAGES } from '../pages.ts';
import { BackLink } from './back-link.tsx';
import { Button } from './form/button.tsx';
import { Page, Panel } from './page.tsx';
import { Empty } from './states.tsx';

/** By the first part of the path below `/operator`. */
const KINDS = {
  organizations: {
    name: 'Organization',
    title: 'This organization does not exist or was erased',
    text: 'Check that the ID in the address is complete.',
    list: PAGES.organizations,
  },
  invoices: {
    name: 'Invoice',
    title: 'This invoice does not exist',
    text: 'Check that the ID in the address is complete.',
    list: PAGES.invoices,
  },
  people: {
    name: 'Person',
    title: 'This person does not exist or was erased',
    text: 'Check that the ID in the address is complete.',
    list: PAGES.people,
  },
  hosts: {
    name: 'Host',
    title: 'This host does not exist',
    text: 'No host with this ID was enrolled. Check that the ID in the address is complete.',
    list: PAGES.fleet,
  },
  routers: {
    name: 'Router',
    title: 'This router does not exist or has left',
    text: 'A router that was stopped or restarted leaves the list, and a restarted router has a new ID.',
    list: PAGES.routers,
  },
  jobs: {
    name: 'Job',
    title: 'This job does not exist or was deleted',
    text: 'Jobs are deleted 30 days after they ended.',
    list: PAGES.jobs,
  },
  runbooks: {
    name: 'Runbook',
    title: 'This runbook does not exist',
    text: 'The alert may be of an earlier version, or its name may be misspelled.',
    list: PAGES.runbooks,
  },
} as const;

export type UnknownKind = keyof typeof KINDS;

const NOTHING = {
  name: 'Not found',
  title: 'This page does not exist',
  text: 'Check the address.',
  list: PAGES.platform,
} as const;

/** Whether an error of the API says that there is no such item. */
export function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** `kind`: null if the address is of no kind of item. */
export function UnknownItem({ kind }: { kind: UnknownKind | null }) {
  const { name, title, text, list } = kind === null ? NOTHING : KINDS[kind];
  return (
    <Page title={name} back={<BackLink to={list.path}>{list.title}</BackLink>}>
      <Panel>
        <Empty
          icon={<SearchX />}
          title={title}
          action={
            <Button asChild look="primary">
              <Link to={list.path}>Back to {list.title.toLowerCase()}</Link>
            </Button>
          }
        >
          {text}
        </Empty>
      </Panel>
    </Page>
  );
}

/** For an address whose ID cannot be one: `/operator/jobs/nothing`. */
export default function UnknownAddress({ pathname }: { pathname: string }) {
  const section = pathname.split('/')[2] ?? '';
  return <UnknownItem kind={Object.hasOwn(KINDS, section) ? (section as UnknownKind) : null} />;
}
