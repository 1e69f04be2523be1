/** A text for operators, which the build makes from Markdown. */
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { TITLES } from 'virtual:runbook-titles';
import { PAGES } from '../../../pages.ts';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { CopiedInSentence } from '../../../parts/copy.tsx';
import { Code } from '../../../parts/shown.tsx';
import { ANCHORED } from '../../docs/anchored.tsx';
import { EXAMPLES, type ExampleName } from '../../docs/contents.ts';
import { ScrollToHash } from '../../docs/scroll-to-hash.tsx';
import '../../docs/docs.css';
import { DOCUMENTS, targetOf } from './documents.ts';
import { isCommand } from './is-command.ts';
import { operatorPage } from './operator-page.ts';
import { StackedTable } from './stacked-table.tsx';

const COMPONENTS = {
  ...ANCHORED,
  // The title of the page is above the text.
  h1: () => null,
  a: TextLink,
  table: StackedTable,
  code: InlineCode,
  snippets: ({ children }: { children: ReactNode }) => children,
  snippet: ({ text, language }: Readonly<{ text: string; language?: string | null }>) =>
    language === 'sh' ? (
      <CodeBlock code={text} what="the commands" title="Shell" language="bash" />
    ) : (
      <CodeBlock code={text} what="the example" title={null} language={language ?? ''} />
    ),
  // The tables have the figures that the pictures show.
  img: () => null,
  filled: ({ name }: { name: ExampleName }) => EXAMPLES[name],
};

type MarkdownTextProps = Readonly<{
  text: ComponentType<{ components: object }>;
  /** Elements that are shown in another way. */
  components?: object;
}>;

export function MarkdownText({ text: Text, components = {} }: MarkdownTextProps) {
  return (
    <article className="docs min-w-0">
      <Text components={{ ...COMPONENTS, ...components }} />
      <ScrollToHash />
    </article>
  );
}

/** Other files of the repository are not part of the dashboard, so they are only named. */
function TextLink({ href = '', children }: ComponentProps<'a'>) {
  const target = targetOf(href);
  switch (target.kind) {
    case 'runbook':
      return (
        <Link to={PAGES.runbook.path} params={{ runbook: target.name }}>
          {/* The name of an alert says less than the title of its runbook. */}
          {(typeof children === 'string' && TITLES[children]) || children}
        </Link>
      );
    case 'document':
      return (
        <Link to={PAGES.document.path} params={{ document: target.name }} hash={target.hash}>
          {children === `${target.name}.md` ? DOCUMENTS[target.name] : children}
        </Link>
      );
    case 'page':
      return (
        <Link to="/docs/$page" params={{ page: target.name }} hash={target.hash}>
          {children}
        </Link>
      );
    case 'address':
      return <a href={target.href}>{children}</a>;
    case 'file':
      // A text that is the name of the file is not said twice.
      if (typeof children === 'string' && target.path.endsWith(`/${children}`)) {
        return <File path={target.path} />;
      }
      return (
        <>
          {children} (<File path={target.path} />)
        </>
      );
  }
}

function File({ path }: { path: string }) {
  return (
    <span title="A file of Penstock's source, which the dashboard does not have">
      <Code>{path}</Code>
    </span>
  );
}

/** Commands have a button that copies them. Addresses of pages for operators are links to them. */
function InlineCode({ children }: { children?: ReactNode }) {
  const text = [children].flat().map(textOf).join('').replaceAll(/\s+/g, ' ');
  const page = operatorPage(text);
  if (page !== null) {
    return (
      <Link to={page.to} search={page.search as never} hash={page.hash} title={text}>
        open {page.shows}
      </Link>
    );
  }
  if (!isCommand(text)) return <code>{children}</code>;
  return <CopiedInSentence text={text} what={`the command ${text}`} />;
}

/** The build may have replaced an address in a command by an element with its name. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node;
  const { name } = (node as { props: { name: ExampleName } }).props;
  return EXAMPLES[name];
}
