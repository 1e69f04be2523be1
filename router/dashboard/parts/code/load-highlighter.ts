/** Loads the highlighter and its grammars when the first code is shown. */

export type Highlight = (language: string, code: string) => DocumentFragment | null;

let loading: Promise<Highlight> | null = null;

export function loadHighlighter(): Promise<Highlight> {
  return (loading ??= import('./highlighter.ts').then(({ highlight }) => highlight));
}
