/** How people choose the models that an API key may call, and see them. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const FLASH = 'deepseek-ai/deepseek-v4-flash';
const QWEN = 'qwen/qwen3-235b-a22b-instruct-2507';

type Shown = Readonly<{ id: string; key: string; allowed_models: string[] | null }>;

test('a key is created for one model, its page shows it, and it is edited to others and to all', async () => {
  await using kim = await Visitor.signedUp(browser, up, { name: 'Kim', email: 'kim@example.com' });
  const { page } = kim;
  const id = await kim.organization();
  const only = async (): Promise<Shown> => {
    const { data } = await up.api('GET', `/organizations/${id}/keys`);
    return data.find(({ name }: { name: string }) => name === 'flash only');
  };
  await page.goto(`/${id}/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('flash only');
  expect(await dialog.getByText('Only some').isVisible()).toBe(false);
  await dialog.getByText('More options').click();
  await dialog.getByRole('radio', { name: 'Only some' }).click();
  // A key that may call nothing is not created.
  await dialog.getByText('Choose at least one model.').waitFor();
  const create = dialog.getByRole('button', { name: 'Create key' });
  expect(await create.isDisabled()).toBe(true);
  const search = dialog.getByRole('searchbox', { name: 'Search models' });
  await search.fill('nothing like this');
  await dialog.getByText('No model matches.').waitFor();
  await search.fill('v4-flash');
  await search.press('Enter');
  await dialog.getByRole('checkbox').check();
  await dialog.getByText('1 chosen').waitFor();
  await kim.look('key-models-chosen');
  await create.click();
  await page.getByRole('heading', { name: 'Key created' }).waitFor();
  // The example names a model that the key may call.
  await dialog.getByText(FLASH).first().waitFor();
  expect((await only()).allowed_models).toEqual([FLASH]);
  // Until the key is copied, Done asks as Escape does; then neither asks.
  const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await question.getByRole('button', { name: 'Keep open' }).click();
  await question.waitFor({ state: 'detached' });
  // A part of the key is not the key.
  const key = dialog.getByLabel('API key');
  await key.focus();
  await key.evaluate((field) => (field as HTMLInputElement).setSelectionRange(0, 4));
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Keep open' }).click();
  await question.waitFor({ state: 'detached' });
  await key.selectText();
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page
    .getByRole('row', { name: /flash only/ })
    .getByText('1 model', { exact: true })
    .waitFor();
  await kim.look('keys-with-models');
  await page.getByRole('link', { name: 'flash only' }).click();
  const models = page.getByRole('definition').filter({ hasText: FLASH });
  await models.waitFor();
  await kim.look('key-with-models');

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('checkbox', { checked: true }).waitFor();
  await dialog.getByRole('searchbox', { name: 'Search models' }).fill(QWEN);
  await dialog.getByRole('checkbox').check();
  await dialog.getByText('2 chosen').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('definition').filter({ hasText: QWEN }).waitFor();
  expect((await only()).allowed_models).toEqual([FLASH, QWEN]);

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('radio', { name: 'All models' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('definition').filter({ hasText: 'All models' }).waitFor();
  expect((await only()).allowed_models).toBeNull();
  await page.goto(`/${id}/keys`);
  await page.getByRole('row', { name: /flash only/ }).waitFor();
  expect(await page.getByText('1 model', { exact: true }).count()).toBe(0);
  expect(kim.complaints).toEqual([]);
});

test('the form keeps a model that is not in the catalog, and a change of the name keeps the list', async () => {
  await using leo = await Visitor.signedUp(browser, up, { name: 'Leo', email: 'leo@example.com' });
  const { page } = leo;
  const id = await leo.organization();
  const keys = `/organizations/${id}/keys`;
  const allowed = ['lab/not-yet', FLASH];
  const made = await up.api('POST', keys, { name: 'early', allowed_models: allowed });
  await page.goto(`/${id}/keys/${made.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Not in the catalog').waitFor();
  await leo.look('key-models-edited');
  await dialog.getByLabel('Name').fill('later');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'later' }).waitFor();
  const { allowed_models } = await up.api('GET', `${keys}/${made.id}`);
  expect(allowed_models).toEqual(allowed);
});

test('a request that was refused for its model leads to the models of its key', async () => {
  await using mae = await Visitor.signedUp(browser, up, { name: 'Mae', email: 'mae@example.com' });
  const { page } = mae;
  const id = await mae.organization();
  const { key } = await up.api('POST', `/organizations/${id}/keys`, {
    name: 'picky',
    allowed_models: [FLASH],
  });
  const refused = await up.post(
    '/chat/completions',
    { model: QWEN, messages: [{ role: 'user', content: 'Say hello.' }] },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
  );
  expect(refused.status).toBe(403);
  const request = refused.headers.get('x-request-id') ?? '';
  const known = `/api/v1/organizations/${id}/requests/${request}`;
  await expect.poll(async () => (await page.request.get(known)).ok()).toBe(true);
  await page.goto(`/${id}/logs/${request}`);
  await page.getByText('The API key may call only some models').waitFor();
  await mae.look('request-of-model-not-allowed');
  await page.getByRole('link', { name: 'Edit picky' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Only some', checked: true }).waitFor();
  await dialog.getByRole('checkbox', { checked: true }).waitFor();
});
