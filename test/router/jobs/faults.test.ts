/** What the store keeps of a job's error, and what operators see of it. */
import { expect, test } from 'vitest';
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

test('of any other error, only the class and a code are kept', () => {
  const coded = Object.assign(new TypeError('fetch https://me:secret@host failed'), {
    code: 'ECONNREFUSED',
  });
  expect(storedFault(coded)).toBe('TypeError ECONNREFUSED');
  expect(shownOf(coded)).toBe('TypeError ECONNREFUSED');
  expect(shownOf(new Error('no such user: ada@example.com'))).toBe('Error');
  expect(shownOf(Object.assign(new Error('x'), { code: 'for ada@example.com' }))).toBe('Error');
  expect(shownOf(Object.assign(new Error('x'), { name: 'ada@example.com' }))).toBe('Error');
  expect(shownOf(new JobFault('mail_refused', '550 <ada@example.com>'))).toBe(
    'The mail server did not accept the email',
  );
  expect(shownOf('ada@example.com')).toBe('Error');
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
