/** Whose figures are judged, and what an alarm says of them. */

/** A worker and what it serves. */
export type Subject = Readonly<{ worker: string; agent: string; model: string }>;

export const ALARM_KINDS = [
  'prompt_inflated',
  'completion_inflated',
  'cached_understated',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Figures that do not fit: a reason to look, never a proof. */
export type Alarm = Subject &
  Readonly<{
    kind: AlarmKind;
    /** How it was found. */
    by: 'recount' | 'band' | 'canary' | 'cache' | 'bound';
    /** What was reported in parts of what was expected, in all samples together. */
    ratio: number;
    samples: number;
  }>;

export type Counted = 'prompt' | 'completion';

export function keyOf({ worker, model }: Subject, of = ''): string {
  return JSON.stringify([worker, model, of]);
}

/** Subjects whose evidence is kept at once: what agents name is bounded here. */
export const SUBJECTS_MAX = 4_096;
