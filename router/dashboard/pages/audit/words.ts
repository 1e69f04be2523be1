/** The names of the audit log's kinds of changes, fields and actors. */
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import type { Limits } from '../../../../shared/api/fields.ts';
import type { AuditKind } from '../../../../shared/audit-actions.ts';
import { type DetailValue, fieldInWords, valueInWords } from '../../../../shared/audit-words.ts';
import { capitalized } from '../../../../shared/capitalized.ts';
import type { AuditScope } from '../../api/audit.ts';

type Kind = Readonly<{ name: string; onlyOfPlatform?: true }>;

/** The kinds of changes to filter by, in the order in which they are offered. */
const KINDS: Readonly<Record<AuditKind, Kind>> = {
  key: { name: 'API keys' },
  chat: { name: 'Chats' },
  member: { name: 'Members' },
  invitation: { name: 'Invitations' },
  token: { name: 'Management tokens' },
  organization: { name: 'Organization' },
  payment: { name: 'Payments' },
  'payment-method': { name: 'Payment methods' },
  'billing-details': { name: 'Billing details' },
  budget: { name: 'Budget' },
  recharge: { name: 'Auto-recharge' },
  webhook: { name: 'Webhooks' },
  welcome: { name: 'Welcome credit' },
  invoice: { name: 'Invoices' },
  credit: { name: 'Credit' },
  rate: { name: 'Agreed prices' },
  playground: { name: 'Playground' },
  person: { name: 'Accounts' },
  session: { name: 'Sessions', onlyOfPlatform: true },
  'second-factor': { name: 'Two-factor authentication', onlyOfPlatform: true },
  passkey: { name: 'Passkeys', onlyOfPlatform: true },
  operator: { name: 'Operators', onlyOfPlatform: true },
  agent: { name: 'Hosts', onlyOfPlatform: true },
  worker: { name: 'Workers', onlyOfPlatform: true },
  incident: { name: 'Incidents', onlyOfPlatform: true },
  job: { name: 'Jobs', onlyOfPlatform: true },
};

export function kindsOf(scope: AuditScope): readonly (readonly [kind: string, name: string])[] {
  return Object.entries(KINDS)
    .filter(([, kind]) => scope === null || kind.onlyOfPlatform !== true)
    .map(([kind, { name }]) => [kind, name]);
}

/** `low_balance_threshold` → "Low balance threshold". */
export function heading(field: string): string {
  return capitalized(fieldInWords(field));
}

/** The fields whose values are words of Penstock, and not what people wrote. */
const OF_WORDS: readonly string[] = ['billing', 'enabled', 'role', 'state', 'status'];

/** A value that stands alone: "Prepaid", "Yes". A sentence has it in small letters. */
export function shownValue(field: string, value: DetailValue): string {
  const words = valueInWords(field, value);
  return typeof value === 'boolean' || OF_WORDS.includes(field) ? capitalized(words) : words;
}

const LIMITS: readonly string[] = [
  'requests_per_minute',
  'tokens_per_minute',
  'concurrent_requests',
] satisfies readonly (keyof Limits)[];

/** What stands for a value that is not set: for a limit of an organization, the default applies. */
export function unsetInWords(action: string, field: string): string {
  if (action.startsWith('organization.') && LIMITS.includes(field)) return 'Default';
  return capitalized(valueInWords(field, null));
}

export const ACTOR_KINDS = {
  person: 'User',
  operator: 'Operator',
  'management-token': 'Management token',
  provider: 'Payment provider',
  system: 'Penstock',
  nobody: 'Not signed in',
} as const satisfies Record<AuditEntry['actor']['kind'], string>;
