/**
 * Password rules, and hashing with argon2id. Hashing is slow on purpose, so only a few hashes run
 * at once, a bounded number wait, and the rest are refused. A flood of sign-ins therefore cannot
 * take all memory or all threads.
 */
import { hash, verify } from '@node-rs/argon2';
import { Refused } from '../api.ts';

/** OWASP's recommended parameters for argon2id, which is this library's default variant. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Half of the threads in Node's default thread pool. */
export const AT_ONCE_MAX = 2;
export const WAITING_MAX = 64;

/**
 * A hash that no password matches. Verifying against it takes the same work as against a real hash.
 */
const NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2);
}

export type Argon2 = Readonly<{
  hash: (password: string) => Promise<string>;
  verify: (digest: string, password: string) => Promise<boolean>;
}>;

export class Passwords {
  readonly #argon2: Argon2;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(argon2: Argon2 = { hash: hashPassword, verify }) {
    this.#argon2 = argon2;
  }

  /** Hashes a password. Throws `Refused` when too many callers are waiting. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#argon2.hash(password));
  }

  /**
   * Verifies a password. A null `digest` (there is no such person) takes the same work and returns
   * false. Throws `Refused` when too many callers are waiting.
   */
  verify(digest: string | null, password: string): Promise<boolean> {
    const against = digest?.startsWith('$argon2id$') === true ? digest : NOBODY;
    return this.#inTurn(() => this.#argon2.verify(against, password));
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running < AT_ONCE_MAX) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // Hand the slot to the first in the queue, so that a newcomer cannot take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) {
      throw new Refused('rate_limited', 'Too many people are signing in at once.', undefined, 1);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The most common passwords of sufficient length. */
const COMMONEST = new Set([
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456123456',
  '123123123123',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiop[]',
  'qwertyqwerty',
  'qwerty123456',
  'asdfghjkl123',
  'abcdefghijkl',
  'abcdefgh1234',
  'abc123abc123',
  'password1234',
  'password12345',
  'password123!',
  'passwordpassword',
  'administrator',
  'administrator1',
  'changemenow1',
  'changeme1234',
  'letmeinletmein',
  'welcome12345',
  'iloveyou1234',
  'correcthorsebatterystaple',
  'correct horse battery staple',
]);

/** Throws `Refused` for a password that is easy to guess. There are no rules of composition. */
export function checkNewPassword(
  password: string,
  { email, name }: Readonly<{ email: string; name: string }>,
  param = 'password',
): void {
  const lower = password.toLowerCase();
  const [local = ''] = email.split('@', 1);
  const own = [email, local, name.toLowerCase()];
  const message = own.includes(lower)
    ? 'This password is your own name or email address. Choose another.'
    : COMMONEST.has(lower) || new Set(lower).size < 3
      ? 'This password is too common. Choose another.'
      : null;
  if (message !== null) throw new Refused('invalid_value', message, param);
}
