/** The codes by which requests can be filtered: those that occurred come first. */
import type { RefusalCounts } from '../../../../shared/api/refusals.ts';
import { shownCount } from '../../format/count.ts';
import { EXPLAINED_CODES } from '../usage/explanations.ts';
import type { LogRow } from './merge.ts';

type CodeChoice = Readonly<{ value: string; name: string; note?: string }>;

/**
 * Counts the refusals of the time that is shown, the most frequent code first. The codes of requests
 * that failed after they were admitted are those of the listed `rows`.
 */
export function codeChoices(
  refused: RefusalCounts['groups'],
  rows: readonly LogRow[],
): readonly CodeChoice[] {
  const notes = new Map<string, string>();
  for (const { group, count } of refused) {
    if (group !== null) notes.set(group, `${shownCount(count)} refused`);
  }
  for (const { kind, entry } of rows) {
    if (kind !== 'admitted' || entry.error === null) continue;
    if (!notes.has(entry.error)) notes.set(entry.error, 'Failed in this time');
  }
  return [
    ...[...notes].map(([code, note]) => ({ value: code, name: code, note })),
    ...EXPLAINED_CODES.filter((code) => !notes.has(code)).map((code) => ({
      value: code,
      name: code,
    })),
  ];
}
