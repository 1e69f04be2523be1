/** What an audit judges (a worker and a model that it serves), and the alarms that it raises. */

/** A worker and a model that it serves. */
export type Subject = Readonly<{ worker: string; agent: string; model: string }>;

export const ALARM_KINDS = [
  'prompt_inflated',
  'completion_inflated',
  'cached_understated',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Counts that do not fit: a reason to investigate, and no proof. */
export type Alarm = Subject &
  Readonly<{
    kind: AlarmKind;
    /** The check that found it. */
    by: 'recount' | 'band' | 'canary' | 'cache' | 'bound';
    /** Reported relative to expected tokens, over all samples. */
    ratio: number;
    samples: number;
  }>;

/** Which tokens of a request a count is of. */
export type TokenKind = 'prompt' | 'completion';

export function keyOf({ worker, model }: Subject, which: TokenKind | '' = ''): string {
  return JSON.stringify([worker, model, which]);
}

/** The most subjects with evidence. Agents choose names, so their number is bounded here. */
export const SUBJECTS_MAX = 4_096;
