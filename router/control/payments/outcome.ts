/** What has become of a provider's event. */
import type { Details } from '../audit/record.ts';

/** `action` and `details` are its line in the audit log. */
export type Outcome =
  | Readonly<{ outcome: 'applied'; action: string; details: Details; alarm?: string }>
  | Readonly<{ outcome: 'known' | 'ignored' | 'too_early' | 'over_limit'; alarm?: string }>;

export const KNOWN: Outcome = { outcome: 'known' };
export const IGNORED: Outcome = { outcome: 'ignored' };
/** What this is about has not been told yet. */
export const TOO_EARLY: Outcome = { outcome: 'too_early' };
