/** Why a job failed in words, for every kind of error that the API tells. */
import { expect, test } from 'vitest';
import {
  errorInWords,
  failureOf,
} from '../../../../../../router/dashboard/pages/operator/jobs/job-failure.ts';
import { JobFault, shownFault, storedFault } from '../../../../../../router/jobs/faults.ts';

const FAILED = { kind: 'letter', email: 'receipt', state: 'failed', can_retry: true } as const;

function shownOf(error: unknown): string {
  return shownFault(storedFault(error)) ?? '';
}

function coded(code: string): string {
  return shownOf(Object.assign(new Error(`connect ${code} 10.0.0.7:25`), { code }));
}

test.each([
  ['letter', coded('ECONNREFUSED'), 'The mail server refused the connection'],
  ['incident-letter', coded('ENOTFOUND'), 'The address of the mail server was not found'],
  ['letter', coded('CERT_HAS_EXPIRED'), 'The certificate of the mail server is not trusted'],
  ['charge', coded('ETIMEDOUT'), 'The payment provider did not answer in time'],
  ['webhook', coded('ECONNRESET'), "The connection to the customer's server failed"],
  ['erase-person', coded('SQLITE_BUSY'), 'The store was busy'],
  ['erase-person', coded('ECONNREFUSED'), 'Another server refused the connection'],
  [
    'refund',
    shownOf(new TypeError('x is not a function')),
    'An unexpected error ended the attempt',
  ],
  ['letter', 'Error', 'An unexpected error ended the attempt'],
  [
    'charge',
    shownOf(Object.assign(new Error('No such customer'), { name: 'StripeInvalidRequestError' })),
    'The payment provider did not accept the request',
  ],
])('an error of a job of the kind %s, %j, is %j', (kind, error, words) => {
  expect(errorInWords(kind, error)).toBe(words);
});

test.each([
  ['EAUTH 535', 'The mail server did not accept the user name or password (SMTP 535)'],
  ['EENVELOPE 550', 'The mail server did not accept the sender or the recipient (SMTP 550)'],
  ['EMESSAGE 450', 'The mail server did not accept the email (SMTP 450)'],
  ['ECONNECTION', 'The connection to the mail server failed'],
  ['unknown', 'The mail server did not accept the email'],
])('a fault of the mail server, %s, is %j', (detail, words) => {
  expect(errorInWords('letter', shownOf(new JobFault('mail_refused', detail)))).toBe(words);
});

test('what our own code says stays as it is', () => {
  for (const code of ['no_handler', 'router_stopped'] as const) {
    const shown = shownOf(new JobFault(code));
    expect(errorInWords('invoice', shown)).toBe(shown);
  }
});

test('a cure is named for what an operator can do, and only if they can try the job again', () => {
  const of = (error: string, job: object = {}) =>
    failureOf({ ...FAILED, ...job, last_error: error })?.cure;
  expect(of(coded('ECONNREFUSED'))).toBe(
    'Check that routers reach the mail server, then try again.',
  );
  // It is tried again by itself.
  expect(of(coded('ECONNREFUSED'), { state: 'waiting', can_retry: false })).toBe(
    'Check that routers reach the mail server.',
  );
  expect(of(coded('ECONNREFUSED'), { email: 'reset-password', can_retry: false })).toBe(
    'It is not sent again: the person can ask for another.',
  );
  expect(of(coded('ETIMEDOUT'), { kind: 'refund', can_retry: false })).toBe(
    'Routers keep asking the payment provider for the result.',
  );
  expect(of(coded('ETIMEDOUT'), { kind: 'webhook' })).toBe(
    'The customer has to look at their server.',
  );
  expect(of('TypeError', { kind: 'invoice' })).toBe(
    "The router's log has the whole error, under the job's ID.",
  );
});

test('a job that did what it should has no failure, and one whose event was not accepted has', () => {
  const done = { ...FAILED, kind: 'webhook', state: 'done', last_error: null } as const;
  expect(failureOf(done)).toBeNull();
  expect(failureOf({ ...done, delivery_fault: 'timeout' })).toEqual({
    why: 'No response within 10 s',
    cure: null,
  });
});
