/**
 * Peppers: the installation's secrets under which keys and tokens are digested. During a rotation
 * there are several. New digests use the newest pepper, and a presented key or token is looked up
 * under each of them.
 */
import { createHmac } from 'node:crypto';

/** The most peppers in a secrets file. Each of them costs one more digest for an unknown key. */
export const PEPPERS_MAX = 4;
const TAG_CHARS = 16;

export type Pepper = Readonly<{
  secret: Uint8Array;
  /** Identifies the pepper without helping to guess it: a digest of a constant under the pepper. */
  tag: string;
  /**
   * Whether the pepper's digests begin with its tag, which shows what an older pepper is still
   * needed for. Digests of an installation's first pepper do not, because they were made before
   * there was a second one.
   */
  isTagged: boolean;
}>;

export type Peppers = Readonly<{
  /** Used for new digests. */
  newest: Pepper;
  /** Every pepper under which a presented key or token may have been digested, newest first. */
  all: readonly [Pepper, ...Pepper[]];
}>;

export function makePepper(secret: Uint8Array, isTagged: boolean): Pepper {
  return { secret, tag: fingerprintOf(secret, 'pepper').slice(0, TAG_CHARS), isTagged };
}

/** Returns the peppers of an installation that has only ever had one. */
export function onePepper(secret: Uint8Array): Peppers {
  const newest = makePepper(secret, false);
  return { newest, all: [newest] };
}

/**
 * Returns the HMAC-SHA256 of a key or token under the newest pepper. The store keeps this digest
 * instead of the key or token.
 */
export function digestSecret({ newest }: Peppers, value: string): string {
  return digestUnder(newest, value);
}

/**
 * Returns every digest under which the store may know a key or token. That of the newest pepper
 * comes first.
 */
export function digestsOf({ all }: Peppers, value: string): [string, ...string[]] {
  const [newest, ...older] = all;
  return [digestUnder(newest, value), ...older.map((pepper) => digestUnder(pepper, value))];
}

/**
 * Returns the prefix of every digest under this pepper. Empty for the first pepper, whose digests
 * have no tag.
 */
export function prefixOf({ tag, isTagged }: Pepper): string {
  return isTagged ? `${tag}.` : '';
}

/**
 * Returns the pepper under which a text in the store was made, and the rest of the text after the
 * pepper's tag. Null when it was made under none of them.
 */
export function pepperOf({ all }: Peppers, text: string): { pepper: Pepper; rest: string } | null {
  const dot = text.indexOf('.');
  const tag = dot < 0 ? null : text.slice(0, dot);
  const pepper = all.find((one) =>
    tag === null ? !one.isTagged : one.isTagged && one.tag === tag,
  );
  return pepper ? { pepper, rest: text.slice(dot + 1) } : null;
}

/**
 * Returns a digest that shows whether two installations have the same secret. It does not help to
 * guess the secret, which has 240 bits or more.
 */
export function fingerprintOf(secret: Uint8Array, what: string): string {
  return createHmac('sha256', secret).update(`penstock/fingerprint/${what}`).digest('hex');
}

function digestUnder(pepper: Pepper, value: string): string {
  return prefixOf(pepper) + createHmac('sha256', pepper.secret).update(value).digest('hex');
}
