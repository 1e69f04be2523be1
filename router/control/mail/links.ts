/**
 * One-time links in emails: their purposes and lifetimes. The token is in the URL's fragment, which
 * browsers do not send and servers do not log. The store has only its digest.
 */
import { HOUR_MS } from '../../../shared/durations.ts';
import { mintToken } from '../../../shared/ids.ts';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import type { Random } from '../../../shared/random.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { LinkRow } from '../../store/schema/people.ts';
import { type DigestParts, digestIn } from '../access/digests.ts';

export type LinkPurpose = LinkRow['purpose'];

/** `lastsMs` is null when the link lasts as long as its subject. */
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
  urls: Readonly<{ dashboard: string }>;
}>;

/** Creates a link. The URL is for its recipient only; the digest is what the store keeps. */
export function mintLink(
  { pepper, random, urls }: MintLinkParts,
  purpose: LinkPurpose,
): { url: string; digest: string } {
  const token = mintToken('link', random);
  return {
    url: `${urls.dashboard}${LINKS[purpose].path}#token=${token}`,
    digest: digestSecret(pepper, token),
  };
}

/** Returns the digest to look a presented token up by, or '' when the token is malformed. */
export async function linkDigest(parts: DigestParts, token: string): Promise<string> {
  return TOKEN.test(token) ? await digestIn(parts, 'links', token) : '';
}

/** For procedures: stores a link. */
export async function insertLink(
  db: Db,
  link: Readonly<Pick<LinkRow, 'digest' | 'purpose' | 'subject' | 'email'>>,
  { created, expires }: Readonly<{ created: number; expires: number }>,
): Promise<void> {
  const at = { created: milliseconds(created), expires: milliseconds(expires) };
  await db
    .insertInto('links')
    .values({ ...link, ...at, used: null })
    .execute();
}

/** For procedures: marks a link as used. Returns null when the link is unknown, used or expired. */
export async function useLink(
  db: Db,
  { digest, purpose, now }: Readonly<{ digest: string; purpose: LinkPurpose; now: number }>,
): Promise<LinkRow | null> {
  const at = milliseconds(now);
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

/**
 * For procedures: deletes the links of a subject that were not used. A link that was used opens
 * nothing more, and is kept until it expires, so that whoever opens it again is told.
 */
export async function dropLinks(db: Db, subject: LinkRow['subject']): Promise<void> {
  await db.deleteFrom('links').where('subject', '=', subject).where('used', 'is', null).execute();
}
