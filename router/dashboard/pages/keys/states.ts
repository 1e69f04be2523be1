/** The states of a key, and who created it, as the pages of keys show them. */
import type { Key } from '../../../../shared/api/keys.ts';
import type { Tone } from '../../parts/tone.ts';

export const KEY_STATES: Readonly<Record<Key['state'], Readonly<{ tone: Tone; name: string }>>> = {
  active: { tone: 'good', name: 'Active' },
  expired: { tone: 'warn', name: 'Expired' },
  revoked: { tone: 'neutral', name: 'Revoked' },
};

/** `by`: the name in a sentence, after "by". */
type Actor = Readonly<{ name: string; by: string }>;

export function creatorOf(key: Pick<Key, 'created_by' | 'created_by_other'>): Actor {
  const unknown = { name: 'Token or operator', by: 'a token or an operator' };
  return actorOf(key.created_by, key.created_by_other) ?? unknown;
}

/** Null if nobody is known to have revoked the key. */
export function revokerOf(key: Pick<Key, 'revoked_by' | 'revoked_by_other'>): Actor | null {
  return actorOf(key.revoked_by, key.revoked_by_other);
}

function actorOf(member: Key['revoked_by'], other: Key['revoked_by_other']): Actor | null {
  if (member) {
    const { name } = member;
    return name === null ? { name: 'Deleted user', by: 'a deleted user' } : { name, by: name };
  }
  if (!other) return null;
  const { kind, name } = other;
  if (kind === 'operator') return { name: 'An operator', by: 'an operator' };
  if (name === null) return { name: 'A management token', by: 'a management token' };
  return { name: `Management token ${name}`, by: `management token ${name}` };
}
