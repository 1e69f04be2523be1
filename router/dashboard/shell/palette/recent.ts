/** What was opened last from the palette. This browser keeps only the keys of pages and actions. */
import { store, stored } from '../../storage.ts';

const NAME = 'palette-recent';
const KEPT_MAX = 5;
/** Keys of pages, of the documentation and of actions, which name no customer. */
const KEPT = /^(page|docs|action) [\w/#-]{1,120}$/;

/** The last one first. */
export function recentKeys(): readonly string[] {
  return (stored(NAME) ?? '')
    .split('\n')
    .filter((key) => KEPT.test(key))
    .slice(0, KEPT_MAX);
}

export function rememberKey(key: string): void {
  if (!KEPT.test(key)) return;
  const keys = [key, ...recentKeys().filter((one) => one !== key)].slice(0, KEPT_MAX);
  store(NAME, keys.join('\n'));
}
