import type { Key } from '../../../../shared/api/keys.ts';

/**
 * Whether the key was used although no last use is written: that happens some seconds after a
 * request, and its charge at once.
 */
export function isUseUnwritten({ last_used, spend }: Pick<Key, 'last_used' | 'spend'>): boolean {
  return last_used === null && Number(spend.total) > 0;
}

/** What stands for the last use of a key while none is written. */
export function withoutUse(key: Pick<Key, 'last_used' | 'spend'>): string {
  return isUseUnwritten(key) ? 'Not recorded yet' : 'Never';
}
