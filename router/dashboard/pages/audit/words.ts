/** Display texts for the audit log's codes. A code that is not listed here is shown as it is. */
import type { AuditEntry } from '../../../../shared/api/audit.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  'key.create': 'Created an API key',
  'key.change': 'Changed an API key',
  'key.revoke': 'Revoked an API key',
  'key.delete': 'Deleted an API key',
  'member.change-role': "Changed a member's role",
  'member.remove': 'Removed a member',
  'member.leave': 'Left the organization',
  'invitation.create': 'Invited a member',
  'invitation.resend': 'Resent an invitation',
  'invitation.revoke': 'Revoked an invitation',
  'invitation.accept': 'Accepted an invitation',
  'person.sign-up': 'Signed up',
  'token.create': 'Created a management token',
  'token.revoke': 'Revoked a management token',
  'organization.create': 'Created the organization',
  'organization.change-settings': 'Changed the settings',
  'organization.change-terms': 'Changed the terms',
  'organization.delete': 'Deleted the organization',
  'credit.adjust': 'Adjusted the credit',
  'rate.set': 'Set an agreed price',
  'rate.remove': 'Removed an agreed price',
  'payment.begin': 'Started a payment',
  'payment.succeed': 'Payment succeeded',
  'payment.fail': 'Payment failed',
  'payment.expire': 'Payment expired',
  'payment.paid-again': 'Payment received twice',
  'payment.refund': 'Started a refund',
  'payment.refunded': 'Payment refunded',
  'payment.refund-failed': 'Refund failed',
  'payment.dispute': 'Payment disputed',
  'payment.dispute-won': 'Dispute won',
  'payment-method.begin': 'Started adding a payment method',
  'payment-method.keep': 'Payment method added',
  'payment-method.manage': 'Opened the payment portal',
  'payment-method.remove': 'Removed a payment method',
  'recharge.set': 'Changed auto-recharge',
  'recharge.start': 'Auto-recharge started a payment',
  'recharge.withdraw': 'Auto-recharge canceled a payment',
  'welcome.give': 'Welcome credit granted',
  'welcome.withhold': 'Welcome credit withheld',
  'invoice.issue': 'Issued an invoice',
  'invoice.pay': 'Marked an invoice as paid',
  'invoice.void': 'Voided an invoice',
  'playground.open': 'Started a playground session',
  'playground.end': 'Ended playground sessions',
};

/** The kinds of action to filter by: the part of an action's code before the dot. */
export const KINDS: Readonly<Record<string, string>> = {
  key: 'API keys',
  member: 'Members',
  invitation: 'Invitations',
  token: 'Management tokens',
  organization: 'Organization',
  payment: 'Payments',
  'payment-method': 'Payment methods',
  recharge: 'Auto-recharge',
  welcome: 'Welcome credit',
  invoice: 'Invoices',
  credit: 'Credit',
  rate: 'Agreed prices',
  playground: 'Playground',
};

export function actionInWords(action: string): string {
  return ACTIONS[action] ?? action;
}

/** `low_balance_threshold` → "Low balance threshold". */
export function detailInWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const WITHOUT_NAME = {
  person: 'Deleted account',
  operator: 'Operator',
  'management-token': 'Management token',
  provider: 'Payment provider',
  system: 'System',
  nobody: 'Not signed in',
} as const satisfies Record<AuditEntry['actor']['kind'], string>;

/**
 * Returns the actor's name, and a note that distinguishes actors with the same name; null when
 * there is no note.
 */
export function actorInWords({ kind, name, email }: AuditEntry['actor']): {
  name: string;
  note: string | null;
} {
  if (name === null || name === '') return { name: WITHOUT_NAME[kind], note: null };
  if (kind === 'management-token') return { name, note: 'management token' };
  return { name, note: kind === 'operator' ? 'operator' : email };
}
