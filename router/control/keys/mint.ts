/** A new API key: its value for its owner, once, and the row that is kept instead. */
import type { Clock } from '../../../shared/clock.ts';
import { type MemberId, maskApiKey, mintApiKey, type OrganizationId } from '../../../shared/ids.ts';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import type { Random } from '../../../shared/random.ts';
import type { KeyLimits, NewKey } from '../../ledger/keys.ts';

export type MintParts = Readonly<{
  pepper: Peppers;
  brand: string;
  clock: Clock;
  random: Random;
}>;

export type WantedKey = Readonly<{
  organization: OrganizationId;
  name: string;
  member: MemberId | null;
  source?: 'api' | 'playground';
  /** ms since the epoch; null, or not given: never. */
  expires?: number | null | undefined;
}> &
  KeyLimits;

export function mintKey(
  { pepper, brand, clock, random }: MintParts,
  { source = 'api', expires = null, ...wanted }: WantedKey,
): { value: string; row: NewKey } {
  const { id, value } = mintApiKey(brand, random);
  const row: NewKey = {
    ...wanted,
    id,
    digest: digestSecret(pepper, value),
    label: maskApiKey(value),
    source,
    created: clock.now(),
    expires,
  };
  return { value, row };
}
