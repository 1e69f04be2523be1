/**
 * Messages for values that a schema refuses without a message of its own: values of another type or
 * outside their bounds.
 */
import type { z } from 'zod';
import { fieldPath } from './inference.ts';

/** The names of JSON's types, as a sentence needs them. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day such as 2026-11-21',
  datetime: 'an instant in UTC, such as 2026-11-21T00:00:00Z',
};

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * Returns a sentence such as `limit must be at most 1000.` It names the field, because programs
 * often show only the message of an error.
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const param = fieldPath(issue.path ?? []);
  return `${param === '' ? 'The value' : param} ${predicateOf(issue)}.`;
}

/** Returns what follows the name of the field, such as `must be at most 1000`. */
export function predicateOf(issue: z.core.$ZodRawIssue): string {
  const rule = ruleOf(issue);
  return rule === null ? 'has a value that is not allowed' : `must ${rule}`;
}

/** Returns null when the rule has no simple words. */
function ruleOf(issue: z.core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return `be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return boundOf('at least', 'more than', issue.minimum, issue);
    case 'too_big':
      return boundOf('at most', 'less than', issue.maximum, issue);
    case 'invalid_value':
      return `be ${OR.format(issue.values.map(String))}`;
    case 'invalid_format':
      return issue.format in FORMATS ? `be ${FORMATS[issue.format]}` : null;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return null;
  }
}

type Bound = Readonly<{ origin: string; inclusive?: boolean | undefined }>;

function boundOf(
  inclusively: string,
  exclusively: string,
  bound: number | bigint,
  { origin, inclusive = true }: Bound,
): string {
  const words = `${inclusive ? inclusively : exclusively} ${bound}`;
  if (origin === 'string') return `have ${words} ${plural(bound, 'character')}`;
  if (origin === 'array' || origin === 'set') return `have ${words} ${plural(bound, 'item')}`;
  return `be ${words}`;
}

function plural(count: number | bigint, noun: string): string {
  return Number(count) === 1 ? noun : `${noun}s`;
}
