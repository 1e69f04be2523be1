/** An invoice as CSV, and as a page. */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.ts';
import { amountOf } from '../../../shared/documents/words.ts';
import { formatUsd } from '../../../shared/money.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { SELLER } from '../../support/seller.ts';
import {
  adjust,
  cheap,
  closeMonths,
  dear,
  DECEMBER,
  document,
  invoiced,
  invoicesOf,
  NOVEMBER,
  OCTOBER,
  pico,
  rig,
  setNow,
  shareInvoiceRig,
  spend,
  usd,
} from './invoice-rig.ts';

shareInvoiceRig();

test('as CSV it has a record a line, whose amounts add up to its total', async () => {
  setNow(OCTOBER + 10 * DAY_MS);
  const lab = await invoiced();
  await spend(lab, dear, { prompt: 50, cached: 1, completion: 2 });
  await spend(lab, cheap, { prompt: 5, cached: 1, completion: 2 });
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  const path = `${lab.path}/invoices/${made.id}`;
  for (const answer of [
    await document(`${path}?format=csv`),
    await document(path, { accept: 'text/csv' }),
    await document(path, { accept: 'text/html;q=0.2, text/csv;q=0.9, */*;q=0.1' }),
  ]) {
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [heading = '', ...records] = (await answer.text()).trimEnd().split('\r\n');
    expect(records).toHaveLength(2);
    const at = heading.split(',').indexOf('amount');
    const amounts = records.map((record) => pico(record.split(',')[at] ?? ''));
    expect(formatUsd(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n))).toBe(made.total);
  }
  expect((await document(path)).headers.get('content-type')).toMatch(/^application\/json/);

  for (const answer of [
    await document(`${path}?format=pdf`),
    await document(path, { accept: 'application/pdf' }),
  ]) {
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    const [text] = await readPdf(await answer.bytes());
    for (const part of [
      `Invoice ${made.number}`,
      'Lab & <Sons>',
      `$${amountOf(made.amount_due)}`,
      'Per million tokens: $21.000003',
    ]) {
      expect(text).toContain(part);
    }
  }
});

test('an open invoice says how to pay it, unless another seller has issued it', async () => {
  setNow(OCTOBER + 10 * DAY_MS);
  const lab = await invoiced();
  const former = await invoiced();
  await adjust(lab, -usd(20));
  await closeMonths(NOVEMBER + 1, SELLER);
  await adjust(former, -usd(30));
  await closeMonths(DECEMBER + 1, { ...SELLER, name: 'Weir Ltd' });
  const [made] = await invoicesOf(lab);
  const [other] = await invoicesOf(former);
  expect(made.payment_instructions).toBe(SELLER.payment_instructions);
  expect(other.payment_instructions).toBeNull();

  const path = `${lab.path}/invoices/${made.id}`;
  const [iban = '', reference = ''] = SELLER.payment_instructions.split('\n');
  const page = await (await document(`${path}?format=html`)).text();
  const [pdf = ''] = await readPdf(await (await document(`${path}?format=pdf`)).bytes());
  for (const text of [page, pdf]) {
    for (const part of ['How to pay', iban, reference]) expect(text).toContain(part);
  }
  await rig.ask('POST', `${path}/paid`, { reference: 'bank 3' });
  const [paid] = await invoicesOf(lab);
  expect(paid).toMatchObject({ status: 'paid', payment_instructions: null });
  expect(await (await document(`${path}?format=html`)).text()).not.toContain('How to pay');
});

test('as a page it has no script, a policy that allows none, and a name that is no markup', async () => {
  setNow(OCTOBER + 10 * DAY_MS);
  const lab = await invoiced();
  await spend(lab, dear, { prompt: 50, cached: 1, completion: 2 });
  await closeMonths(NOVEMBER + 1);
  const [made] = await invoicesOf(lab);
  const answer = await document(`${lab.path}/invoices/${made.id}`, {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  });
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  );
  const page = await answer.text();
  expect(page).toContain('Lab &amp; &lt;Sons&gt;');
  expect(page).toContain(made.number);
  expect(page).toContain('Oct 1, 2026 to Oct 31, 2026');
  expect(page).toContain(
    'Per million tokens: $21.000003 prompt, $7.000001 cached, $63.000009 completion',
  );
  expect(page).not.toMatch(/<script/i);
});
