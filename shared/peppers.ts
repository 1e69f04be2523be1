/**
 * Peppers: the installation's secrets under which keys and tokens are digested. There are several of them while
 * one takes the place of another: the newest is used for new digests, and what is presented is looked for under each.
 */
import { createHmac } from 'node:crypto';

/** How many peppers a secrets file may have: each one is one more digest for a key that nobody knows. */
export const PEPPERS_MAX = 4;
const TAG_CHARS = 16;

export type Pepper = Readonly<{
  secret: Uint8Array;
  /** Names the pepper and does not help to guess it: a digest of a constant under it. */
  tag: string;
  /**
   * Whether its digests begin with its tag, which shows what an older pepper is still needed for. Those of an
   * installation's first pepper do not: they were made before there was a second one.
   */
  isTagged: boolean;
}>;

export type Peppers = Readonly<{
  /** Used for new digests. */
  newest: Pepper;
  /** Every one that what is presented may be digested under, the newest first. */
  all: readonly [Pepper, ...Pepper[]];
}>;

export function makePepper(secret: Uint8Array, isTagged: boolean): Pepper {
  return { secret, tag: fingerprintOf(secret, 'pepper').slice(0, TAG_CHARS), isTagged };
}

/** The peppers of an installation that has only ever had one. */
export function onePepper(secret: Uint8Array): Peppers {
  const newest = makePepper(secret, false);
  return { newest, all: [newest] };
}

/** HMAC-SHA256 of a key or token under the newest pepper: what the store keeps instead of it. */
export function digestSecret({ newest }: Peppers, value: string): string {
  return digestUnder(newest, value);
}

/** Every digest under which a key or token may stand in the store, that of the newest pepper first. */
export function digestsOf({ all }: Peppers, value: string): [string, ...string[]] {
  const [newest, ...older] = all;
  return [digestUnder(newest, value), ...older.map((pepper) => digestUnder(pepper, value))];
}

/** What every digest under this pepper begins with; empty for the first pepper, whose digests are bare. */
export function prefixOf({ tag, isTagged }: Pepper): string {
  return isTagged ? `${tag}.` : '';
}

/** Which pepper something in the store was made under, and what follows the pepper's tag; null: under none of them. */
export function pepperOf({ all }: Peppers, text: string): { pepper: Pepper; rest: string } | null {
  const dot = text.indexOf('.');
  const tag = dot < 0 ? null : text.slice(0, dot);
  const pepper = all.find((one) =>
    tag === null ? !one.isTagged : one.isTagged && one.tag === tag,
  );
  return pepper ? { pepper, rest: text.slice(dot + 1) } : null;
}

/** Says whether two installations have the same secret without helping to guess it: the secret is 240 bits or more. */
export function fingerprintOf(secret: Uint8Array, what: string): string {
  return createHmac('sha256', secret).update(`penstock/fingerprint/${what}`).digest('hex');
}

function digestUnder(pepper: Pepper, value: string): string {
  return prefixOf(pepper) + createHmac('sha256', pepper.secret).update(value).digest('hex');
}
