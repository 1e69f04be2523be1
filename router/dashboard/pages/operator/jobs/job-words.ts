/** Jobs in words. */
import type { Job } from '../../../../../shared/api/jobs.ts';
import type { Tone } from '../../../parts/tone.ts';
import { emailNote, incidentEmailNote } from './email-words.ts';

export const JOB_STATES: Readonly<Record<Job['state'], Readonly<{ tone: Tone; name: string }>>> = {
  failed: { tone: 'bad', name: 'Failed' },
  waiting: { tone: 'neutral', name: 'Waiting' },
  running: { tone: 'accent', name: 'Running' },
  done: { tone: 'good', name: 'Done' },
};

/** The list of the jobs that are done, or that were attempts without success of a delivery. */
export const ENDED = 'Ended';

/** The state of a job, or that of the delivery of which it was the last attempt. */
export function jobState({
  state,
  delivery_fault: fault = null,
  delivery_next_attempt: next = null,
}: Pick<Job, 'state' | 'delivery_fault' | 'delivery_next_attempt'>): {
  tone: Tone;
  name: string;
} {
  if (fault === null) return JOB_STATES[state];
  return { tone: 'warn', name: next === null ? 'Not delivered' : 'Retrying' };
}

export const KIND_NAMES = {
  letter: 'Email',
  'incident-letter': 'Email about an incident',
  invoice: 'Invoice',
  charge: 'Charge',
  refund: 'Refund',
  'erase-organization': 'Erasure of an organization',
  'erase-person': 'Erasure of a person',
  webhook: 'Attempt to deliver a webhook',
} as const;

type Kind = keyof typeof KIND_NAMES;

/** What the work of each kind is, and what its failure means. Emails have notes of their own. */
const KIND_NOTES: Readonly<Record<Exclude<Kind, 'letter' | 'incident-letter'>, string>> = {
  invoice: 'Issues the invoice of a month. If it fails, the organization gets no invoice for it.',
  charge:
    'Charges a saved payment method. If it fails, routers keep asking the payment provider for the result.',
  refund:
    'Returns a payment to the customer. If it fails, routers keep asking the payment provider for the result.',
  'erase-organization':
    'Deletes the data of a deleted organization. If it fails, that data is still there.',
  'erase-person': 'Deletes the data of a deleted account. If it fails, that data is still there.',
  webhook:
    'Sends an event to the server of a customer. Each attempt of a delivery is a job of its own, and is done also if the server refuses the event.',
};

/** Undefined for a kind that a later version has added. */
export function jobNote(job: Pick<Job, 'kind' | 'email' | 'subject'>): string | undefined {
  const { kind } = job;
  if (kind === 'letter') return emailNote(job);
  if (kind === 'incident-letter') return incidentEmailNote(job);
  return Object.hasOwn(KIND_NOTES, kind) ? KIND_NOTES[kind as keyof typeof KIND_NOTES] : undefined;
}

/** "Email: receipt". A kind that a later version has added is shown by its own name. */
export function jobName({ kind, email }: Pick<Job, 'kind' | 'email'>): string {
  const name = Object.hasOwn(KIND_NAMES, kind) ? KIND_NAMES[kind as keyof typeof KIND_NAMES] : kind;
  return email === null ? name : `${name}: ${email.replaceAll('-', ' ')}`;
}
