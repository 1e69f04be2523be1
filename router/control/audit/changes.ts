/** What an entry of the audit log changed: the values before and after, and both as words. */
import {
  type DetailValue,
  fieldInWords,
  isAbsent,
  isShort,
  valueInWords,
} from '../../../shared/audit-words.ts';
import { modelsInSentence } from './allowed-models.ts';
import type { Details } from './record.ts';

type Change = Readonly<{ field: string; from: DetailValue; to: DetailValue }>;

/** The fields whose values before are known and differ. */
function changesOf(details: Details, before: Details): Change[] {
  return Object.entries(before)
    .map(([field, from]) => ({ field, from, to: details[field] ?? null }))
    .filter(({ from, to }) => from !== to);
}

/**
 * "changed the monthly cap of the API key "ci" from $20 to $50". Entries of earlier versions have no
 * values before, and some only the names of the fields, under `changed`.
 */
export function changedInWords(subject: string, details: Details, before: Details | null): string {
  if (before === null) return withoutBefore(subject, details);
  const changes = changesOf(details, before);
  const [first] = changes;
  if (!first) return `saved ${subject} (no changes)`;
  if (changes.length > 1) {
    return `changed ${listed(changes.map(({ field }) => field))} of ${subject}${allTo(changes)}`;
  }
  const { field, from, to } = first;
  const what = `the ${fieldInWords(field)} of ${subject}`;
  if (isAbsent(field, from)) return `set ${what} to ${inSentence(field, to)}`;
  if (isAbsent(field, to)) return `removed ${what}, which was ${inSentence(field, from)}`;
  return `changed ${what} from ${inSentence(field, from)} to ${inSentence(field, to)}`;
}

/** The most changes whose values a sentence has. */
const TOLD_MAX = 3;

/** " to invoiced, $500 and 14 days", or nothing if that is too much for a sentence. */
function allTo(changes: readonly Change[]): string {
  if (changes.length > TOLD_MAX) return '';
  // "on", "off" and "none" are no values that a reader understands beside others.
  const isTold = ({ field, to }: Change) =>
    isShort(field, to) && !isAbsent(field, to) && typeof to !== 'boolean';
  if (!changes.every(isTold)) return '';
  return ` to ${LIST.format(changes.map(({ field, to }) => inSentence(field, to)))}`;
}

function withoutBefore(subject: string, { changed, ...details }: Details): string {
  if (typeof changed === 'string') {
    return changed === ''
      ? `saved ${subject} (no changes)`
      : `changed ${listed(changed.split(', '))} of ${subject}`;
  }
  const [first, ...more] = Object.entries(details);
  if (!first) return `changed ${subject}`;
  if (more.length > 0) return `changed ${listed(Object.keys(details))} of ${subject}`;
  const [field, to] = first;
  const what = `the ${fieldInWords(field)} of ${subject}`;
  return isAbsent(field, to) ? `removed ${what}` : `set ${what} to ${inSentence(field, to)}`;
}

function inSentence(field: string, value: DetailValue): string {
  const words = valueInWords(field, value);
  if (field === 'payment_terms_days' && value !== null)
    return `${words} ${value === 1 ? 'day' : 'days'}`;
  return field === 'allowed_models' ? modelsInSentence(words) : words;
}

const LIST = new Intl.ListFormat('en-GB');

/** "the name, expiry and limits" */
function listed(fields: readonly string[]): string {
  return `the ${LIST.format(fields.map(fieldInWords))}`;
}
