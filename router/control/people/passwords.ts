/**
 * Passwords: which may be chosen, and their argon2id. Hashing is slow on purpose, so few are computed at once,
 * few more wait, and the rest are refused: a flood of sign-ins takes neither the memory nor all of the threads.
 */
import { hash, verify } from '@node-rs/argon2';
import { Refused } from '../api.ts';

/** What OWASP asks of argon2id, which is this library's default kind. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Half of the threads that Node has for such work. */
export const AT_ONCE_MAX = 2;
export const WAITING_MAX = 64;

/** The hash of no password: verifying against it is the same work, and never succeeds. */
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

  /** Throws Refused when too many wait already. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#argon2.hash(password));
  }

  /** Null stands for somebody who is not there: the work is the same. Throws Refused when too many wait. */
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
      // The place passes on, so that nobody who comes now takes it.
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

/** Of those that are long enough, the ones that are tried first. */
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

/** Throws Refused for one that would be guessed. There are no rules of composition. */
export function checkNewPassword(
  password: string,
  { email, name }: Readonly<{ email: string; name: string }>,
  param = 'password',
): void {
  const lower = password.toLowerCase();
  const [local = ''] = email.split('@', 1);
  const own = [email, local, name.toLowerCase()];
  if (own.includes(lower) || COMMONEST.has(lower) || new Set(lower).size < 3) {
    throw new Refused(
      'invalid_value',
      `${param}: is among the first that would be guessed: choose another`,
      param,
    );
  }
}
