/** The text of one runbook, which the build makes from docs/runbooks.md. */
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ComponentType, lazy, type ReactNode } from 'react';
import { LOADS } from 'virtual:runbooks';
import { PAGES } from '../../../pages.ts';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { Copied } from '../../../parts/copy.tsx';
import { Code } from '../../../parts/shown.tsx';
import { ANCHORED } from '../../docs/anchored.tsx';
import { EXAMPLES, type ExampleName } from '../../docs/contents.ts';
import { ScrollToHash } from '../../docs/scroll-to-hash.tsx';
import '../../docs/docs.css';
import { isCommand } from './is-command.ts';

const TEXTS: Readonly<Record<string, ComponentType<{ components: object }>>> = Object.fromEntries(
  Object.entries(LOADS).map(([name, load]) => [name, lazy(load)]),
);

const COMPONENTS = {
  ...ANCHORED,
  // The title of the page is above them.
  h3: ANCHORED.h2,
  a: RunbookLink,
  code: InlineCode,
  snippets: ({ children }: { children: ReactNode }) => children,
  snippet: ({ text }: { text: string }) => (
    <CodeBlock code={text} what="the commands" title="Shell" language="bash" />
  ),
  filled: ({ name }: { name: ExampleName }) => EXAMPLES[name],
};

export function RunbookText({ name }: { name: string }) {
  const Text = TEXTS[name];
  if (!Text) return null;
  return (
    <article className="docs min-w-0">
      <Text components={COMPONENTS} />
      <ScrollToHash />
    </article>
  );
}

/** Other files of the documentation are not part of the dashboard, so they are only named. */
function RunbookLink({ href = '', children }: ComponentProps<'a'>) {
  const [, runbook] = /^#(penstock\w+)$/.exec(href) ?? [];
  if (runbook !== undefined) {
    return (
      <Link to={PAGES.runbook.path} params={{ runbook }}>
        {children}
      </Link>
    );
  }
  if (href === 'errors.md') {
    return (
      <Link to="/docs/$page" params={{ page: 'errors' }}>
        {children}
      </Link>
    );
  }
  if (/^https?:/.test(href)) return <a href={href}>{children}</a>;
  const file = href.startsWith('../') ? href.slice('../'.length) : `docs/${href}`;
  return (
    <>
      {children} (<Code>{file}</Code>)
    </>
  );
}

/** Commands have a button that copies them. */
function InlineCode({ children }: { children?: ReactNode }) {
  const text = [children].flat().map(textOf).join('').replaceAll(/\s+/g, ' ');
  if (!isCommand(text)) return <code>{children}</code>;
  return (
    <Copied text={text} what={`the command ${text}`}>
      <code>{text}</code>
    </Copied>
  );
}

/** The build may have replaced an address in a command by an element with its name. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node;
  const { name } = (node as { props: { name: ExampleName } }).props;
  return EXAMPLES[name];
}
