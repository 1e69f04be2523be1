/** What the store keeps of a job's error, and what operators see of it. */
import { expect, test } from 'vitest';
import { ERROR_TEXT_CHARS_MAX, publicErrorText } from '../../../router/jobs/error-text.ts';
import { JobFault, shownFault, storedFault } from '../../../router/jobs/faults.ts';

const shownOf = (error: unknown) => shownFault(storedFault(error));

test('a fault of our own is shown as a sentence, with the code of the other system', () => {
  expect(storedFault(new JobFault('mail_refused', 'EMESSAGE 450'))).toBe(
    'mail_refused EMESSAGE 450',
  );
  expect(shownOf(new JobFault('mail_refused', 'EMESSAGE 450'))).toBe(
    'The mail server did not accept the email: EMESSAGE 450',
  );
  expect(shownOf(new JobFault('router_stopped'))).toBe('The router that ran the job died');
  expect(shownFault(null)).toBe(null);
});

test('of any other error, the class, a code and the message are kept, without what may be secret', () => {
  const coded = Object.assign(new TypeError('fetch https://me:secret@host failed'), {
    code: 'ECONNREFUSED',
  });
  expect(storedFault(coded)).toBe('TypeError ECONNREFUSED | fetch [URL] failed');
  expect(shownOf(coded)).toBe('TypeError ECONNREFUSED: fetch [URL] failed');
  const user = new Error('no such user: ada@example.com');
  expect(shownOf(user)).toBe('Error: no such user: [address]');
  expect(shownOf(Object.assign(new Error('x'), { code: 'for ada@example.com' }))).toBe('Error: x');
  expect(shownOf(Object.assign(new Error('x'), { name: 'ada@example.com' }))).toBe('Error: x');
  const failed = new TypeError('fetch failed', {
    cause: new Error('connect ETIMEDOUT 10.0.0.7:25'),
  });
  expect(shownOf(failed)).toBe('TypeError: fetch failed: connect ETIMEDOUT 10.0.0.7:25');
  expect(shownOf(new JobFault('mail_refused', '550 <ada@example.com>'))).toBe(
    'The mail server did not accept the email',
  );
  expect(shownOf('ada@example.com')).toBe('Error');
});

test.each([
  ['Invalid API Key: sk_live_51Hxyz', 'Invalid API Key [removed]'],
  ['password=hunter2 was refused', 'password [removed] was refused'],
  ['Authorization: Bearer abc', 'Authorization [removed]'],
  ['Authorization: Basic dXNlcjpwYXNz was refused', 'Authorization [removed] was refused'],
  ['authorization=abc', 'authorization [removed]'],
  ['bearer abcdefghijklmnopqrstuvwxyz', 'bearer [removed]'],
  ['the password is hunter2', 'the password [removed]'],
  ['key QRsTuvWXyzABcdEFghIJkl', 'key [removed]'],
  ['StripeAuthenticationError: no', 'StripeAuthenticationError: no'],
  ['550 <ada@example.com> said "the letter to Ada"', '550 [address] said "…"'],
  ["no 'Ada Lovelace' here", "no '…' here"],
  ["can't read it", "can't read it"],
  ['violates the constraint "invoices_number"', 'violates the constraint "invoices_number"'],
  ['card 4242424242424242', 'card [number]'],
  ['see https://me:pw@host/confirm#token=1', 'see [URL]'],
  ['link a1b2c3d4e5f6a7b8c9d0 expired', 'link [removed] expired'],
  ['org_01m8h4sz15ent65raaf7h0bnc2 owes', 'org_01m8h4sz15ent65raaf7h0bnc2 owes'],
  ['first line\nsecond line', 'first line'],
  ['tab\tand\u0007bell', 'tab and bell'],
  ['unfinished "ada', 'unfinished "…"'],
])('the message %j is kept as %j', (message, text) => {
  expect(publicErrorText(message)).toBe(text);
  expect(publicErrorText(text)).toBe(text);
});

test('a message is bounded, and one without a word is left out', () => {
  const long = publicErrorText('no '.repeat(100_000));
  expect(long).toHaveLength(ERROR_TEXT_CHARS_MAX + 1);
  expect(publicErrorText(long)).toBe(long);
  expect(publicErrorText('[\n  {"code": 1}')).toBe('');
  expect(shownOf(new Error(''))).toBe('Error');
});

test.each([
  ['Error: connect to https://me:secret@host', 'Error'],
  ['StripeAuthenticationError: Invalid API Key sk_live_1', 'StripeAuthenticationError'],
  ['its router died', 'The router that ran the job died'],
  ['ada@example.com is not there', 'Error'],
  ['secret', 'Error'],
  ['constructor', 'Error'],
  ['TypeError of ada@example.com', 'TypeError'],
  ['', 'Error'],
])('of what an earlier version stored, only the class is shown: %s', (stored, shown) => {
  expect(shownFault(stored)).toBe(shown);
});
