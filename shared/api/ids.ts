/** Ids as they come in from outside: what has passed here has the form of an id of its kind. */
import { z } from 'zod';
import type { AgentId, KeyId, OrganizationId } from '../ids.ts';

function id<Kind extends string>(form: RegExp) {
  return z
    .string()
    .regex(form, 'is not an id of this kind')
    .transform((text) => text as Kind);
}

export const OrganizationIdText = id<OrganizationId>(/^org_[0-9a-hjkmnp-tv-z]{26}$/);
export const AgentIdText = id<AgentId>(/^agt_[0-9a-hjkmnp-tv-z]{26}$/);
export const KeyIdText = id<KeyId>(/^key_[0-9A-Za-z]{12}$/);
