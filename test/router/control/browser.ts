/**
 * A person's browser: keeps the session cookie that it receives, and sends it with the dashboard's
 * own origin.
 */
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Answer, Rig } from './rig.ts';

export const PASSWORD = 'three blue herons at dawn';

export class Browser {
  readonly #rig: Rig;
  /** The session's token, or null if there is no cookie. */
  token: string | null = null;
  /** The `set-cookie` header of the last answer, or null if it had none. */
  setCookie: string | null = null;

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  /** Returns the browser of a person who has just signed up. */
  static async signedUp(rig: Rig, email: string, more: object = {}): Promise<Browser> {
    const browser = new Browser(rig);
    const person = { email, password: PASSWORD, name: 'Ada', ...more };
    const { status, body } = await browser.ask('POST', '/sign-up', person);
    if (status !== 201) throw new Error(`${email} was refused: ${JSON.stringify(body)}`);
    return browser;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#rig.ask(method, `/api/v1${path}`, body, {
      origin: this.#rig.origin,
      'user-agent': 'Browser/1.0',
      // An empty cookie, because without one the rig would call as its operator.
      cookie: this.token === null ? '' : `penstock-session=${this.token}`,
    });
    this.setCookie = answer.headers.get('set-cookie');
    const given = /^penstock-session=([^;]*)/.exec(this.setCookie ?? '')?.[1];
    if (given !== undefined) this.token = given === '' ? null : given;
    return answer;
  }

  signIn(email: string, password = PASSWORD, code?: string): Promise<Answer> {
    return this.ask('POST', '/sign-in', { email, password, ...(code !== undefined && { code }) });
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.ask('GET', '/me')).status === 200;
  }
}

const DAY_MS = 86_400_000;

/**
 * People who sign up, each on a different day, because the sign-ups from one address are limited
 * per day.
 */
export class Crowd {
  readonly #rig: Rig;
  readonly #clock: ManualClock;
  #people = 0;

  constructor(rig: Rig, clock: ManualClock) {
    this.#rig = rig;
    this.#clock = clock;
  }

  newEmail(): string {
    this.#clock.advance(DAY_MS);
    return `person-${this.#people++}@example.com`;
  }

  async somebody(): Promise<{ email: string; browser: Browser }> {
    const email = this.newEmail();
    return { email, browser: await Browser.signedUp(this.#rig, email) };
  }
}

/** Returns the actions that the audit log has for a person. */
export async function auditOf(rig: Rig, email: string): Promise<string[]> {
  const rows = await rig.place.sql(
    `select action from audit where target = (select id from people where email = '${email}')`,
  );
  return rows.map((row) => (row as { action: string }).action).toSorted();
}
