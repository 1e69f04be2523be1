/** People with passkeys, in an authenticator of software, against the rig of `shared-crowd.ts`. */
import { expect } from 'vitest';
import { Authenticator } from '../../support/authenticator.ts';
import { Browser, PASSWORD } from './browser.ts';
import type { Answer } from './rig.ts';
import { crowd, rig } from './shared-crowd.ts';

export type Owner = Readonly<{
  email: string;
  browser: Browser;
  authenticator: Authenticator;
  /** Of the first passkey. */
  id: string;
}>;

/** Where the rig's passkeys are used: browsers have none for an IP address. */
export function passkeyOrigin(): string {
  return rig.origin.replace('127.0.0.1', 'localhost');
}

/** Begins to add a passkey. */
export async function creation(browser: Browser, password = PASSWORD): Promise<Answer> {
  return await browser.ask('POST', '/me/passkeys/challenge', { password });
}

export async function add(browser: Browser, authenticator: Authenticator): Promise<Answer> {
  const { body: options } = await creation(browser);
  const credential = authenticator.create(options);
  return await browser.ask('POST', '/me/passkeys', { name: 'Laptop', credential });
}

/** Somebody whose address is proven: others add no passkey. */
export async function confirmed(): Promise<{ email: string; browser: Browser }> {
  const somebody = await crowd.somebody();
  await rig.place.sql(`update people set email_confirmed = 1 where email = '${somebody.email}'`);
  return somebody;
}

export async function owner(counter: number | null = 0): Promise<Owner> {
  const { email, browser } = await confirmed();
  const authenticator = new Authenticator(passkeyOrigin(), counter);
  const added = await add(browser, authenticator);
  expect(added.status).toBe(201);
  return { email, browser, authenticator, id: added.body.id };
}

/** Begins to sign in. */
export async function request(browser: Browser): Promise<{ challenge: string; rpId: string }> {
  const { status, body } = await browser.ask('GET', '/sign-in/passkey');
  expect(status).toBe(200);
  return body;
}

/** Signs in with a browser that has no session. */
export async function signIn(
  { authenticator }: Owner,
  browser = new Browser(rig),
): Promise<Answer> {
  const answer = authenticator.get(await request(browser));
  return await browser.ask('POST', '/sign-in/passkey', answer);
}
