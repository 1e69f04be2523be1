/** Chats that the browser keeps, and that people share; several models side by side. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_SETTINGS } from '../../router/dashboard/pages/playground/settings.ts';
import { BLOCK_CHARS_MAX } from '../../router/dashboard/pages/playground/text-buffer.ts';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const VISION = 'qwen/qwen3.5-397b-a17b';

let people = 0;

/** A person with their own organization, in front of the playground. */
async function player(query = ''): Promise<Visitor & { path: string }> {
  people += 1;
  const email = `keeper${people}@example.com`;
  const visitor = await Visitor.signedUp(browser, up, { name: 'Ada', email });
  const path = `/${await visitor.organization()}/playground`;
  await visitor.page.goto(`${path}${query}`);
  await visitor.page.getByLabel('Message', { exact: true }).waitFor();
  return Object.assign(visitor, { path });
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

/** Waits until the chat is kept, which its id in the address shows. */
async function kept(page: Page): Promise<void> {
  await page.waitForURL(/chat=/);
}

/** Opens a chat of a file. */
async function openFile(page: Page, buffer: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Chats' }).click();
  await page
    .getByLabel('Chat file')
    .setInputFiles({ name: 'chat.json', mimeType: 'application/json', buffer });
}

/** What the browser has kept of all chats, as JSON. */
async function keptText(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const ended = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('the chats cannot be read')));
      });
    const database = await ended(indexedDB.open('penstock-playground'));
    const chats = await ended(database.transaction('chats').objectStore('chats').getAll());
    database.close();
    return JSON.stringify(chats);
  });
}

test('a reload keeps the chat, its models and their settings, and the chat goes on', async () => {
  await using ada = await player();
  const { page } = ada;
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByLabel('System prompt').fill('Be brief.');
  await page.getByLabel('Settings of').selectOption({ index: 1 });
  await ada.look('playground-settings-of');
  await page.getByLabel('Temperature').fill('0.3');
  await ask(page, 'Tell me about rivers in 20 words', 2);
  await kept(page);
  // Each answer is kept when it has ended, and the address has the chat since the first.
  await expect.poll(async () => (await keptText(page)).split('Rivers: here').length).toBe(3);
  await page.reload();
  const rivers = page.getByRole('article').getByText(/^Rivers: here/);
  await rivers.nth(1).waitFor();
  expect(await page.getByRole('button', { name: /^Second model/ }).count()).toBe(1);
  expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
  await page.getByLabel('Settings of').selectOption({ index: 1 });
  expect(await page.getByLabel('Temperature').inputValue()).toBe('0.3');
  await ask(page, 'And about lakes in 20 words', 4);
  expect(await page.getByText(/^Lakes: here/).count()).toBe(2);
});

test('a reload shows the end of the chat, wherever it was read', async () => {
  await using ada = await player();
  const { page } = ada;
  await page.setViewportSize({ width: 1280, height: 420 });
  for (const [index, topic] of ['rivers', 'lakes', 'seas'].entries()) {
    await ask(page, `Tell me about ${topic} in 60 words`, index + 1);
  }
  await kept(page);
  await expect.poll(() => keptText(page)).toContain('Seas: here');
  const isAtEnd = () =>
    page.evaluate(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 2);
  const isScrolled = () => page.evaluate(() => scrollY > 0);
  for (const away of [0, -400, -4_000]) {
    await page.mouse.move(600, 200);
    await page.mouse.wheel(0, away);
    if (away !== 0) await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await page.reload();
    await page
      .getByRole('article')
      .getByText(/^Seas: here/)
      .waitFor();
    await expect.poll(isAtEnd).toBe(true);
    expect(await isScrolled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);
  }
});

test('chats are listed, opened, left for a new one, and deleted', async () => {
  await using ada = await player();
  const { page } = ada;
  const chats = page.getByRole('button', { name: 'Chats' });
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await kept(page);
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('Start a conversation').waitFor();
  await ask(page, 'Tell me about lakes in 20 words', 1);
  await kept(page);
  await chats.click();
  const list = page.getByRole('list', { name: 'Kept chats' });
  await list.getByRole('listitem').nth(1).waitFor();
  await ada.look('playground-chats');
  await list.getByRole('button', { name: /^Tell me about rivers/ }).click();
  await page.getByText(/^Rivers: here/).waitFor();

  await chats.click();
  await list.getByRole('button', { name: 'Delete Tell me about rivers in 20 words' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Start a conversation').waitFor();
  await chats.click();
  await page.getByRole('button', { name: 'Delete all' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await chats.click();
  await page.getByText('No chats yet.').waitFor();
});

test('another person at the same browser sees none of the chats', async () => {
  await using ada = await player();
  const { page, path } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await kept(page);
  const address = page.url();
  const headers = { origin: up.origin };
  const invited = await page.request.post(
    `/api/v1/organizations/${path.split('/')[1]}/invitations`,
    {
      data: { email: 'other@example.com', role: 'developer' },
      headers,
    },
  );
  const { url } = (await invited.json()) as { url: string };
  await page.request.post('/api/v1/sign-out', { headers });
  const joined = await page.request.post('/api/v1/sign-up', {
    data: {
      name: 'Bea',
      email: 'other@example.com',
      password: 'three blue herons at dawn',
      invitation: new URL(url).hash.replace('#token=', ''),
    },
    headers,
  });
  expect(joined.ok(), await joined.text()).toBe(true);
  await page.goto(address);
  await page.getByText('This chat is not in this browser').waitFor();
  await ada.look('playground-missing');
  await page.getByRole('button', { name: 'Chats' }).click();
  await page.getByText('No chats yet.').waitFor();
});

test('a chat is shared as a link, which no server receives, and as a file', async () => {
  await using ada = await player();
  const { page, path } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await page.getByRole('button', { name: 'Share' }).click();
  await ada.look('playground-share');
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  await page.getByText('The link was copied.').first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(`${path}#chat=`);

  await page.getByRole('button', { name: 'Share' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download JSON' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Tell-me-about-rivers-in-20-words.json');
  const file = await readFile(await download.path());

  // Another tab has no session of this chat.
  const other = await page.context().newPage();
  const requests: string[] = [];
  other.on('request', (request) => requests.push(request.url()));
  await other.goto(link);
  await other.getByText(/^Rivers: here/).waitFor();
  await other.getByText('This chat was shared with you').waitFor();
  expect(requests.filter((url) => /chat=[A-Za-z]/.test(url))).toEqual([]);
  await other.close();

  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('Start a conversation').waitFor();
  await openFile(page, Buffer.from('{"penstock_chat": 1, "turns": "all"}'));
  await page.getByText('This is not a chat of the playground').first().waitFor();
  await openFile(page, file);
  await page.getByText(/^Rivers: here/).waitFor();
});

test('a message of combining characters is shown as a whole in blocks, and the page goes on', async () => {
  await using ada = await player();
  const { page } = ada;
  // One text node of these would be laid out for a minute.
  const text = `Begin e${'\u0301'.repeat(100_000)} and the end`;
  const file = {
    penstock_chat: 1,
    lanes: [{ lane: 'a', model: VISION, settings: NO_SETTINGS }],
    turns: [{ prompt: { text, images: [] }, steps: {} }],
  };
  await openFile(page, Buffer.from(JSON.stringify(file)));
  const turn = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  await turn.getByRole('button', { name: 'Show all (200 kB)' }).click();
  await turn.getByText('and the end').waitFor();
  const shown = await turn.locator('[data-ink] > div').allTextContents();
  expect(shown.join('')).toBe(text);
  expect(Math.max(...shown.map((block) => block.length))).toBeLessThanOrEqual(BLOCK_CHARS_MAX);
  await turn.getByRole('button', { name: 'Show less' }).click();
  await turn.getByText('and the end').waitFor({ state: 'detached' });
});

/** Expects that this browser keeps so many chats. */
async function expectKept(page: Page, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Chats' }).click();
  const chats = page.getByRole('list', { name: 'Kept chats' }).getByRole('listitem');
  // The list that was read before is shown until it is read again.
  await chats.nth(count - 1).waitFor();
  expect(await chats.count()).toBe(count);
  await page.keyboard.press('Escape');
  await chats.first().waitFor({ state: 'detached' });
}

test('a shared chat is kept only when the person continues it or wants to keep it', async () => {
  await using ada = await player();
  const { page, path } = ada;
  await ask(page, 'Tell me about rivers in 20 words', 1);
  await kept(page);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  await page.getByText('The link was copied.').first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const shared = page.getByText('This chat was shared with you');

  // Looking at it keeps nothing, also when it is looked at again.
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('about:blank');
    await page.goto(link);
    await shared.waitFor();
    await page.getByText(/^Rivers: here/).waitFor();
  }
  await ada.look('playground-shared');
  await expectKept(page, 1);

  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await kept(page);
  await shared.waitFor({ state: 'detached' });
  await expectKept(page, 2);
  await page.reload();
  await page.getByText(/^Rivers: here/).waitFor();

  await page.goto('about:blank');
  await page.goto(link);
  await shared.waitFor();
  await ask(page, 'And about lakes in 20 words', 2);
  await page.waitForURL(/[?&]chat=/);
  await shared.waitFor({ state: 'detached' });
  await expectKept(page, 3);

  await page.goto('about:blank');
  await page.goto(link);
  await shared.waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('Start a conversation').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  expect(page.url()).toContain(path);
  await expectKept(page, 3);
});

test('four models answer side by side, one is removed, and a link names the others', async () => {
  await using ada = await player();
  const { page } = ada;
  for (let model = 2; model <= 4; model += 1) {
    await page.getByRole('button', { name: 'Compare' }).click();
  }
  expect(await page.getByRole('button', { name: 'Compare' }).count()).toBe(0);
  await ask(page, 'Tell me about rivers in 40 words', 4);
  // The prices and the capabilities of each model are broken into lines, and not cut.
  const facts = page.locator('p', { hasText: /per million tokens/ });
  expect(await facts.count()).toBe(4);
  expect(
    await facts.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length),
  ).toBe(0);
  await ada.look('playground-four');
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  expect(await page.getByRole('article').count()).toBe(3);
  const names = await page
    .getByRole('button', { name: /^(?:First|Second|Third) model/ })
    .allInnerTexts();
  await page.waitForURL(/with=/);
  const { search } = new URL(page.url());
  const query = new URLSearchParams(search);
  query.delete('chat');
  await page.goto(`${ada.path}?${query}`);
  await page.getByRole('button', { name: /^Third model/ }).waitFor();
  expect(
    await page.getByRole('button', { name: /^(?:First|Second|Third) model/ }).allInnerTexts(),
  ).toEqual(names);
});

test('an example prompt is put into the composer, and an image is dropped on the page', async () => {
  await using ada = await player(`?model=${encodeURIComponent(VISION)}`);
  const { page } = ada;
  await page.getByRole('button', { name: /^Make a table/ }).click();
  const message = page.getByLabel('Message', { exact: true });
  expect(await message.inputValue()).toBe('Show how TCP, UDP and QUIC differ, in a table.');
  await message.and(page.locator(':focus')).waitFor();
  const drop = (type: string) =>
    page.evaluate(
      ([data, kind]) => {
        const bytes = Uint8Array.from(atob(data ?? ''), (one) => one.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }));
        document.body.dispatchEvent(
          new DragEvent(kind ?? '', { dataTransfer, bubbles: true, cancelable: true }),
        );
      },
      [DOT, type],
    );
  await drop('dragover');
  await page.getByText('Drop images to add them').waitFor();
  await ada.look('playground-drop');
  await drop('drop');
  await page.getByRole('img', { name: 'dropped.png' }).waitFor();
  expect(await page.getByText('Drop images to add them').count()).toBe(0);
});
