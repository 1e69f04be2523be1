/**
 * Loads the highlighter and its grammars when the first code is shown. Code can be read without
 * colors, so the browser first does what else the page needs.
 */
import { after } from '../../clock.ts';

export type Highlight = (language: string, code: string) => DocumentFragment | null;

/** How long the code waits at most on a busy page, and how long it waits in Safari. */
const IDLE_MS = { max: 2_000, other: 200 } as const;

let loading: Promise<Highlight> | null = null;

export function loadHighlighter(): Promise<Highlight> {
  return (loading ??= load());
}

async function load(): Promise<Highlight> {
  await idle();
  return (await import('./highlighter.ts')).highlight;
}

/** Waits until the browser has nothing else to do. Safari does not tell. */
function idle(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if ('requestIdleCallback' in window) {
    requestIdleCallback(() => resolve(), { timeout: IDLE_MS.max });
  } else {
    after(IDLE_MS.other, resolve);
  }
  return promise;
}
