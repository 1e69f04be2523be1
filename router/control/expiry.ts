/** When something is to end, as somebody asks for it: an instant to come. */
import { Refused } from './api.ts';

/** Both are ms since the epoch; null: never, undefined: nothing was asked for. */
export function expiryWanted<Asked extends number | null | undefined>(
  expires: Asked,
  now: number,
): Asked {
  if (typeof expires === 'number' && expires <= now) {
    throw new Refused('invalid_value', 'expires: is an instant that is past', 'expires');
  }
  return expires;
}
