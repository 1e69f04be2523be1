/** A document for operators to which a runbook refers, as the build has it from `docs/`. */
import { Link, useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { PAGES } from '../../../pages.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { UnknownItem } from '../../../parts/unknown-item.tsx';
import type { DocsHeading } from '../../docs/contents.ts';
import { listed } from '../../docs/listed.ts';
import { OnThisPage } from '../../docs/on-this-page.tsx';
import { DOCUMENTS, type DocumentName, isDocument } from './documents.ts';
import { MarkdownText } from './markdown-text.tsx';

type Text = ComponentType<{ components: object }>;

const TEXTS: Readonly<Record<DocumentName, Text>> = {
  backup: lazy(() => import('../../../../../docs/backup.md')),
  hosts: lazy(() => import('../../../../../docs/hosts.md')),
  'load-balancers': lazy(() => import('../../../../../docs/load-balancers.md')),
  money: lazy(() => import('../../../../../docs/money.md')),
  performance: lazy(() => import('../../../../../docs/performance.md')),
  processes: lazy(() => import('../../../../../docs/processes.md')),
  regions: lazy(() => import('../../../../../docs/regions.md')),
  secrets: lazy(() => import('../../../../../docs/secrets.md')),
  sizing: lazy(() => import('../../../../../docs/sizing.md')),
  upgrades: lazy(() => import('../../../../../docs/upgrades.md')),
  'who-pays': lazy(() => import('../../../../../docs/who-pays.md')),
};

const NAMES = Object.keys(DOCUMENTS) as DocumentName[];

export default function DocumentPage() {
  const { document: name = '' } = useParams({ strict: false });
  if (!isDocument(name)) return <UnknownItem kind={null} />;
  // The headings of one document do not stay when another is opened.
  return <Document key={name} name={name} />;
}

function Document({ name }: { name: DocumentName }) {
  const [headings, setHeadings] = useState<readonly DocsHeading[]>([]);
  return (
    <Page
      title={DOCUMENTS[name]}
      back={<BackLink to={PAGES.runbooks.path}>{PAGES.runbooks.title}</BackLink>}
    >
      <div className="@container">
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 @3xl:grid-cols-[minmax(0,1fr)_14rem]">
          <Panel>
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <MarkdownText text={TEXTS[name]} />
              <Headings onFound={setHeadings} />
            </Suspense>
          </Panel>
          <aside aria-label="Around this document" className="grid gap-6 @3xl:sticky @3xl:top-8">
            {headings.length > 0 && (
              <div className="hidden @3xl:block">
                <OnThisPage headings={headings} />
              </div>
            )}
            <nav aria-label="Documents">
              <p className="mb-1 px-2 text-xs font-medium text-muted">Documents</p>
              <ul className="grid gap-0.5">
                {NAMES.map((one) => (
                  <li key={one}>
                    <Link
                      to={PAGES.document.path}
                      params={{ document: one }}
                      {...listed(one === name)}
                    >
                      {DOCUMENTS[one]}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          </aside>
        </div>
      </div>
    </Page>
  );
}

type HeadingsProps = Readonly<{ onFound: (headings: readonly DocsHeading[]) => void }>;

/** Tells the headings of the text before it, once that is loaded. */
function Headings({ onFound }: HeadingsProps) {
  useEffect(() => {
    const found = [...document.querySelectorAll('article.docs > h2[id]')];
    onFound(found.map(({ id, textContent }) => ({ id, title: textContent ?? '', level: 2 })));
  }, [onFound]);
  return null;
}
