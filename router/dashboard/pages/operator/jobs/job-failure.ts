/**
 * Why a job failed and what an operator can do about it, in words. The API tells the class, the code
 * and the message of an error that no code of ours knows; the page of the job shows these, too.
 */
import type { Job } from '../../../../../shared/api/jobs.ts';
import { attemptOutcome } from '../../webhooks/words.ts';

type JobFailure = Readonly<{
  /** Without a full stop. */
  why: string;
  /** A sentence. Null: nothing has to be done, or the customer has to do it. */
  cure: string | null;
}>;

type FailedJob = Pick<
  Job,
  'kind' | 'email' | 'state' | 'last_error' | 'delivery_fault' | 'can_retry'
>;

/** Null for a job that did what it should. */
export function failureOf(job: FailedJob): JobFailure | null {
  const { last_error: error, delivery_fault: fault = null } = job;
  if (error !== null) return { why: errorInWords(job.kind, error), cure: cureOf(job, error) };
  if (fault === null) return null;
  return { why: attemptOutcome({ status: null, fault }), cure: null };
}

const NAMES = {
  mail: 'the mail server',
  payment: 'the payment provider',
  customer: "the customer's server",
} as const;

/** Which server the work of each kind is done with. A kind that is missing needs only the database. */
const PEERS: Readonly<Record<string, keyof typeof NAMES>> = {
  letter: 'mail',
  'incident-letter': 'mail',
  charge: 'payment',
  refund: 'payment',
  webhook: 'customer',
};

/** `found`: codes of Node.js, undici, nodemailer and SQLite. `of`: the name of the other server. */
const CAUSES: readonly Readonly<{
  name: 'connection' | 'sign-in' | 'recipient' | 'certificate' | 'store';
  found: RegExp;
  why: (of: string) => string;
}>[] = [
  {
    name: 'sign-in',
    found: /\b(?:EAUTH|ENOAUTH|EOAUTH2)\b/,
    why: (of) => `${sentence(of)} did not accept the user name or password`,
  },
  {
    name: 'recipient',
    found: /\bEENVELOPE\b/,
    why: (of) => `${sentence(of)} did not accept the sender or the recipient`,
  },
  {
    name: 'certificate',
    found: /\bCERT_HAS_EXPIRED\b/,
    why: (of) => `The certificate of ${of} has expired`,
  },
  {
    name: 'certificate',
    found: /\b(?:CERT_\w+|ERR_TLS_CERT\w*|(?:DEPTH_ZERO_)?SELF_SIGNED\w*|UNABLE_TO_\w+)\b/,
    why: (of) => `The certificate of ${of} is not trusted`,
  },
  {
    name: 'connection',
    found: /\bECONNREFUSED\b/,
    why: (of) => `${sentence(of)} refused the connection`,
  },
  {
    name: 'connection',
    found: /\b(?:ETIMEDOUT|ESOCKETTIMEDOUT|TimeoutError|UND_ERR_\w*TIMEOUT)\b/,
    why: (of) => `${sentence(of)} did not answer in time`,
  },
  {
    name: 'connection',
    found: /\b(?:ENOTFOUND|EAI_AGAIN|EDNS)\b/,
    why: (of) => `The address of ${of} was not found`,
  },
  {
    name: 'connection',
    found:
      /\b(?:ECONNRESET|ECONNECTION|ESOCKET|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_SOCKET|ETLS|ERR_TLS\w*)\b/,
    why: (of) => `The connection to ${of} failed`,
  },
  { name: 'store', found: /\bSQLITE_(?:BUSY|LOCKED)\b/, why: () => 'The store was busy' },
  {
    name: 'store',
    found: /\b(?:SQLITE_FULL|ENOSPC)\b/,
    why: () => 'The disk of the store is full',
  },
];

/** How the API's words of ours begin, which the tests compare with those of the router. */
const MAIL_REFUSED = 'The mail server did not accept the email';
const NO_HANDLER = 'This router cannot do this kind of job';
const ROUTER_DIED = 'The router that ran the job died';

/** What the API says in words of ours. An error has the name of its class before its message. */
const OURS = /^[A-Z][a-z]+ [a-z]/;

export function errorInWords(kind: string, error: string): string {
  const of = nameOf(kind);
  const cause = causeOf(error);
  if (cause) return withStatus(cause.why(of), error);
  if (OURS.test(error)) return withoutCode(error);
  if (/^Stripe\w*Error\b/.test(error)) return 'The payment provider did not accept the request';
  return 'An unexpected error ended the attempt';
}

function cureOf(job: FailedJob, error: string): string | null {
  const peer = PEERS[job.kind];
  const cause = causeOf(error)?.name;
  const again = job.can_retry ? ', then try again' : '';
  if (error.startsWith(NO_HANDLER)) return `Complete the configuration of the routers${again}.`;
  if (cause === 'store') return `Look at the store${again}.`;
  if (peer === 'payment') return 'Routers keep asking the payment provider for the result.';
  if (error.startsWith(ROUTER_DIED)) return job.can_retry ? 'Try it again.' : null;
  if (peer === 'customer' && (cause === 'connection' || cause === 'certificate')) {
    return 'The customer has to look at their server.';
  }
  const status = smtpStatusOf(error);
  if (status?.startsWith('4')) return laterCureOf(job);
  switch (cause) {
    case undefined:
      break;
    case 'certificate':
      return `Check the certificate of ${nameOf(job.kind)}, and which issuers routers trust${again}.`;
    case 'connection':
      return `Check that routers reach ${nameOf(job.kind)}${again}.`;
    case 'sign-in':
      return `Check the mail settings of the routers${again}.`;
    case 'recipient':
      return addressCureOf(job, status);
  }
  if (peer === 'mail' && OURS.test(error)) return `Look at the log of the mail server${again}.`;
  return "The router's log has the whole error, under the job's ID.";
}

/** For a fault that the mail server says will pass. */
function laterCureOf({ state, can_retry: canRetry }: FailedJob): string {
  const later = 'The mail server asked to try later.';
  if (state !== 'failed') return `${later} Nothing has to be done.`;
  return canRetry ? `${later} Try it again.` : later;
}

function addressCureOf(
  { state, can_retry: canRetry }: FailedJob,
  status: string | undefined,
): string {
  if (status === undefined) {
    return canRetry ? 'Check the address before it is tried again.' : 'Check the address.';
  }
  const refused = 'The mail server refused the address.';
  if (state !== 'failed') return `${refused} Other attempts will probably fail, too.`;
  return canRetry ? `${refused} Try again when it accepts the address.` : refused;
}

function causeOf(error: string) {
  return CAUSES.find(({ found }) => found.test(error));
}

function nameOf(kind: string): string {
  const peer = PEERS[kind];
  return peer === undefined ? 'the database' : NAMES[peer];
}

function withStatus(why: string, error: string): string {
  const status = smtpStatusOf(error);
  return status === undefined ? why : `${why} (SMTP ${status})`;
}

/** The status of SMTP, if the mail server has told one at the end of its fault: "EENVELOPE 550". */
function smtpStatusOf(error: string): string | undefined {
  if (!error.startsWith(MAIL_REFUSED)) return undefined;
  return /: E[A-Z]+ ([245]\d\d)$/.exec(error)?.[1];
}

/** "The mail server did not accept the email: EMESSAGE 450" */
function withoutCode(error: string): string {
  const [, text = error] = /^(.*?): [A-Z0-9_ ]+$/.exec(error) ?? [];
  return withStatus(text, error);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
