/** A new API key: its value for its owner, once, and the row that is kept instead. */
import type { Clock } from '../../../shared/clock.ts';
import {
  digestSecret,
  type MemberId,
  maskApiKey,
  mintApiKey,
  type OrganizationId,
} from '../../../shared/ids.ts';
import type { Random } from '../../../shared/random.ts';
import type { KeyLimits, NewKey } from '../../ledger/keys.ts';

export type MintParts = Readonly<{
  pepper: Uint8Array;
  brand: string;
  clock: Clock;
  random: Random;
}>;

export function mintKey(
  { pepper, brand, clock, random }: MintParts,
  wanted: Readonly<{ organization: OrganizationId; name: string; member: MemberId | null }> &
    KeyLimits,
): { value: string; row: NewKey } {
  const { id, value } = mintApiKey(brand, random);
  const row: NewKey = {
    ...wanted,
    id,
    digest: digestSecret(pepper, value),
    label: maskApiKey(value),
    source: 'api',
    created: clock.now(),
    expires: null,
  };
  return { value, row };
}
