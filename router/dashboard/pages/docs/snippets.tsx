/** Code of a page. Neighbouring examples are tabs, and a chosen language is shown in all of them. */
import {
  Children,
  createContext,
  isValidElement,
  type ReactElement,
  type ReactNode,
  use,
} from 'react';
import { CodeFrame } from '../../parts/code/code-frame.tsx';
import { NamedTabs } from '../../parts/named-tabs.tsx';
import { type ExampleName, fillIn } from './contents.ts';
import { useReader } from './reader.tsx';

export type Language = Readonly<{ chosen: string | null; onChoose: (name: string) => void }>;

export const ChosenLanguage = createContext<Language>({ chosen: null, onChoose: () => undefined });

type SnippetProps = Readonly<{
  /** Null for code that stands alone. */
  name?: string | null;
  /** As it stands after the fence, such as `sh`. */
  language?: string | null;
  /** The code without its highlighting. */
  text: string;
  children: ReactNode;
}>;

/** The languages of the documentation by their names in Markdown. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  json: 'JSON',
  yaml: 'YAML',
  toml: 'TOML',
};

export function Snippets({ children }: { children: ReactNode }) {
  const { chosen, onChoose } = use(ChosenLanguage);
  const snippets = Children.toArray(children).filter((child): child is ReactElement<SnippetProps> =>
    isValidElement(child),
  );
  const [first] = snippets;
  if (!first?.props.name) return first ?? null;
  const tabs = Object.fromEntries(snippets.map((snippet) => [snippet.props.name ?? '', snippet]));
  return <NamedTabs label="Language" tabs={tabs} chosen={chosen} onChoose={onChoose} />;
}

export function Snippet({ name, language, text, children }: SnippetProps) {
  const { examples } = useReader();
  const what = name ? `the ${name} example` : 'the example';
  return (
    <CodeFrame
      title={language ? (LANGUAGES[language] ?? language) : (name ?? 'Code')}
      what={what}
      text={fillIn(text, examples)}
    >
      <code>{children}</code>
    </CodeFrame>
  );
}

/** A value of the reader in the place of the one in the text. */
export function Filled({ name }: { name: ExampleName }) {
  return useReader().examples[name];
}
