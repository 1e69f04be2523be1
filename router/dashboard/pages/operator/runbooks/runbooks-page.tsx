/** docs/runbooks.md, which says what to do for each alarm. The build makes a component of it. */
import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react';
import { Page, Panel } from '../../../parts/page.tsx';
import { Code } from '../../../parts/shown.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { ScrollToHash } from '../../docs/scroll-to-hash.tsx';
import { EXAMPLES, type ExampleName } from '../../docs/contents.ts';
import '../../docs/docs.css';

type Content = ComponentType<{ components: object }>;

const [load] = Object.values(
  import.meta.glob<{ default: Content }>('../../../../../docs/runbooks.md'),
);
const Text = lazy(load ?? (() => Promise.reject(new Error('docs/runbooks.md is not there'))));

const COMPONENTS = {
  // The page has a heading of its own.
  h1: () => null,
  a: RunbookLink,
  filled: ({ name }: { name: ExampleName }) => EXAMPLES[name],
  table: (props: ComponentProps<'table'>) => (
    <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table {...props} />
    </div>
  ),
};

export default function RunbooksPage() {
  return (
    <Page title="Runbooks" description="What to do for each alarm.">
      <Panel>
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <article className="docs min-w-0">
            <Text components={COMPONENTS} />
            <ScrollToHash />
          </article>
        </Suspense>
      </Panel>
    </Page>
  );
}

/** Other files of the documentation are not part of the dashboard, so they are only named. */
function RunbookLink({ href = '', children }: ComponentProps<'a'>) {
  if (/^(#|https?:)/.test(href)) return <a href={href}>{children}</a>;
  const file = href.startsWith('../') ? href.slice('../'.length) : `docs/${href}`;
  return (
    <>
      {children} (<Code>{file}</Code>)
    </>
  );
}
