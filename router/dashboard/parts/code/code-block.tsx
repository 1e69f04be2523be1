/** Code and values to paste. */
import { createContext, use, useEffect, useLayoutEffect, useRef } from 'react';
import { capitalized } from '../../../../shared/capitalized.ts';
import { NamedTabs } from '../named-tabs.tsx';
import { CodeFrame } from './code-frame.tsx';
import { type Highlight, loadHighlighter } from './load-highlighter.ts';

/** The overview, with which most people begin, leaves out the colors, whose code is large. */
export const PlainCode = createContext(false);

type CodeBlockProps = Readonly<{
  code: string;
  what: string;
  /** The language or the name of a file; by default, what is copied. Null: none. */
  title?: string | null;
  /** The language whose colors the code gets. A value, such as a token, has none. */
  language?: string;
  /** Copying it is the page's main action. */
  primary?: boolean;
  /** Long lines are broken, as those of a value are. */
  wraps?: boolean;
}>;

export function CodeBlock(props: CodeBlockProps) {
  const { code, what, title, language, primary = false, wraps = language === undefined } = props;
  const isPlain = use(PlainCode);
  const name = what.replace(/^the /, '');
  return (
    <CodeFrame
      title={title === undefined ? capitalized(name) : title}
      what={what}
      text={code}
      primary={primary}
      wraps={wraps}
    >
      {isPlain || language === undefined ? (
        <code>{code}</code>
      ) : (
        <Colored language={language} code={code} />
      )}
    </CodeFrame>
  );
}

/** The code is plain until the highlighter is loaded, and stays so for an unknown language. */
function Colored({ language, code }: Readonly<{ language: string; code: string }>) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (place.current) place.current.textContent = code;
  }, [code]);
  useEffect(() => {
    let isCurrent = true;
    const draw = (highlight: Highlight) => {
      const colored = isCurrent ? highlight(language, code) : null;
      if (colored) place.current?.replaceChildren(colored);
    };
    loadHighlighter().then(
      (highlight) => draw(highlight),
      // Without the highlighter, the code stays plain.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [language, code]);
  // React draws nothing inside, so that the colored nodes are its own business.
  return <code ref={place} />;
}

type CodeTabsProps = Readonly<{ tabs: Readonly<Record<string, string>> }> &
  Pick<CodeBlockProps, 'primary'>;

/** By the beginning of the name of a tab. */
const LANGUAGES = [
  ['curl', 'bash'],
  ['Python', 'python'],
  ['LangChain', 'python'],
  ['TypeScript', 'typescript'],
  ['JavaScript', 'javascript'],
  ['Node', 'javascript'],
  ['AI SDK', 'typescript'],
  ['Go', 'go'],
] as const;

/** The same example in several languages: `tabs` has the code by the name of the language. */
export function CodeTabs({ tabs, primary = false }: CodeTabsProps) {
  const blocks = Object.entries(tabs).map(([name, code]) => [
    name,
    <CodeBlock
      key={name}
      // The tab has its name.
      title={null}
      language={LANGUAGES.find(([start]) => name.startsWith(start))?.[1] ?? ''}
      code={code}
      what={`${name} example`}
      primary={primary}
    />,
  ]);
  return <NamedTabs label="Language" tabs={Object.fromEntries(blocks)} />;
}
