/** A block of code: its language, a button that copies it, and the code, highlighted. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { CopyButton } from '../../../parts/copy.tsx';
import { CodeInk, type Highlight } from './code-ink.ts';

let loading: Promise<Highlight> | null = null;

function highlighter(): Promise<Highlight> {
  return (loading ??= import('./highlighter.ts').then(({ highlight }) => highlight));
}

export function CodeView({ language, text }: Readonly<{ language: string; text: string }>) {
  const place = useRef<HTMLElement>(null);
  const ink = useRef<CodeInk | null>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    if (ink.current?.language === language && ink.current.write(text)) return;
    ink.current?.end();
    ink.current = new CodeInk(place.current, language, highlighter());
    ink.current.write(text);
  }, [language, text]);
  useEffect(
    () => () => {
      ink.current?.end();
      ink.current = null;
    },
    [],
  );
  const name = language === '' ? 'code' : language;
  return (
    <div className="overflow-hidden rounded-lg border bg-sunken">
      <div className="flex h-8 items-center justify-between border-b pr-0.5 pl-3 text-xs text-muted">
        <span data-language>{name}</span>
        <CopyButton text={text} what="the code" />
      </div>
      <pre
        tabIndex={0}
        aria-label={language === '' ? 'Code' : `Code in ${language}`}
        className="overflow-x-auto p-3 font-mono text-xs leading-5"
      >
        <code ref={place} />
      </pre>
    </div>
  );
}
