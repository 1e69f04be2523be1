/** Code of a page. Neighbouring examples are tabs, and a chosen language is shown in all of them. */
import {
  Children,
  createContext,
  isValidElement,
  type ReactElement,
  type ReactNode,
  use,
} from 'react';
import { CopyButton } from '../../parts/copy.tsx';
import { NamedTabs } from '../../parts/named-tabs.tsx';
import { type ExampleName, fillIn } from './contents.ts';
import { useReader } from './reader.tsx';

export type Language = Readonly<{ chosen: string | null; onChoose: (name: string) => void }>;

export const ChosenLanguage = createContext<Language>({ chosen: null, onChoose: () => undefined });

type SnippetProps = Readonly<{
  /** Null for code that stands alone. */
  name?: string | null;
  /** The code without its highlighting. */
  text: string;
  children: ReactNode;
}>;

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

export function Snippet({ name, text, children }: SnippetProps) {
  const { examples } = useReader();
  const what = name ? `the ${name} example` : 'the example';
  return (
    // The button is beside the code: above it, it would cover what it copies.
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start rounded-lg border bg-sunken">
      <pre tabIndex={0} aria-label={what} className="overflow-x-auto p-3">
        <code>{children}</code>
      </pre>
      <div className="p-1.5">
        <CopyButton text={fillIn(text, examples)} what={what} />
      </div>
    </div>
  );
}

/** A value of the reader in the place of the one in the text. */
export function Filled({ name }: { name: ExampleName }) {
  return useReader().examples[name];
}
