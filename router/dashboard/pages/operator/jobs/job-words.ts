/** Jobs in words. */
import type { Job } from '../../../../../shared/api/jobs.ts';
import type { Tone } from '../../../parts/shown.tsx';

export const JOB_STATES: Readonly<Record<Job['state'], Readonly<{ tone: Tone; name: string }>>> = {
  failed: { tone: 'bad', name: 'Failed' },
  waiting: { tone: 'neutral', name: 'Waiting' },
  running: { tone: 'accent', name: 'Running' },
  done: { tone: 'good', name: 'Done' },
};

export const KIND_NAMES = {
  letter: 'Email',
  invoice: 'Invoice',
  charge: 'Charge',
  refund: 'Refund',
  'erase-organization': 'Erasure of an organization',
  'erase-person': 'Erasure of a person',
  webhook: 'Attempt to deliver a webhook',
} as const;

/** "Email: receipt". A kind that a later version has added is shown by its own name. */
export function jobName({ kind, email }: Pick<Job, 'kind' | 'email'>): string {
  const name = Object.hasOwn(KIND_NAMES, kind) ? KIND_NAMES[kind as keyof typeof KIND_NAMES] : kind;
  return email === null ? name : `${name}: ${email.replaceAll('-', ' ')}`;
}
