/** Creates an API key: the value, which its owner sees once, and the row to store. */
import { type MemberId, maskApiKey, mintApiKey, type OrganizationId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import type { KeyLimits, NewKey } from '../../identity/keys.ts';
import type { ControlParts } from '../parts.ts';

export type MintParts = Pick<ControlParts, 'pepper' | 'brand' | 'clock' | 'random'>;

export type WantedKey = Readonly<{
  organization: OrganizationId;
  name: string;
  member: MemberId | null;
  source?: 'api' | 'playground';
  /** ms since the epoch. Null or omitted: the key never expires. */
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
