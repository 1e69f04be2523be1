/** A document for operators to which a runbook refers, as the build has it from `docs/`. */
import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { PAGES } from '../../../pages.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { UnknownItem } from '../../../parts/unknown-item.tsx';
import { DOCUMENTS, type DocumentName, isDocument } from './documents.ts';
import { MarkdownText } from './markdown-text.tsx';

type Text = ComponentType<{ components: object }>;

const TEXTS: Readonly<Record<DocumentName, Text>> = {
  backup: lazy(() => import('../../../../../docs/backup.md')),
  hosts: lazy(() => import('../../../../../docs/hosts.md')),
  'load-balancers': lazy(() => import('../../../../../docs/load-balancers.md')),
  money: lazy(() => import('../../../../../docs/money.md')),
  processes: lazy(() => import('../../../../../docs/processes.md')),
  regions: lazy(() => import('../../../../../docs/regions.md')),
  secrets: lazy(() => import('../../../../../docs/secrets.md')),
  sizing: lazy(() => import('../../../../../docs/sizing.md')),
  upgrades: lazy(() => import('../../../../../docs/upgrades.md')),
};

export default function DocumentPage() {
  const { document: name = '' } = useParams({ strict: false });
  if (!isDocument(name)) return <UnknownItem kind={null} />;
  return (
    <Page
      title={DOCUMENTS[name]}
      back={<BackLink to={PAGES.runbooks.path}>{PAGES.runbooks.title}</BackLink>}
    >
      <Panel>
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <MarkdownText key={name} text={TEXTS[name]} />
        </Suspense>
      </Panel>
    </Page>
  );
}
