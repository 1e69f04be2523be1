/** Emails that a person has switched off. */
import type { PersonRow } from '../../store/schema/people.ts';

/** Whether the person has switched off emails of this kind. */
export function isMuted(
  { muted_emails: muted }: Pick<PersonRow, 'muted_emails'>,
  kind: string,
): boolean {
  return muted !== null && muted.split(',').includes(kind);
}
