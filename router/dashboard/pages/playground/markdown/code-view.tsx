/** A block of code: its language, a button that copies it, and the code, highlighted. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { CodeFrame } from '../../../parts/code/code-frame.tsx';
import { loadHighlighter } from '../../../parts/code/load-highlighter.ts';
import { CodeInk } from './code-ink.ts';

export function CodeView({ language, text }: Readonly<{ language: string; text: string }>) {
  const place = useRef<HTMLElement>(null);
  const ink = useRef<CodeInk | null>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    if (ink.current?.language === language && ink.current.write(text)) return;
    ink.current?.end();
    ink.current = new CodeInk(place.current, language, loadHighlighter());
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
    <CodeFrame
      title={<span data-language>{name}</span>}
      what="the code"
      label={language === '' ? 'Code' : `Code in ${language}`}
      text={text}
      grows
    >
      <code ref={place} />
    </CodeFrame>
  );
}
