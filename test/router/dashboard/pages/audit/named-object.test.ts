/** The links in the sentences of the audit log. */
import { expect, test } from 'vitest';
import { namedObject } from '../../../../../router/dashboard/pages/audit/named-object.ts';

const ADA = { kind: 'person', id: 'per_1', name: 'Ada', email: null } as const;

const entry = {
  action: 'key.create',
  summary: 'Ada created the API key "ci"',
  actor: ADA,
  organization: 'org_1',
  target: 'key_1',
  target_name: 'ci',
  target_exists: true,
  details: { name: 'ci' },
  before: null,
};

test('what was changed is linked where the sentence names it', () => {
  expect(namedObject(entry, false)).toEqual({
    place: { to: '/$organization/keys/$key', params: { organization: 'org_1', key: 'key_1' } },
    parts: ['Ada created the API key "', 'ci', '"'],
  });
  // The one who did it has the same name.
  const summary = 'ci created the API key "ci"';
  const named = namedObject({ ...entry, summary, actor: { ...ADA, name: 'ci' } }, false);
  expect(named?.parts).toEqual(['ci created the API key "', 'ci', '"']);
  // The sentence tells the name before the change, with other quotes.
  const renamed = namedObject(
    {
      ...entry,
      action: 'key.change',
      summary: `Ada changed the name of the API key "a 'b'" from a "b" to ci`,
      before: { name: 'a "b"' },
    },
    false,
  );
  expect(renamed?.parts[1]).toBe("a 'b'");
});

test.each(['API', 'key'])('the link is on the name, and not on a word before it: "%s"', (name) => {
  const summary = `Ada created the API key "${name}"`;
  const named = namedObject({ ...entry, summary, target_name: name, details: { name } }, false);
  expect(named?.parts).toEqual(['Ada created the API key "', name, '"']);
});

test('what no longer exists is no link, nor is what an older router says nothing of', () => {
  expect(namedObject({ ...entry, target_exists: false }, true)).toBeNull();
  expect(namedObject({ ...entry, target_exists: undefined }, true)).toBeNull();
});

test('what has no name of its own leads to its view of billing', () => {
  const of = (action: string, summary: string) => {
    const target = { target: 'org_1', target_name: 'Lab', details: { amount: '20' } };
    const found = namedObject({ ...entry, ...target, action, summary }, false);
    return [found?.parts[1], found?.place.to, found?.place.search?.['view']];
  };
  const billing = '/$organization/billing';
  expect(of('budget.set', 'Ada set the budget to $20 a month')).toEqual([
    'budget',
    billing,
    'budget',
  ]);
  expect(of('recharge.start', 'Auto-recharge started a payment of $20')).toEqual([
    'Auto-recharge',
    billing,
    'credit',
  ]);
  expect(of('payment.fail', 'A payment of $20 failed')).toEqual(['payment', billing, 'payments']);
});

test('an invoice leads customers to their billing, and operators to its page', () => {
  const invoice = {
    ...entry,
    action: 'invoice.issue',
    summary: 'An operator issued invoice INV-7 of $20',
    target: 'ivc_1',
    target_name: 'INV-7',
    details: { amount_due: '20' },
  };
  expect(namedObject(invoice, false)?.place.to).toBe('/$organization/billing');
  expect(namedObject(invoice, true)?.place).toEqual({
    to: '/operator/invoices/$invoice',
    params: { invoice: 'ivc_1' },
  });
  expect(namedObject(invoice, true)?.parts[1]).toBe('INV-7');
});

test('a person, a host and an incident are linked for operators only', () => {
  const worker = {
    ...entry,
    action: 'worker.drain',
    summary: 'Operator drained the worker "gpu-1/vllm"',
    actor: { ...ADA, name: 'Operator' },
    organization: null,
    target: 'agt_1/vllm',
    target_name: 'gpu-1/vllm',
    details: {},
  };
  expect(namedObject(worker, false)).toBeNull();
  expect(namedObject(worker, true)).toEqual({
    place: { to: '/operator/hosts/$agent', params: { agent: 'agt_1' } },
    parts: ['Operator drained the worker "', 'gpu-1/vllm', '"'],
  });
  const person = {
    ...worker,
    action: 'person.lock',
    summary: 'Operator locked the account of Bob',
    target: 'per_2',
    target_name: 'Bob',
  };
  expect(namedObject(person, false)).toBeNull();
  expect(namedObject(person, true)).toEqual({
    place: { to: '/operator/people/$person', params: { person: 'per_2' } },
    parts: ['Operator locked the account of ', 'Bob', ''],
  });
  const incident = {
    ...worker,
    action: 'incident.create',
    summary: 'Operator reported the incident "Slow answers"',
    target: 'icd_1',
    target_name: 'Slow answers',
  };
  expect(namedObject(incident, false)).toBeNull();
  expect(namedObject(incident, true)).toEqual({
    place: { to: '/operator/incidents' },
    parts: ['Operator reported the incident "', 'Slow answers', '"'],
  });
});
