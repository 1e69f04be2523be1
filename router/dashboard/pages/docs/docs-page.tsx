/** The documentation of inference, for visitors and signed-in people alike. */
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { SECTIONS } from 'virtual:inference-docs';
import { useTitle } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { store, stored } from '../../storage.ts';
import { Article } from './article.tsx';
import { DocsLayout } from './docs-layout.tsx';
import './docs.css';
import { listed } from './listed.ts';
import { OnThisPage } from './on-this-page.tsx';
import { ReaderBar } from './reader-bar.tsx';
import { ReaderGiven } from './reader.tsx';
import { SearchButton, useSearchShortcut } from './search/search-button.tsx';
import { SearchDialog } from './search/search-dialog.tsx';
import { ChosenLanguage } from './snippets.tsx';

const PAGES = SECTIONS.flatMap(({ pages }) => pages);
const LANGUAGE = 'docs-language';

export default function DocsPage() {
  const { page = PAGES[0]?.name } = useParams({ strict: false });
  const at = PAGES.findIndex(({ name }) => name === page);
  const [chosen, setChosen] = useState(() => stored(LANGUAGE));
  const [isSearching, setSearching] = useState(false);
  const search = useCallback(() => setSearching(true), []);
  useSearchShortcut(search);
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
        <DocsLayout
          area="inference"
          search={<SearchButton onOpen={search} />}
          listName="All pages"
          list={<PageList shown={shown.name} />}
          aside={shown.headings.length > 1 && <OnThisPage headings={shown.headings} />}
        >
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
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
        </DocsLayout>
        {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
      </ChosenLanguage>
    </ReaderGiven>
  );
}

function PageList({ shown }: { shown: string }) {
  return (
    <nav aria-label="Pages" className="grid gap-4">
      {SECTIONS.map(({ title, pages }) => (
        <div key={title}>
          <p className="mb-1 px-2 text-xs font-medium text-muted">{title}</p>
          <ul className="grid gap-0.5">
            {pages.map((page) => (
              <li key={page.name}>
                <Link
                  to="/docs/$page"
                  params={{ page: page.name }}
                  {...listed(page.name === shown)}
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
    <nav aria-label="Neighbouring pages" className="grid gap-3 border-t pt-6 sm:grid-cols-2">
      {previous && (
        <Neighbour page={previous.name} label="Previous" className="sm:col-start-1">
          <ArrowLeft aria-hidden className="size-4" /> {previous.title}
        </Neighbour>
      )}
      {next && (
        <Neighbour page={next.name} label="Next" className="justify-items-end sm:col-start-2">
          {next.title} <ArrowRight aria-hidden className="size-4" />
        </Neighbour>
      )}
    </nav>
  );
}

type NeighbourProps = Readonly<{
  page: string;
  label: string;
  className: string;
  children: ReactNode;
}>;

function Neighbour({ page, label, className, children }: NeighbourProps) {
  return (
    <Link
      to="/docs/$page"
      params={{ page }}
      className={`grid gap-0.5 rounded-lg border bg-panel px-4 py-3 text-sm hover:bg-hover ${className}`}
    >
      <span className="text-xs text-muted">{label}</span>
      <span className="flex items-center gap-1.5 font-medium">{children}</span>
    </Link>
  );
}
