/**
 * One-time links: what a letter's link is good for, and for how long. The token stands in the fragment, which no
 * browser sends and no server logs; the store has its digest alone.
 */
import { mintToken } from '../../../shared/ids.ts';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import type { Random } from '../../../shared/random.ts';
import { type DigestParts, digestIn } from '../access/digests.ts';
import type { Db } from '../../store/procedure.ts';
import type { LinkRow } from '../../store/schema/people.ts';

export type LinkPurpose = LinkRow['purpose'];

const HOUR_MS = 60 * 60 * 1000;

/** `lastsMs` null: as long as what it is about. */
export const LINKS: Readonly<
  Record<LinkPurpose, Readonly<{ path: string; lastsMs: number | null }>>
> = {
  'reset-password': { path: '/reset', lastsMs: HOUR_MS },
  'confirm-email': { path: '/confirm', lastsMs: 24 * HOUR_MS },
  invitation: { path: '/invitation', lastsMs: null },
};

const TOKEN = /^penstock-link-[0-9A-Za-z]{40}$/;

export type MintLinkParts = Readonly<{
  pepper: Peppers;
  random: Random;
  places: Readonly<{ dashboard: string }>;
}>;

/** A new link's URL, for its recipient alone, and the digest that is kept instead. */
export function mintLink(
  { pepper, random, places }: MintLinkParts,
  purpose: LinkPurpose,
): { url: string; digest: string } {
  const token = mintToken('link', random);
  return {
    url: `${places.dashboard}${LINKS[purpose].path}#token=${token}`,
    digest: digestSecret(pepper, token),
  };
}

/** The digest under which a presented token is looked up; what has not its form has none. */
export async function linkDigest(parts: DigestParts, token: string): Promise<string> {
  return TOKEN.test(token) ? await digestIn(parts, 'links', token) : '';
}

/** For procedures: keeps a link. */
export async function insertLink(
  db: Db,
  link: Readonly<Pick<LinkRow, 'digest' | 'purpose' | 'subject' | 'email'>>,
  { created, expires }: Readonly<{ created: number; expires: number }>,
): Promise<void> {
  const at = { created: BigInt(Math.round(created)), expires: BigInt(Math.round(expires)) };
  await db
    .insertInto('links')
    .values({ ...link, ...at, used: null })
    .execute();
}

/** For procedures: uses a link up; null: it was never there, is used, or has expired. */
export async function useLink(
  db: Db,
  { digest, purpose, now }: Readonly<{ digest: string; purpose: LinkPurpose; now: number }>,
): Promise<LinkRow | null> {
  const at = BigInt(Math.round(now));
  const link = await db
    .updateTable('links')
    .set({ used: at })
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .where('used', 'is', null)
    .where('expires', '>', at)
    .returningAll()
    .executeTakeFirst();
  return link ?? null;
}

/** For procedures: whatever else was sent to somebody is good for nothing any more. */
export async function dropLinks(db: Db, subject: LinkRow['subject']): Promise<void> {
  await db.deleteFrom('links').where('subject', '=', subject).execute();
}
