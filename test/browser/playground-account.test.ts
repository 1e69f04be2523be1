/** Chats that people keep in their account: only if they want it, in every browser of theirs. */
import { randomBytes } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const PASSWORD = 'three blue herons at dawn';

let people = 0;

type Player = Visitor & { path: string; email: string; saves: string[] };

/** A person with their own organization, in front of the playground. */
async function player(): Promise<Player> {
  people += 1;
  const email = `account${people}@example.com`;
  const visitor = await Visitor.signedUp(browser, up, { name: 'Ada', email });
  const path = `/${await visitor.organization()}/playground`;
  const saves: string[] = [];
  visitor.page.on('request', (request) => {
    if (isSave(request)) saves.push(request.method());
  });
  await visitor.page.goto(path);
  await visitor.page.getByLabel('Message', { exact: true }).waitFor();
  return Object.assign(visitor, { path, email, saves });
}

function isSave(request: Request): boolean {
  return /\/chats(?:\/|$)/.test(new URL(request.url()).pathname) && request.method() !== 'GET';
}

/** Asks, and waits until `answers` answers have ended. */
async function ask(page: Page, text: string, answers: number): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('list', { name: 'Facts' })
    .nth(answers - 1)
    .waitFor();
}

const here = (page: Page) => page.getByRole('button', { name: 'Saved in this browser' });
const account = (page: Page) => page.getByRole('button', { name: 'Saved in your account' });

async function keepInAccount(page: Page): Promise<void> {
  await page.waitForURL(/chat=/);
  await here(page).click();
  await page.getByRole('menuitem', { name: 'In your account' }).click();
  await page.waitForURL(/chat=cht_/);
  await account(page).waitFor();
}

/** The chats in the menu, with their places. */
async function listed(page: Page): Promise<string[]> {
  const answered = page.waitForResponse(/\/chats\?/);
  await page.getByRole('button', { name: 'Chats' }).click();
  await answered;
  const chats = page.getByRole('list', { name: 'Kept chats' }).getByRole('listitem');
  await expect.poll(() => chats.count()).toBeGreaterThan(0);
  const texts = await chats.allInnerTexts();
  await page.keyboard.press('Escape');
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').replace(/, [^,]*$/, '')).toSorted();
}

test('a chat is in the account only when the person wants it, and then in every browser', async () => {
  await using ada = await player();
  const { page, path } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await page.waitForURL(/chat=/);
  await here(page).click();
  await ada.look('playground-place');
  await page.keyboard.press('Escape');
  expect(ada.saves).toEqual([]);

  await keepInAccount(page);
  await page.getByText(/^Rivers: here/).waitFor();
  expect(ada.saves).toEqual(['POST']);
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('Start a conversation').waitFor();
  await ask(page, 'Tell me about lakes in 20 words', 1);
  await page.waitForURL(/chat=\d/);
  expect(await listed(page)).toEqual([
    'Tell me about lakes in 20 words Only in this browser',
    'Tell me about rivers in 20 words In your account',
  ]);
  await page.getByRole('button', { name: 'Chats' }).click();
  await ada.look('playground-places');
  await page.keyboard.press('Escape');

  await using other = await Visitor.open(browser, up);
  await other.page.request.post('/api/v1/sign-in', {
    data: { email: ada.email, password: PASSWORD },
    headers: { origin: up.origin },
  });
  await other.page.goto(path);
  expect(await listed(other.page)).toEqual(['Tell me about rivers in 20 words In your account']);
  await other.page.getByRole('button', { name: 'Chats' }).click();
  await other.page.getByRole('button', { name: /^Tell me about rivers/ }).click();
  await other.page.getByText(/^Rivers: here/).waitFor();

  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByRole('button', { name: 'Delete all' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('from this browser and from your account').waitFor();
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByText('No chats yet.').waitFor();
});

test('an answer is saved once, when it has ended, and a reload shows it', async () => {
  await using ada = await player();
  const { page, saves } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await keepInAccount(page);
  saves.length = 0;
  const saving = page.waitForRequest(isSave);
  await page.getByLabel('Message', { exact: true }).fill('And about lakes in 400 words');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText(/^Lakes: here/).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  expect(saves).toEqual([]);
  const saved = await (await saving).response();
  expect(saved?.status()).toBe(200);
  expect(await page.getByRole('list', { name: 'Facts' }).count()).toBe(2);
  await page.reload();
  await page.getByText(/^Lakes: here/).waitFor();
  await account(page).waitFor();
  expect(saves).toEqual(['PUT']);
});

test('a chat moves back to the browser, and is deleted from the account then', async () => {
  await using ada = await player();
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await keepInAccount(page);
  await account(page).click();
  const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('menuitem', { name: 'Only in this browser' }).click();
  await deleted;
  await here(page).waitFor();
  await page.getByText(/^Rivers: here/).waitFor();
  expect(await listed(page)).toEqual(['Tell me about rivers in 20 words Only in this browser']);
});

test('two tabs do not overwrite each other, and the second one keeps its own as a new chat', async () => {
  await using ada = await player();
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await keepInAccount(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText(/^Rivers: here/).waitFor();
  const saved = page.waitForResponse((answer) => isSave(answer.request()));
  await ask(page, 'And about lakes in 20 words', 2);
  await saved;

  await ask(other, 'And about seas in 20 words', 2);
  const notice = other.getByText('This chat was changed in another tab or browser.');
  await notice.waitFor();
  await other.getByRole('button', { name: 'Keep this one as a new chat' }).click();
  await notice.waitFor({ state: 'detached' });
  await other.getByText(/^Seas: here/).waitFor();
  expect(other.url()).not.toBe(page.url());

  await other.goto(page.url());
  await other.getByText(/^Lakes: here/).waitFor();
  const again = other.waitForResponse((answer) => isSave(answer.request()));
  await ask(other, 'And about ponds in 20 words', 3);
  await again;
  await ask(page, 'And about seas in 20 words', 3);
  await page.getByText('This chat was changed in another tab or browser.').waitFor();
  await page.getByRole('button', { name: 'Not saved' }).waitFor();
  await ada.look('playground-conflict');
  await page.getByRole('button', { name: 'Show the other version' }).click();
  await page.getByText(/^Ponds: here/).waitFor();
  expect(await page.getByText(/^Seas: here/).count()).toBe(0);
  await other.close();
});

test('moving a chat to the browser does not delete the version that another tab has saved', async () => {
  await using ada = await player();
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await keepInAccount(page);
  const address = page.url();
  const other = await page.context().newPage();
  await other.goto(address);
  await other.getByText(/^Rivers: here/).waitFor();
  const saved = page.waitForResponse((answer) => isSave(answer.request()));
  await ask(page, 'And about lakes in 20 words', 2);
  await saved;
  await account(other).click();
  await other.getByRole('menuitem', { name: 'Only in this browser' }).click();
  await other.getByText('That version is still in your account.').first().waitFor();
  await here(other).waitFor();
  await other.goto(address);
  await other.getByText(/^Lakes: here/).waitFor();
  await other.close();
});

test('a chat of an organization that has moved to a region is no longer sent to the account', async () => {
  await using ada = await player();
  const { page, saves } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await keepInAccount(page);
  saves.length = 0;
  const moved = await page.request.patch(`/api/v1/organizations/${await ada.organization()}`, {
    data: { region: 'eu' },
    headers: { origin: up.origin },
  });
  expect(moved.status()).toBe(200);
  await page.reload();
  await page.getByText(/^Rivers: here/).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('And about lakes in 20 words');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Chats of US and EU organizations are not kept in accounts.').waitFor();
  expect(saves).toEqual([]);
  await page.getByRole('button', { name: 'Keep in this browser' }).click();
  await here(page).waitFor();
});

test('a chat is deleted from the account after a confirmation, and an open tab says so', async () => {
  await using ada = await player();
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await keepInAccount(page);
  const address = page.url();
  const other = await page.context().newPage();
  await other.goto(address);
  await other.getByText(/^Rivers: here/).waitFor();
  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByRole('button', { name: 'Delete Tell me about rivers in 20 words' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('is deleted from your account').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Start a conversation').waitFor();
  await page.goto(address);
  await page.getByText('This chat is not in your account').waitFor();

  await ask(other, 'And about lakes in 20 words', 2);
  await other.getByText('This chat was deleted from your account.').waitFor();
  await other.getByRole('button', { name: 'Keep in this browser' }).click();
  await here(other).waitFor();
  await other.getByText(/^Lakes: here/).waitFor();
  await other.close();
});

test('a chat that is too large for the account stays in the browser', async () => {
  await using ada = await player();
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Copy JSON' }).click();
  await page.getByText('The chat was copied as JSON.').first().waitFor();
  const chat = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  chat.turns[0].prompt.text = `Noise ${randomBytes(900_000).toString('base64')}`;
  const [buffer, mimeType] = [Buffer.from(JSON.stringify(chat)), 'application/json'];
  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByLabel('Chat file').setInputFiles({ name: 'chat.json', mimeType, buffer });
  await page.getByRole('heading', { name: 'Playground' }).waitFor();
  await page
    .getByText(/^Noise /)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Show all (1.2 MB)' }).waitFor();
  await here(page).click();
  await page.getByRole('menuitem', { name: 'In your account' }).click();
  await page.getByText('This chat is too large for your account.').first().waitFor();
  await here(page).waitFor();
  expect(ada.saves).toEqual([]);
});
