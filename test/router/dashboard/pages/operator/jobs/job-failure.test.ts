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
  ['letter', coded('CERT_HAS_EXPIRED'), 'The certificate of the mail server has expired'],
  [
    'letter',
    coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'The certificate of the mail server is not trusted',
  ],
  ['letter', coded('ETLS'), 'The connection to the mail server failed'],
  ['charge', coded('ETIMEDOUT'), 'The payment provider did not answer in time'],
  ['webhook', coded('ECONNRESET'), "The connection to the customer's server failed"],
  ['erase-person', coded('SQLITE_BUSY'), 'The store was busy'],
  ['erase-person', coded('ECONNREFUSED'), 'The database refused the connection'],
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

test('an address that begins like a status of SMTP is not one', () => {
  const error = new Error('connect ECONNREFUSED 203.0.113.7:25');
  for (const code of ['ECONNREFUSED', undefined]) {
    expect(errorInWords('letter', shownOf(Object.assign(error, { code })))).toBe(
      'The mail server refused the connection',
    );
  }
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
  // The page of the job says once that it is not sent again, and why.
  expect(of(coded('ECONNREFUSED'), { email: 'reset-password', can_retry: false })).toBe(
    'Check that routers reach the mail server.',
  );
  expect(of(coded('EENVELOPE'))).toBe('Check the address before it is tried again.');
  expect(of(coded('EENVELOPE'), { email: 'reset-password', can_retry: false })).toBe(
    'Check the address.',
  );
  expect(of(coded('CERT_HAS_EXPIRED'), { kind: 'webhook' })).toBe(
    'The customer has to look at their server.',
  );
  for (const code of ['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN']) {
    expect(of(coded(code))).toBe(
      'Check the certificate of the mail server, and which issuers routers trust, then try again.',
    );
  }
  expect(of(coded('ETLS'))).toBe('Check that routers reach the mail server, then try again.');
  expect(of(coded('ECONNREFUSED'), { kind: 'erase-person' })).toBe(
    'Check that routers reach the database, then try again.',
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

const WAITING = { state: 'waiting', can_retry: false } as const;
const FINAL = { email: 'reset-password', can_retry: false } as const;

test.each([
  ['EENVELOPE 451', WAITING, 'The mail server asked to try later. Nothing has to be done.'],
  ['EMESSAGE 450', WAITING, 'The mail server asked to try later. Nothing has to be done.'],
  ['EAUTH 454', WAITING, 'The mail server asked to try later. Nothing has to be done.'],
  ['EENVELOPE 451', {}, 'The mail server asked to try later. Try it again.'],
  ['EENVELOPE 451', FINAL, 'The mail server asked to try later.'],
  [
    'EENVELOPE 550',
    WAITING,
    'The mail server refused the address. Other attempts will probably fail, too.',
  ],
  [
    'EENVELOPE 550',
    {},
    'The mail server refused the address. Try again when it accepts the address.',
  ],
  ['EENVELOPE 550', FINAL, 'The mail server refused the address.'],
  ['EMESSAGE 554', WAITING, 'Look at the log of the mail server.'],
  ['EAUTH 535', {}, 'Check the mail settings of the routers, then try again.'],
  ['EENVELOPE', WAITING, 'Check the address.'],
])('the advice on the status of SMTP in %j for a job with %j is %j', (detail, job, cure) => {
  const last_error = shownOf(new JobFault('mail_refused', detail));
  expect(failureOf({ ...FAILED, ...job, last_error })?.cure).toBe(cure);
});

test('what our own code says has its cure, also for payments, whose other faults have one cure', () => {
  const of = (code: 'no_handler' | 'router_stopped' | 'mail_refused', job: object = {}) =>
    failureOf({ ...FAILED, ...job, last_error: shownOf(new JobFault(code)) })?.cure;
  const charge = { kind: 'charge', can_retry: false };
  expect(of('no_handler')).toBe('Complete the configuration of the routers, then try again.');
  expect(of('no_handler', charge)).toBe('Complete the configuration of the routers.');
  expect(of('router_stopped')).toBe('Try it again.');
  expect(of('router_stopped', { state: 'waiting', can_retry: false })).toBeNull();
  expect(of('router_stopped', charge)).toBe(
    'Routers keep asking the payment provider for the result.',
  );
  expect(of('mail_refused')).toBe('Look at the log of the mail server, then try again.');
  const full = { ...FAILED, ...charge, last_error: coded('SQLITE_FULL') };
  expect(failureOf(full)?.cure).toBe('Look at the store.');
});

test('a job that did what it should has no failure, and one whose event was not accepted has', () => {
  const done = { ...FAILED, kind: 'webhook', state: 'done', last_error: null } as const;
  expect(failureOf(done)).toBeNull();
  expect(failureOf({ ...done, delivery_fault: 'timeout' })).toEqual({
    why: 'No response within 10 s',
    cure: null,
  });
});
