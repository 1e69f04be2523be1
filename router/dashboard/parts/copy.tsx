import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
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
}>;

export function CopyButton({ text, what, labelled = false }: CopyProps) {
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
      look={labelled ? 'secondary' : 'ghost'}
      square={!labelled}
      onClick={copy}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
    >
      {copied ? <Check className="text-good" /> : <Copy />}
      {labelled && (copied ? 'Copied' : 'Copy')}
    </Button>
  );
}

/** Code to paste, with a button that copies it. */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    // The button is beside the code: above it, it would cover what it copies.
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start rounded-lg border bg-sunken">
      <pre
        tabIndex={0}
        aria-label={what}
        className="overflow-x-auto p-3 font-mono text-xs leading-5"
      >
        {code}
      </pre>
      <div className="p-1.5">
        <CopyButton text={code} what={what} />
      </div>
    </div>
  );
}

/** The same example in several languages: `tabs` has the code by the name of the language. */
export function CodeTabs({ tabs }: { tabs: Readonly<Record<string, string>> }) {
  const blocks = Object.entries(tabs).map(([name, code]) => [
    name,
    <CodeBlock key={name} code={code} what={`${name} example`} />,
  ]);
  return <NamedTabs label="Language" tabs={Object.fromEntries(blocks)} />;
}
