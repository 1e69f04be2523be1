/** An operator sends the email of an invoice again. */
import { expect, test } from 'vitest';
import { copyLetter } from '../../../router/control/mail/recipients.ts';
import type { OrganizationLetter } from '../../../router/control/mail/letter.ts';
import { wordsOf } from '../../../router/control/mail/words.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import {
  adjust,
  closeMonths,
  type Customer,
  invoiced,
  invoicesOf,
  NOVEMBER,
  now,
  OCTOBER,
  rig,
  setNow,
  shareInvoiceRig,
  usd,
} from './invoice-rig.ts';
import { signIn } from './people.ts';

shareInvoiceRig();

async function withInvoice(): Promise<Readonly<{ lab: Customer; id: string; number: string }>> {
  setNow(OCTOBER + DAY_MS);
  const lab = await invoiced();
  await adjust(lab, -usd(65));
  await closeMonths(NOVEMBER + 1);
  const [{ id, number }] = await invoicesOf(lab);
  return { lab, id, number };
}

async function lettersOf({ id }: Customer) {
  const rows = (await rig.place.sql(
    `select payload, idempotency_key from jobs where kind = 'letter' and subject = '${id}'
     order by created, id`,
  )) as { payload: string; idempotency_key: string }[];
  return rows.map(({ payload, idempotency_key: key }) => ({
    letter: JSON.parse(payload) as OrganizationLetter,
    key,
  }));
}

test('the email of an invoice goes again to those who manage billing, once for each key', async () => {
  const { lab, id, number } = await withInvoice();
  const admin = await signIn(rig, { role: 'org-admin', organization: lab.id });
  await signIn(rig, { role: 'developer', organization: lab.id });
  const path = `${lab.path}/invoices/${id}/send`;
  const key = { 'idempotency-key': 'a lost answer' };
  const first = await rig.ask('POST', path, undefined, key);
  const repeated = await rig.ask('POST', path, undefined, key);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ id, number, recipients: [expect.stringContaining('@')] });
  expect(repeated.body).toEqual(first.body);
  const again = { kind: 'invoice', organization: lab.id, invoice: id, again: number };
  const sent = async () => (await lettersOf(lab)).filter(({ letter }) => 'again' in letter);
  expect((await sent()).map(({ letter }) => letter)).toEqual([again]);
  await rig.ask('POST', path);
  expect(await sent()).toHaveLength(2);

  const { body: log } = await rig.ask('GET', `${lab.path}/audit?action=invoice.send`);
  expect(log.data).toMatchObject(
    [1, 2].map(() => ({
      target: id,
      summary: expect.stringMatching(new RegExp(` sent invoice ${number} again$`)),
    })),
  );

  // The copy of the member keeps what the email is about.
  const [one] = await sent();
  if (!one) expect.fail('no email');
  await rig.store.call(copyLetter, { letter: one.letter, idempotencyKey: one.key, now });
  const copies = await rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${admin.person}'`,
  );
  expect(copies).toEqual([{ payload: JSON.stringify({ ...again, recipient: admin.person }) }]);
});

test('the email says which invoice it is, and not that it is a new one', () => {
  const letter = { kind: 'invoice', organization: 'org_1', invoice: 'ivc_1' } as const;
  const facts = {
    to: 'ada@example.com',
    name: 'Ada',
    organization: 'Lab',
    link: null,
    dashboard: 'https://penstock.example',
  };
  const again = wordsOf({ ...letter, again: 'INV-000007' } as OrganizationLetter, facts);
  expect(again.subject).toBe('Invoice INV-000007 for Lab');
  expect(again.text).toContain('https://penstock.example/org_1/billing');
  expect(again.text).not.toContain('new invoice');
  expect(wordsOf(letter as OrganizationLetter, facts).subject).toBe('A new invoice for Lab');
});

test('an invoice that is void, or that nobody would get, is not sent', async () => {
  const { lab, id } = await withInvoice();
  const path = `${lab.path}/invoices/${id}`;
  const nobody = await rig.ask('POST', `${path}/send`);
  expect([nobody.status, nobody.body.error.message]).toEqual([
    409,
    'No member of the organization manages its billing.',
  ]);
  await signIn(rig, { role: 'org-admin', organization: lab.id });
  await rig.ask('POST', `${path}/void`, { reason: 'a mistake' });
  const voided = await rig.ask('POST', `${path}/send`);
  expect([voided.status, voided.body.error.message]).toEqual([409, 'The invoice is void.']);
  expect((await lettersOf(lab)).filter(({ letter }) => 'again' in letter)).toEqual([]);
  const { body: log } = await rig.ask('GET', `${lab.path}/audit?action=invoice.send`);
  expect(log.data).toEqual([]);
});

test('an invoice that is paid is sent again', async () => {
  const { lab, id } = await withInvoice();
  await signIn(rig, { role: 'org-admin', organization: lab.id });
  const path = `${lab.path}/invoices/${id}`;
  await rig.ask('POST', `${path}/paid`, { reference: 'bank 17' });
  expect((await rig.ask('POST', `${path}/send`)).status).toBe(200);
});
