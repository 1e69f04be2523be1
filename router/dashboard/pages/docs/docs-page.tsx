/** The documentation of inference, for visitors and signed-in people alike. */
import { Link, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { SECTIONS } from 'virtual:inference-docs';
import { useTitle } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { OpenFrame } from '../../shell/open-frame.tsx';
import { store, stored } from '../../storage.ts';
import { Article } from './article.tsx';
import './docs.css';
import { ReaderBar } from './reader-bar.tsx';
import { ReaderGiven } from './reader.tsx';
import { ChosenLanguage } from './snippets.tsx';

const PAGES = SECTIONS.flatMap(({ pages }) => pages);
const LANGUAGE = 'docs-language';

type Shown = Readonly<{ shown: string }>;

export default function DocsPage() {
  const { page = PAGES[0]?.name } = useParams({ strict: false });
  const at = PAGES.findIndex(({ name }) => name === page);
  const [chosen, setChosen] = useState(() => stored(LANGUAGE));
  const onChoose = (name: string) => {
    store(LANGUAGE, name);
    setChosen(name);
  };
  const shown = PAGES[at];
  useTitle(shown?.title ?? 'Not found');
  if (!shown) return <NotFound />;
  return (
    <ReaderGiven>
      <ChosenLanguage value={{ chosen, onChoose }}>
        <OpenFrame>
          <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-10 px-4 sm:px-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
            <Contents shown={shown.name} />
            <div className="grid min-w-0 content-start gap-6 py-6 sm:py-8">
              <ReaderBar />
              <Suspense fallback={<Skeleton className="h-96 w-full" />}>
                <Article key={shown.name} name={shown.name} />
              </Suspense>
              <Neighbours at={at} />
              <p className="text-xs text-muted">
                For language models:{' '}
                <a className="underline hover:text-ink" href={`/docs/${shown.name}.md`}>
                  this page as Markdown
                </a>
                , and{' '}
                <a className="underline hover:text-ink" href="/llms.txt">
                  the list of all pages
                </a>
              </p>
            </div>
          </div>
        </OpenFrame>
      </ChosenLanguage>
    </ReaderGiven>
  );
}

/** The list of pages: beside the page, or above it on a phone, where it opens on request. */
function Contents({ shown }: Shown) {
  return (
    <>
      <details className="border-b py-3 text-sm lg:hidden">
        <summary className="w-max rounded font-medium">All pages</summary>
        <PageList shown={shown} />
      </details>
      <aside className="hidden lg:block">
        <div className="sticky top-(--header) max-h-[calc(100dvh-var(--header))] overflow-y-auto py-8">
          <PageList shown={shown} />
        </div>
      </aside>
    </>
  );
}

function PageList({ shown }: Shown) {
  return (
    <nav aria-label="Documentation" className="grid gap-4 max-lg:pt-3">
      {SECTIONS.map(({ title, pages }) => (
        <div key={title}>
          <p className="mb-1 px-2 text-xs font-medium text-muted">{title}</p>
          <ul className="grid gap-0.5">
            {pages.map((page) => (
              <li key={page.name}>
                <Link
                  to="/docs/$page"
                  params={{ page: page.name }}
                  aria-current={page.name === shown ? 'page' : undefined}
                  className="block rounded-md px-2 py-1 text-sm text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Neighbours({ at }: { at: number }) {
  const [previous, next] = [PAGES[at - 1], PAGES[at + 1]];
  return (
    <nav
      aria-label="Neighbouring pages"
      className="flex justify-between gap-4 border-t pt-4 text-sm"
    >
      {previous ? (
        <Link
          to="/docs/$page"
          params={{ page: previous.name }}
          className="text-muted hover:text-ink"
        >
          ← {previous.title}
        </Link>
      ) : (
        <span />
      )}
      {next && (
        <Link to="/docs/$page" params={{ page: next.name }} className="text-muted hover:text-ink">
          {next.title} →
        </Link>
      )}
    </nav>
  );
}
