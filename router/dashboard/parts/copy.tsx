import { Check, Copy } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { after } from '../clock.ts';
import { Button } from './form/button.tsx';
import { say } from './said.tsx';

const SAID_MS = 1_500;

/** Hears the text that a button has copied. */
export const CopyHeard = createContext<(text: string) => void>(() => {});

type CopyProps = Readonly<{
  text: string;
  /** What is copied, such as "the key". */
  what: string;
  labelled?: boolean;
  /** The page's main action; labelled, too. */
  primary?: boolean;
  /** It stands in a sentence. */
  inSentence?: boolean;
}>;

export function CopyButton({
  text,
  what,
  primary = false,
  labelled = primary,
  inSentence = false,
}: CopyProps) {
  const onCopied = use(CopyHeard);
  const [copied, setCopied] = useState(false);
  useEffect(() => (copied ? after(SAID_MS, () => setCopied(false)) : undefined), [copied]);
  const copy = () => {
    // A page without TLS has no `navigator.clipboard`.
    const copying =
      navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    const succeeded = () => {
      setCopied(true);
      onCopied(text);
    };
    copying.then(succeeded, () => say(`Could not copy ${what}. Select and copy it manually.`));
  };
  return (
    <Button
      size={inSentence ? 'line' : 'small'}
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
    <span className="inline-flex max-w-full items-center gap-1 [&>button]:-my-1.5 max-sm:[&>button]:-my-3.5">
      {children}
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** A command in a sentence with a button that copies it. The command may go on in the next line. */
export function CopiedInSentence({ text, what }: Omit<CopiedProps, 'children'>) {
  return (
    <code>
      {text.slice(0, -1)}
      {/* The button stays in the line in which the command ends. */}
      <span className="whitespace-nowrap">
        {text.slice(-1)}
        <span className="-my-1 ml-1 inline-flex align-middle">
          <CopyButton text={text} what={what} inSentence />
        </span>
      </span>
    </code>
  );
}
