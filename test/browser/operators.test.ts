/** Operators and their tokens, as an operator manages them. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { ask, dialog, look } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const EMAIL = 'grace@example.com';

/** Whether a token of an operator is accepted. */
async function mayAct(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${up.origin}/api/v1/operators`, { headers })).status === 200;
}

test('an operator creates another one, replaces and revokes the token, and removes the rights', {
  timeout: 240_000,
}, async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/operators');
  await page.getByText('First start').waitFor();
  await page.getByRole('button', { name: 'Create operator' }).click();
  await dialog(page).getByLabel('Name').fill('Grace');
  await dialog(page).getByLabel('Email').fill(up.first.operator.email);
  await dialog(page).getByRole('button', { name: 'Create operator' }).click();
  await dialog(page).getByText('already in use').waitFor();
  await look(operator, 'operators-refused');
  await dialog(page).getByLabel('Email').fill(EMAIL);
  await dialog(page).getByRole('button', { name: 'Create operator' }).click();
  const token = dialog(page).getByLabel('token', { exact: true });
  await token.waitFor();
  expect(await dialog(page).getByLabel('password', { exact: true }).textContent()).toMatch(/.{20}/);
  const first = (await token.textContent()) ?? '';
  await look(operator, 'operators-created');
  await dialog(page).getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row').filter({ hasText: EMAIL });
  await row.getByText('By Operator').waitFor();
  await row.getByText('Not used yet').waitFor();
  expect(await mayAct(first)).toBe(true);
  await page.reload();
  await row.getByText('Last used').waitFor();
  await look(operator, 'operators');

  await ask(page, `Actions for ${EMAIL}`, 'Replace token');
  await dialog(page).getByRole('button', { name: 'Replace token' }).click();
  await token.waitFor();
  const second = (await token.textContent()) ?? '';
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  expect([await mayAct(first), await mayAct(second)]).toEqual([false, true]);

  await ask(page, `Actions for ${EMAIL}`, 'Revoke token');
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Revoke token' }).click();
  await row.getByText('None', { exact: true }).waitFor();
  expect(await mayAct(second)).toBe(false);

  await ask(page, `Actions for ${EMAIL}`, 'Remove operator rights');
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Remove rights' }).click();
  await row.waitFor({ state: 'detached' });
  await page.goto('/operator/audit');
  await page.getByText('revoked the operator token of Grace').waitFor();
});
