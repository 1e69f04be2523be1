/** The text of one runbook, which the build makes from docs/runbooks.md. */
import { type ComponentType, lazy } from 'react';
import { LOADS } from 'virtual:runbooks';
import { ANCHORED } from '../../docs/anchored.tsx';
import { MarkdownText } from './markdown-text.tsx';

const TEXTS: Readonly<Record<string, ComponentType<{ components: object }>>> = Object.fromEntries(
  Object.entries(LOADS).map(([name, load]) => [name, lazy(load)]),
);

/** The headings of a runbook are below that of its name, which is the title of the page. */
const COMPONENTS = { h3: ANCHORED.h2 };

export function RunbookText({ name }: { name: string }) {
  const text = TEXTS[name];
  return text ? <MarkdownText text={text} components={COMPONENTS} /> : null;
}
