/**
 * The link in each email about an incident that ends these emails. It is made from the person and the
 * installation's secret, so that the store keeps nothing for it, and it works as long as this secret
 * is one of the peppers. It can do nothing else, so that it may be in a URL that servers log.
 */
import { timingSafeEqual } from 'node:crypto';
import type { PersonId } from '../../../shared/ids.ts';
import { digestSecret, digestsOf, type Peppers } from '../../../shared/peppers.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import { type AuditEntry, record } from '../audit/record.ts';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

export function unsubscribeUrl(
  { pepper, urls }: Readonly<{ pepper: Peppers; urls: Readonly<{ dashboard: string }> }>,
  person: PersonId,
): string {
  const proof = digestSecret(pepper, provenOf(person));
  return `${urls.dashboard}${UNSUBSCRIBE_PATH}?person=${person}&proof=${proof}`;
}

/** Returns the person whose emails the link ends, or null if nobody's. */
export function unsubscriberOf(
  pepper: Peppers,
  { person, proof }: Readonly<{ person: string; proof: string }>,
): PersonId | null {
  const given = Buffer.from(proof);
  const isProven = digestsOf(pepper, provenOf(person)).some((digest) => {
    const wanted = Buffer.from(digest);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return isProven ? (person as PersonId) : null;
}

function provenOf(person: string): string {
  return `penstock/unsubscribe/incident/${person}`;
}

/** The address of an account, and whether it gets the emails. */
export type Unsubscriber = Readonly<{ email: string; isSubscribed: boolean }>;

/** Null: the account was deleted. */
export const findUnsubscriber = readProcedure<PersonId, Unsubscriber | null>(
  'findUnsubscriber',
  async (db, person) => {
    const row = await db
      .selectFrom('people')
      .select(['email', 'incident_emails'])
      .where('id', '=', person)
      .where('erased', 'is', null)
      .executeTakeFirst();
    return row ? { email: row.email, isSubscribed: row.incident_emails !== null } : null;
  },
);

/** Records the change only if there is one: a link is often opened again. */
export const unsubscribe = writeProcedure<Readonly<{ person: PersonId; entry: AuditEntry }>, null>(
  'unsubscribe',
  async (db, { person, entry }) => {
    const changed = await db
      .updateTable('people')
      .set({ incident_emails: null })
      .where('id', '=', person)
      .where('incident_emails', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (changed) await record(db, entry);
    return null;
  },
);
