/** What the page that ends emails says of an account, and to whom. */
import { expect, test } from 'vitest';
import { maskedEmail } from '../../../router/control/mail/masked-email.ts';
import { unsubscribeUrl } from '../../../router/control/mail/unsubscribe.ts';
import type { PersonId } from '../../../shared/ids.ts';
import { signIn } from './people.ts';
import { PEPPER } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

/** Somebody who gets emails about incidents, and the link that ends them. */
async function reader(email: string) {
  const { person, ask } = await signIn(rig);
  await rig.place.sql(`update people set email = '${email}' where id = '${person}'`);
  await ask('PATCH', '/api/v1/me', { incident_emails: 'all' });
  const urls = { dashboard: rig.origin };
  return { person, url: unsubscribeUrl({ pepper: PEPPER, urls }, person as PersonId) };
}

test('an address is masked but for its first character and the end of its domain', () => {
  expect(maskedEmail('ada@acme.test')).toBe('a•••@•••.test');
  expect(maskedEmail('"a@b.c"@mail.acme.test')).toBe('"•••@•••.test');
  expect(maskedEmail('𝒶da@acme.test')).toBe('𝒶•••@•••.test');
  expect(maskedEmail('a.da@localhost')).toBe('a•••@•••localhost');
});

test('before and after they end, the page says which emails and of which account, in part', async () => {
  const { url } = await reader('grace@acme.test');
  for (const [method, said] of [
    ['GET', 'gets an email when an incident is reported or updated'],
    ['POST', 'You are unsubscribed'],
    // A mail program may send it again, and a person may open the link again.
    ['POST', 'You are unsubscribed'],
    ['GET', 'You are unsubscribed'],
  ] as const) {
    const answer = await fetch(url, { method });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain(said);
    expect(text).toContain('account g•••@•••.test');
    expect(text).not.toContain('grace');
  }
});

test('without a valid link, the page says nothing of any account', async () => {
  const one = await reader('joan@acme.test');
  const other = await reader('jean@acme.test');
  const pages = await Promise.all(
    [
      one.url.replace(one.person, other.person),
      `${one.url}0`,
      one.url.replace(/&proof=.*/, ''),
      `${rig.origin}/unsubscribe`,
      `${rig.origin}/unsubscribe?person=${one.person}`,
      `${rig.origin}/unsubscribe?person=per_00000000000000000000000000&proof=0`,
    ].flatMap((url) =>
      ['GET', 'POST'].map(async (method) => {
        const answer = await fetch(url, { method });
        return { status: answer.status, text: await answer.text() };
      }),
    ),
  );
  // It is the same page for an account that exists and for one that does not.
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
  expect(pages[0]).toEqual({ status: 404, text: expect.stringContaining('does not work') });
  expect(pages[0]?.text).not.toContain('acme.test');
});

test('the link of an account that was deleted is as one that does not work', async () => {
  const { person, url } = await reader('gone@acme.test');
  await rig.place.sql(
    `update people set email = 'erased:${person}', incident_emails = null, erased = 1
     where id = '${person}'`,
  );
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(url, { method });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('•••');
  }
});
