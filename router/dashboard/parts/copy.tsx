import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { after } from '../clock.ts';
import { Button } from './button.tsx';
import { NamedTabs } from './named-tabs.tsx';
import { say } from './said.tsx';

const SAID_MS = 1_500;

type CopyProps = Readonly<{
  text: string;
  /** What is copied, such as "the key". */
  what: string;
  labelled?: boolean;
  /** The page's main action; labelled, too. */
  primary?: boolean;
}>;

export function CopyButton({ text, what, primary = false, labelled = primary }: CopyProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => (copied ? after(SAID_MS, () => setCopied(false)) : undefined), [copied]);
  const copy = () => {
    // A page without TLS has no `navigator.clipboard`.
    const copying =
      navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copying.then(
      () => setCopied(true),
      () => say(`Could not copy ${what}. Select and copy it manually.`),
    );
  };
  return (
    <Button
      size="small"
      look={primary ? 'primary' : labelled ? 'secondary' : 'ghost'}
      square={!labelled}
      onClick={copy}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
    >
      {copied ? <Check className={primary ? undefined : 'text-good'} /> : <Copy />}
      {labelled && (copied ? 'Copied' : 'Copy')}
    </Button>
  );
}

type CopiedProps = Readonly<{ children: ReactNode }> & Pick<CopyProps, 'text' | 'what'>;

/** A value in a list of details with a button that copies it. The line is as high as the others. */
export function Copied({ text, what, children }: CopiedProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 [&>button]:-my-1.5">
      {children}
      <CopyButton text={text} what={what} />
    </span>
  );
}

type CodeBlockProps = Readonly<{
  code: string;
  what: string;
  /** Copying it is the page's main action. */
  primary?: boolean;
}>;

/** Code to paste, with a button that copies it. */
export function CodeBlock({ code, what, primary = false }: CodeBlockProps) {
  return (
    // The button is beside the code: above it, it would cover what it copies.
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start rounded-lg border bg-sunken">
      <pre
        tabIndex={0}
        aria-label={what}
        className="overflow-x-auto p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {code}
      </pre>
      <div className="p-1.5">
        <CopyButton text={code} what={what} primary={primary} />
      </div>
    </div>
  );
}

type CodeTabsProps = Readonly<{ tabs: Readonly<Record<string, string>> }> &
  Pick<CodeBlockProps, 'primary'>;

/** The same example in several languages: `tabs` has the code by the name of the language. */
export function CodeTabs({ tabs, primary = false }: CodeTabsProps) {
  const blocks = Object.entries(tabs).map(([name, code]) => [
    name,
    <CodeBlock key={name} code={code} what={`${name} example`} primary={primary} />,
  ]);
  return <NamedTabs label="Language" tabs={Object.fromEntries(blocks)} />;
}
