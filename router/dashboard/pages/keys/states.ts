/** The states of a key, and who created it, as the pages of keys show them. */
import type { Key } from '../../../../shared/api/keys.ts';
import type { Tone } from '../../parts/shown.tsx';

export const KEY_STATES: Readonly<Record<Key['state'], Readonly<{ tone: Tone; name: string }>>> = {
  active: { tone: 'good', name: 'Active' },
  expired: { tone: 'warn', name: 'Expired' },
  revoked: { tone: 'neutral', name: 'Revoked' },
};

/** The name of the member who created or revoked a key. */
export function memberName(member: Key['created_by']): string {
  if (member === null) return 'Token or operator';
  return member.name ?? 'Deleted user';
}
