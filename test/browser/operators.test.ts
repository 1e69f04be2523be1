/** Operators and their tokens, as an operator manages them. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { letterTo, tokenOf } from './letters.ts';
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
  const role = dialog(page).getByLabel('Role');
  expect(await role.locator('option:checked').textContent()).toBe('Viewer');
  await role.selectOption('Administrator');
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
  // Both are shown only now.
  await dialog(page).getByRole('button', { name: 'Copy token' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const question = dialog(page, 'alertdialog').filter({ hasText: 'Close without copying?' });
  await question.getByRole('button', { name: 'Keep open' }).click();
  await dialog(page).getByRole('button', { name: 'Copy password' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await dialog(page).waitFor({ state: 'detached' });

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
  await question.getByRole('button', { name: 'Close', exact: true }).click();
  expect([await mayAct(first), await mayAct(second)]).toEqual([false, true]);

  await ask(page, `Actions for ${EMAIL}`, 'Revoke token');
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Revoke token' }).click();
  await row.getByText('None', { exact: true }).waitFor();
  expect(await mayAct(second)).toBe(false);

  await ask(page, `Actions for ${up.first.operator.email}`, 'Remove operator rights');
  const own = dialog(page, 'alertdialog');
  await own.getByText('You will no longer be an operator.').waitFor();
  await look(operator, 'operators-own-rights');
  await own.getByRole('button', { name: 'Cancel' }).click();
  await ask(page, `Actions for ${EMAIL}`, 'Remove operator rights');
  await dialog(page, 'alertdialog').getByText('The token and all sessions of Grace end').waitFor();
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Remove rights' }).click();
  await row.waitFor({ state: 'detached' });
  await page.goto('/operator/audit');
  await page.getByText('revoked the operator token of Grace').waitFor();
});

test('an administrator adds an account as a viewer, who looks at everything and changes nothing', {
  timeout: 240_000,
}, async () => {
  await using vic = await Visitor.signedUp(browser, up, {
    name: 'Vic',
    email: 'vic-viewer@example.com',
    organization: 'Of Vic',
  });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/operators');
  await page.getByRole('button', { name: 'Add an existing account' }).click();
  await dialog(page).getByLabel('Email').fill('nobody-here@example.com');
  await dialog(page).getByRole('button', { name: 'Add operator' }).click();
  await dialog(page).getByText('No account has this address').waitFor();
  await look(operator, 'operators-add-refused');
  await dialog(page).getByLabel('Email').fill('vic-viewer@example.com');
  await dialog(page).getByRole('button', { name: 'Add operator' }).click();
  const row = page.getByRole('row').filter({ hasText: 'vic-viewer@example.com' });
  await row.getByText('Viewer', { exact: true }).waitFor();
  await look(operator, 'operators-roles');

  const viewer = vic.page;
  await viewer.goto('/sign-in');
  await viewer.getByLabel('Email').fill('vic-viewer@example.com');
  await viewer.getByLabel('Password', { exact: true }).fill('three blue herons at dawn');
  await viewer.getByRole('button', { name: 'Sign in' }).click();
  await viewer.waitForURL('**/operator');
  const told = viewer.getByText('Your role as operator is viewer: you can look at everything');
  await told.waitFor();
  await viewer.keyboard.press('Control+k');
  await viewer.getByRole('combobox', { name: 'Search' }).fill('drain host local');
  await viewer.getByText(/Viewers cannot drain hosts\./).waitFor();
  await viewer.keyboard.press('Escape');
  const id = up.first.organization.id;
  const hidden: readonly (readonly [path: string, heading: string, control: RegExp])[] = [
    ['/operator/operators', 'Operators', /Create operator|Add an existing account|^Actions for/],
    ['/operator/fleet', 'Fleet', /Enrol host|^Drain/],
    ['/operator/incidents', 'Incidents', /Report an incident|Post update/],
    ['/operator/people', 'People', /^Actions for/],
    [
      `/operator/organizations/${id}`,
      up.first.organization.name,
      /Adjust credit|Change limits|Change billing|Suspend|Move to another region/,
    ],
  ];
  for (const [path, heading, control] of hidden) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByRole('button', { name: control }).first().waitFor();
    await viewer.goto(path);
    await viewer.getByRole('heading', { level: 1, name: heading }).waitFor();
    await told.waitFor();
    await viewer.waitForLoadState('networkidle');
    expect(await viewer.getByRole('button', { name: control }).count(), path).toBe(0);
  }
  await vic.look('operator-viewer-organization');
  // A viewer creates an organization as any person does, and the page says whose it is.
  await viewer.goto('/new-organization');
  await viewer.getByText('As a viewer you cannot create one for a customer.').waitFor();
  await viewer.goto(`/${id}/keys`);
  await viewer.getByText('Your role as operator is viewer.').waitFor();
  expect(await viewer.getByRole('button', { name: 'Allow changes' }).count()).toBe(0);
  expect(await viewer.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  // In an organization of their own, viewers are members like everybody else.
  await viewer.goto(`/${await vic.organization()}/keys`);
  await viewer.getByRole('button', { name: 'Create key' }).first().waitFor();

  await page.goto('/operator/operators');
  await ask(page, 'Actions for vic-viewer@example.com', 'Change role');
  await dialog(page).getByLabel('Role').selectOption('administrator');
  await look(operator, 'operators-change-role');
  await dialog(page).getByRole('button', { name: 'Change role' }).click();
  await row.getByText('Administrator', { exact: true }).waitFor();
  await viewer.goto('/operator/operators');
  await viewer.getByRole('button', { name: 'Create operator' }).waitFor();
  expect(await told.count()).toBe(0);
});

test('an operator who has allowed changes revokes a key and removes a member on the page of the organization', async () => {
  await using kay = await Visitor.signedUp(browser, up, { name: 'Kay', email: 'kay@example.com' });
  const id = await kay.organization();
  const caps = { monthly_cap: '2500', daily_cap: '100', limits: { requests_per_minute: 600 } };
  const wanted = { name: 'leaked', expires: '2099-01-31T00:00:00.000Z', ...caps };
  const { label } = await up.api('POST', `/organizations/${id}/keys`, wanted);
  const guest = { name: 'Lee', email: 'lee@example.com' };
  await up.api('POST', `/organizations/${id}/invitations`, { email: guest.email, role: 'viewer' });
  const invitation = tokenOf(await letterTo(up, guest.email, '/invitation'));
  await using _ = await Visitor.signedUp(browser, up, { ...guest, invitation });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto(`/operator/organizations/${id}?view=access`);
  await page
    .getByText('To revoke a key, or to invite or remove a member, allow changes first.')
    .waitFor();
  const key = page.getByRole('row').filter({ hasText: label });
  const member = page.getByRole('row').filter({ hasText: guest.email });
  await key.getByText('Active', { exact: true }).waitFor();
  await member.waitFor();
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Allow changes' }).click();
  await dialog(page).getByLabel('Reason').fill('The key leaked.');
  await dialog(page).getByRole('button', { name: 'Allow changes' }).click();
  await page.getByText('Changes are allowed until').waitFor();
  await look(operator, 'operator-organization-changes');
  // No column is cut, and the menu at the right edge is whole, also where the key has long values.
  for (const width of [1360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const table = page.getByRole('region', { name: 'API keys' });
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    const opens = page.getByRole('button', { name: 'Actions for leaked' });
    expect(rightOf(await opens.boundingBox())).toBeLessThan(width);
    await opens.click();
    const menu = page.getByRole('menu');
    expect(rightOf(await menu.boundingBox())).toBeLessThan(width);
    if (width === 1360) await look(operator, 'operator-organization-key-menu');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  }
  await page.setViewportSize({ width: 1360, height: 900 });
  await ask(page, 'Actions for leaked', 'Revoke');
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await key.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoked (1)' }).click();
  await key.getByText('Revoked', { exact: true }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search API keys' });
  await search.fill('another');
  await page.getByText('No API keys match this search').waitFor();
  await search.fill('leak');
  await key.waitFor();
  await ask(page, 'Actions for Lee', 'Remove member');
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Remove member' }).click();
  await member.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End changes' }).click();
  await page.getByRole('button', { name: 'Actions for Kay' }).waitFor({ state: 'detached' });
});

function rightOf(box: Readonly<{ x: number; width: number }> | null): number {
  return box === null ? Infinity : box.x + box.width;
}
