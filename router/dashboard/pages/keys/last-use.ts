/** What the pages of keys say while the last use of a key is not written. */
import type { Key } from '../../../../shared/api/keys.ts';

type Use = Pick<Key, 'last_used' | 'spend'>;

/** How often the page of a key is loaded before it stops waiting for a last use to be written. */
const LOADS_MAX = 10;

/**
 * Whether the key was used although no last use is written: that happens some seconds after a
 * request, and its charge at once. If the router ended in between, it is never written.
 */
export function isUseUnwritten({ last_used, spend }: Use): boolean {
  return last_used === null && Number(spend.total) > 0;
}

/** Whether a page that has loaded the key so often should expect its last use to be written soon. */
export function isUseAwaited(key: Use, loads: number): boolean {
  return isUseUnwritten(key) && loads < LOADS_MAX;
}

/** What stands for the last use of a key while none is written. */
export function withoutUse(key: Use, isAwaited = false): string {
  if (!isUseUnwritten(key)) return 'Never';
  return isAwaited ? 'Not recorded yet' : 'Not recorded';
}

/** Explains "Not recorded". */
export const NOT_RECORDED_NOTE =
  'The key was charged. The time of its use is written some seconds later, or never if the router failed before that.';

/** The note below it. */
export function withoutUseNote(key: Use, isAwaited: boolean): string {
  if (!isUseUnwritten(key)) return 'No request was served';
  return isAwaited ? 'It takes some seconds' : NOT_RECORDED_NOTE;
}
