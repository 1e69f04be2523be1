/** The sentences of the audit log: every action has one, whatever is known of it. */
import { expect, test } from 'vitest';
import type { Facts } from '../../../router/control/audit/phrases.ts';
import { SENTENCES, sentenceOf } from '../../../router/control/audit/sentences.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../../shared/audit-actions.ts';

const ALICE = { kind: 'person', id: 'per_1', name: 'Alice' } as const;
const SYSTEM = { kind: 'system', id: null, name: null } as const;
const NOTHING: Facts = {
  actor: { kind: 'person', id: 'per_1', name: null },
  target: null,
  targetName: null,
  details: {},
  before: null,
  reason: null,
  created: Date.UTC(2026, 10, 21, 12),
};

function told(action: AuditAction, facts: Partial<Facts> = {}): string {
  const target = facts.targetName ? 'x_1' : null;
  return sentenceOf(action, { ...NOTHING, actor: ALICE, target, ...facts });
}

test('every action has a sentence, also when nothing is known but the action', () => {
  expect(Object.keys(SENTENCES).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  for (const action of AUDIT_ACTIONS) {
    const sentence = sentenceOf(action, NOTHING);
    expect(sentence).toMatch(/^[A-Z].*[a-z]$/);
    expect(sentence).not.toMatch(/undefined|null|none|\s\s|:$/);
  }
});

test.each<[AuditAction, Partial<Facts>, string]>([
  [
    'invitation.create',
    { targetName: 'bob@acme.test', details: { role: 'developer' } },
    'Alice invited bob@acme.test as developer',
  ],
  ['invitation.create', { details: { role: 'viewer' } }, 'Alice invited somebody as viewer'],
  ['person.sign-up', { details: { invited: true, role: 'viewer' } }, 'Alice joined as viewer'],
  ['person.sign-up', { details: { invited: true } }, 'Alice joined'],
  ['person.change', { details: { renamed: true } }, 'Alice changed their name'],
  ['person.change', { details: { muted_emails: 'budget' } }, 'Alice changed which emails they get'],
  ['person.change', { details: { incident_emails: 'all' } }, 'Alice changed which emails they get'],
  [
    'person.sign-up',
    { details: { invited: false } },
    'Alice signed up and created the organization',
  ],
  ['invitation.accept', {}, 'Alice joined'],
  ['key.create', { targetName: 'now', details: { name: 'ci' } }, 'Alice created the API key "ci"'],
  ['key.revoke', { targetName: 'ci' }, 'Alice revoked the API key "ci"'],
  ['key.revoke', { targetName: 'a" and left "b' }, `Alice revoked the API key "a' and left 'b"`],
  [
    'key.change',
    { targetName: 'ci', details: { monthly_cap: '50' }, before: { monthly_cap: '20' } },
    'Alice changed the monthly cap of the API key "ci" from $20 to $50',
  ],
  [
    'key.change',
    { targetName: 'ci', details: { monthly_cap: '0.5' }, before: { monthly_cap: null } },
    'Alice set the monthly cap of the API key "ci" to $0.50',
  ],
  [
    'key.change',
    { targetName: 'ci', details: { monthly_cap: null }, before: { monthly_cap: '20' } },
    'Alice removed the monthly cap of the API key "ci", which was $20',
  ],
  [
    'key.change',
    {
      targetName: 'ci',
      details: { allowed_models: 'lab/a, lab/b' },
      before: { allowed_models: null },
    },
    'Alice changed the allowed models of the API key "ci" from all to lab/a, lab/b',
  ],
  [
    'key.change',
    {
      targetName: 'ci',
      details: { allowed_models: null },
      before: { allowed_models: 'lab/a, lab/b, lab/c, lab/d, lab/e' },
    },
    'Alice changed the allowed models of the API key "ci" from lab/a, lab/b, lab/c and 2 more to all',
  ],
  [
    'key.change',
    { targetName: 'ci', details: { allowed_models: null, name: 'ci' } },
    'Alice changed the allowed models and name of the API key "ci"',
  ],
  [
    'key.change',
    { targetName: 'new', details: { name: 'new' }, before: { name: 'old' } },
    'Alice changed the name of the API key "old" from old to new',
  ],
  [
    'key.change',
    { targetName: 'ci', details: { name: 'ci' }, before: { name: 'ci' } },
    'Alice saved the API key "ci" (no changes)',
  ],
  // As earlier versions recorded it.
  [
    'key.change',
    { targetName: 'ci', details: { changed: 'name, monthly_cap, limits' } },
    'Alice changed the name, monthly cap and limits of the API key "ci"',
  ],
  [
    'organization.change-terms',
    {
      details: { billing: 'invoiced', credit_limit: '500', payment_terms_days: 14 },
      before: { billing: 'prepaid', credit_limit: null, payment_terms_days: null },
    },
    'Alice changed the billing, credit limit and days to pay of the organization to invoiced, $500 and 14 days',
  ],
  // A name may be long, and have words of its own.
  [
    'key.change',
    {
      targetName: 'ci',
      details: { name: 'to none', monthly_cap: '5' },
      before: { name: 'ci', monthly_cap: null },
    },
    'Alice changed the name and monthly cap of the API key "ci"',
  ],
  [
    'invoice.pay',
    { targetName: 'INV-000007', details: { paid_on: '2026-11-30', reference: 'bank 7' } },
    'Alice marked invoice INV-000007 as paid on Nov 30, 2026: bank 7',
  ],
  [
    'organization.change-settings',
    { details: { name: 'Ours' } },
    'Alice set the name of the organization to Ours',
  ],
  [
    'organization.change-terms',
    { details: { changed: 'status', status: 'suspended' } },
    'Alice suspended the organization',
  ],
  [
    'organization.change-terms',
    { details: { changed: 'limits' } },
    'Alice changed the limits of the organization',
  ],
  [
    'member.change-role',
    { targetName: 'Bob', details: { role: 'viewer' } },
    'Alice changed the role of Bob to viewer',
  ],
  [
    'member.change-role',
    { targetName: 'Bob', details: { role: 'billing-admin' }, before: { role: 'org-admin' } },
    'Alice changed the role of Bob from administrator to billing administrator',
  ],
  [
    'invitation.create',
    { targetName: 'bob@acme.test', details: { role: 'auditor' } },
    'Alice invited bob@acme.test as auditor',
  ],
  [
    'member.change-caps',
    { targetName: 'Bob', details: { daily_cap: '5' }, before: { daily_cap: '2' } },
    'Alice changed the daily cap of Bob from $2 to $5',
  ],
  ['member.remove', {}, 'Alice removed a deleted user from the organization'],
  ['person.lock', { targetName: 'Bob' }, 'Alice locked the account of Bob'],
  ['person.unlock', { targetName: 'Bob' }, 'Alice unlocked the account of Bob'],
  ['person.end-session', { targetName: 'Bob' }, 'Alice ended a session of Bob'],
  ['person.end-sessions', {}, 'Alice ended all sessions of a deleted user'],
  [
    'credit.adjust',
    { details: { amount: '-2.5', reason: 'a mistake' } },
    'Alice removed $2.50 of credit: a mistake',
  ],
  [
    'recharge.set',
    { details: { enabled: true, amount: '30' }, before: { enabled: true, amount: '20' } },
    'Alice changed the amount of auto-recharge from $20 to $30',
  ],
  ['recharge.set', { details: { enabled: false } }, 'Alice turned auto-recharge off'],
  [
    'payment.fail',
    { targetName: '$20', details: { reason: 'card_declined' } },
    'A payment of $20 failed: the card was declined',
  ],
  [
    'payment.refund',
    { targetName: '$25', details: { amount: '10', reason: 'unused' } },
    'Alice refunded $10 of a payment of $25: unused',
  ],
  [
    'invoice.issue',
    { actor: SYSTEM, details: { number: 'INV-000007', amount_due: '12' } },
    'Penstock issued invoice INV-000007 of $12',
  ],
  [
    'operator.create',
    { actor: SYSTEM, targetName: 'Bob', details: { by: 'penstock operator' } },
    'The command penstock operator made Bob an operator',
  ],
  [
    'person.make-link',
    { targetName: 'Bob', details: { purpose: 'reset-password' } },
    'Alice created a link to reset the password for Bob',
  ],
  [
    'token.create',
    {
      actor: { kind: 'management-token', id: 'mtk_1', name: 'ci' },
      details: { name: 'x', role: 'viewer' },
    },
    'The management token "ci" created the management token "x" as viewer',
  ],
])('%s reads as a sentence', (action, facts, sentence) => {
  expect(told(action, facts)).toBe(sentence);
});

test('actors without a name are told by what they are', () => {
  const by = (actor: Facts['actor']) => sentenceOf('key.create', { ...NOTHING, actor });
  expect(by({ kind: 'person', id: 'per_1', name: null })).toBe('Deleted user created an API key');
  expect(by({ kind: 'operator', id: null, name: null })).toBe('An operator created an API key');
  expect(by({ kind: 'operator', id: 'per_1', name: null })).toMatch(/^Deleted user/);
});

test('an action of a later version is shown by its name', () => {
  expect(sentenceOf('moon.howl', { ...NOTHING, actor: ALICE })).toBe('Alice: moon.howl');
  expect(sentenceOf('constructor', { ...NOTHING, actor: ALICE })).toBe('Alice: constructor');
});

test('a reason is told once, whether it is a detail of the entry or only for operators', () => {
  const name = { targetName: 'gpu-1' };
  expect(told('agent.drain', { ...name, reason: 'A fan.' })).toBe(
    'Alice drained the host "gpu-1": A fan.',
  );
  expect(told('agent.drain', name)).toBe('Alice drained the host "gpu-1"');
  expect(told('credit.adjust', { details: { amount: '5', reason: 'Sorry.' } })).toBe(
    'Alice added $5 of credit: Sorry.',
  );
});

test('for how long changes were allowed is told by the entry, whatever is usual today', () => {
  const allowed = (details: Facts['details']) => told('operator.allow-changes', { details });
  expect(allowed({ reason: 'Asked.', until: '2026-11-21T12:45:00.000Z' })).toBe(
    'Alice allowed changes for 45 minutes: Asked.',
  );
  expect(allowed({ reason: 'Asked.' })).toBe('Alice allowed changes: Asked.');
  expect(told('operator.end-changes', { details: { reason: 'Asked.' } })).toBe(
    'Alice ended the changes that had been allowed for this reason: Asked.',
  );
});
