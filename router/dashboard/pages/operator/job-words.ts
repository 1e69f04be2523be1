/** Jobs in words. */
import type { Job } from '../../../../shared/api/jobs.ts';
import type { Tone } from '../../parts/shown.tsx';

export const JOB_STATE_NAMES = {
  failed: 'Given up',
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
} as const satisfies Record<Job['state'], string>;

export const JOB_STATE_TONES: Readonly<Record<Job['state'], Tone>> = {
  failed: 'bad',
  waiting: 'neutral',
  running: 'accent',
  done: 'good',
};

export const KIND_NAMES = {
  letter: 'Email',
  invoice: 'Invoice',
  charge: 'Charge',
  refund: 'Refund',
  'erase-organization': 'Erasure of an organization',
  'erase-person': 'Erasure of a person',
} as const;

/** "Email: receipt". A kind that a later version has added is shown by its own name. */
export function jobName({ kind, email }: Pick<Job, 'kind' | 'email'>): string {
  const name = Object.hasOwn(KIND_NAMES, kind) ? KIND_NAMES[kind as keyof typeof KIND_NAMES] : kind;
  return email === null ? name : `${name}: ${email.replaceAll('-', ' ')}`;
}
