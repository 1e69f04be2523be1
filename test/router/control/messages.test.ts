/** Messages for values that are not allowed: what a person reads below the field of a form. */
import { expect, test } from 'vitest';
import { sentenceOf } from '../../../shared/api/schema-messages.ts';
import { z } from 'zod';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const SIGN_UP = { email: 'ada@example.com', password: 'three blue herons at dawn', name: 'Ada' };
const RECHARGE = { enabled: false, threshold: '5', amount: '20', monthly_cap: null };

test.each([
  ['POST', '/payments', { amount: '3' }, 'amount', 'Enter an amount from $5 to $4,999.'],
  ['POST', '/payments', { amount: 'plenty' }, 'amount', 'Enter an amount from $5 to $4,999.'],
  [
    'POST',
    '/payments',
    { amount: '20.005' },
    'amount',
    'Enter an amount in whole cents, such as 4.99.',
  ],
  [
    'PUT',
    '/recharge',
    { ...RECHARGE, threshold: '0' },
    'threshold',
    'Enter an amount from $1 to $100,000.',
  ],
  [
    'PUT',
    '/recharge',
    { ...RECHARGE, monthly_cap: '10' },
    'monthly_cap',
    'Enter a cap of at least the amount of one recharge.',
  ],
  [
    'PATCH',
    '',
    { low_balance_threshold: 'plenty' },
    'low_balance_threshold',
    'Enter an amount from $0 to $4,000,000, such as 250 or 0.5.',
  ],
  ['PATCH', '', { name: ' ' }, 'name', 'Enter a name.'],
  ['PATCH', '', { name: '\u3164' }, 'name', 'Enter a name with at least one visible character.'],
  [
    'POST',
    '/keys',
    { name: '\u00ad\u200b' },
    'name',
    'Enter a name with at least one visible character.',
  ],
  [
    'POST',
    '/keys',
    { name: `a${'\u0301'.repeat(50)}` },
    'name',
    'Enter at most 8 accents or invisible characters after each other.',
  ],
  ['POST', '/keys', { name: 'x'.repeat(101) }, 'name', 'Enter at most 100 characters.'],
  ['POST', '/keys', { name: 'a\nb' }, 'name', 'Remove line breaks and other control characters.'],
  [
    'POST',
    '/keys',
    { name: 'a', expires: '2020-01-01T00:00:00Z' },
    'expires',
    'Choose a time in the future.',
  ],
  [
    'POST',
    '/keys',
    { name: 'a', limits: { tokens_per_minute: 1.5 } },
    'limits.tokens_per_minute',
    'Enter a whole number above 0.',
  ],
  ['POST', '/keys', { name: 7 }, 'name', 'name must be a string.'],
  ['POST', '/keys', {}, 'name', 'name is required.'],
  [
    'POST',
    '/invitations',
    { email: 'ada' },
    'email',
    'Enter an email address, such as ada@example.com.',
  ],
  [
    'POST',
    '/invitations',
    { email: 'a@b.co', role: 'king' },
    'role',
    'role must be org-admin, billing-admin, developer, or viewer.',
  ],
  [
    'POST',
    '/credit/adjustments',
    { amount: '0', reason: 'x' },
    'amount',
    'Enter a number other than 0, such as 5 or -2.5.',
  ],
  ['POST', '/credit/adjustments', { amount: '1', reason: '' }, 'reason', 'Enter a reason.'],
])('%s %s %j: %s: %s', async (method, path, body, param, message) => {
  const organization = `/api/v1/organizations/${rig.first.organization.id}`;
  const refused = await rig.ask(method, organization + path, body);
  expect([refused.status, refused.body.error]).toMatchObject([400, { param, message }]);
});

test.each(['\u2028', '\u2029', '\u0085', '\u202e'])(
  'a name or an address with the separator or control character %j is refused',
  async (character) => {
    const organization = `/api/v1/organizations/${rig.first.organization.id}`;
    for (const [method, path, body] of [
      ['PATCH', '', { name: `a${character}b` }],
      ['PUT', '/billing-details', { name: `a${character}b` }],
      ['PUT', '/billing-details', { address: `a\nb${character}c` }],
      ['PUT', '/billing-details', { tax_id: `a${character}b` }],
    ] as const) {
      const { status, body: answer } = await rig.ask(method, organization + path, body);
      expect([status, answer.error?.message], path).toEqual([
        400,
        'Remove line breaks and other control characters.',
      ]);
    }
  },
);

test.each([
  ['/usage?status=3xx', 'status', 'status must be failed, canceled, 2xx, 4xx, or 5xx.'],
  ['/usage?status=2xx&status=3xx', 'status', 'status must be failed, canceled, 2xx, 4xx, or 5xx.'],
  ['/usage?model=', 'model', 'model must have at least 1 character.'],
  ['/usage/summary?model=lab/a&model=', 'model', 'model must have at least 1 character.'],
  ['/usage?limit=1&limit=2', 'limit', 'limit must be a number.'],
])('GET %s: %s: %s', async (path, param, message) => {
  const organization = `/api/v1/organizations/${rig.first.organization.id}`;
  const { status, body } = await rig.ask('GET', organization + path);
  expect([status, body.error]).toMatchObject([400, { param, message, code: 'invalid_value' }]);
});

test.each([
  [{ password: 'short' }, 'Enter at least 12 characters.'],
  [{ password: 'Password1234' }, 'This password is too common. Choose another.'],
  [{ password: 'aaaaaaaaaaaaaaaa' }, 'This password is too common. Choose another.'],
  [
    { password: 'ada@example.com' },
    'This password is your own name or email address. Choose another.',
  ],
])('a sign-up with %j: %s', async (change, message) => {
  const refused = await rig.ask('POST', '/api/v1/sign-up', { ...SIGN_UP, ...change });
  expect([refused.status, refused.body.error]).toMatchObject([400, { param: 'password', message }]);
});

test.each([
  [z.int().min(1).max(1_000), 0, 'limit must be at least 1.'],
  [z.int().min(1).max(1_000), 1_001, 'limit must be at most 1000.'],
  [z.number().positive(), 0, 'limit must be more than 0.'],
  [z.string().min(1), '', 'limit must have at least 1 character.'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'limit must have at most 2 items.'],
  [z.iso.date(), 'today', 'limit must be a day such as 2026-11-21.'],
  [z.string().regex(/^a/), 'b', 'limit has a value that is not allowed.'],
  [z.union([z.string(), z.null()]), 1, 'limit has a value that is not allowed.'],
])('a schema without a message of its own: %# %j: %s', (schema, value, message) => {
  const parsed = z.object({ limit: schema }).safeParse({ limit: value }, { error: sentenceOf });
  expect(parsed.error?.issues[0]?.message).toBe(message);
});
