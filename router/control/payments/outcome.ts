/** The result of applying a provider's event. */
import type { AuditAction } from '../../../shared/audit-actions.ts';
import type { Details } from '../audit/record.ts';

/** `action` and `details` go into the audit log. */
export type Outcome =
  | Readonly<{ outcome: 'applied'; action: AuditAction; details: Details; alarm?: string }>
  | Readonly<{ outcome: 'known' | 'ignored' | 'too_early' | 'over_limit'; alarm?: string }>;

export const KNOWN: Outcome = { outcome: 'known' };
export const IGNORED: Outcome = { outcome: 'ignored' };
/** The event's subject is not known yet; the provider must send the event again later. */
export const TOO_EARLY: Outcome = { outcome: 'too_early' };
