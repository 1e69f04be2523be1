/** Checks a requested expiry: it must be in the future. */
import { Refused } from './api.ts';

/**
 * Returns `expires` unchanged. Both times are ms since the epoch; null means never, undefined means
 * that no expiry was requested. Throws `Refused` when `expires` is not in the future.
 */
export function expiryWanted<Asked extends number | null | undefined>(
  expires: Asked,
  now: number,
): Asked {
  if (typeof expires === 'number' && expires <= now) {
    throw new Refused('invalid_value', 'Choose a time in the future.', 'expires');
  }
  return expires;
}
