/** Chats in the playground with the models of the shipped catalog. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const QWEN = 'qwen/qwen3-235b-a22b-instruct-2507';
const VISION = 'qwen/qwen3.5-397b-a17b';
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

let people = 0;

/** A person with their own organization, in front of the playground. */
async function player(model?: string): Promise<Visitor & { id: string }> {
  people += 1;
  const email = `player${people}@example.com`;
  const visitor = await Visitor.signedUp(browser, up, { name: 'Ada', email });
  const id = await visitor.organization();
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`;
  await visitor.page.goto(`/${id}/playground${query}`);
  await visitor.page.getByLabel('Message', { exact: true }).waitFor();
  return Object.assign(visitor, { id });
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Returns the last answer when it has ended. */
async function answer(page: Page): Promise<Locator> {
  const last = page.getByRole('article').last();
  await last.getByRole('list', { name: 'Facts' }).waitFor();
  return last;
}

/** Retries, and waits until a new answer has replaced the last one. */
async function retry(page: Page): Promise<void> {
  const last = await page.getByRole('article').last().elementHandle();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.waitForFunction((one) => !one?.isConnected, last);
}

async function settle(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole('complementary', { name: 'Settings' }).getByLabel(label).fill(value);
}

/** Returns the body that the shown curl command sends. */
function bodyOf(command: string): string {
  const [, data = ''] = /-d '([\s\S]*)'$/.exec(command) ?? [];
  return data.replaceAll(String.raw`'\''`, "'");
}

test('a chat is streamed, with what it took and cost, and goes on', async () => {
  await using ada = await player();
  const { page } = ada;
  await ada.look('playground-empty');
  await ask(page, 'Tell me about rivers in 60 words');
  const first = await answer(page);
  const facts = first.getByRole('list', { name: 'Facts' });
  for (const fact of [
    /^Finished$/,
    /\d prompt/,
    /\d completion/,
    /^First token \d/,
    /tokens\/s in this browser$/,
  ]) {
    await facts.getByRole('listitem').filter({ hasText: fact }).waitFor();
  }
  await ask(page, 'And about lakes in 60 words');
  await page.getByRole('article').nth(1).waitFor();
  await answer(page);
  await ada.look('playground-chat');

  const shown = await page
    .getByTitle(/^\$0\.0/)
    .evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
  const used = await up.usage(ada.id);
  expect(shown.toSorted()).toEqual(used.map(({ cost }) => `$${cost}`).toSorted());
  expect(used.map(({ source }) => source)).toEqual(['playground', 'playground']);

  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('Start a conversation').waitFor();
});

test('an answer is stopped, keeps what was written, and says what it cost', async () => {
  await using ada = await player();
  const { page } = ada;
  const refused: string[] = [];
  page.on('response', (one) => one.status() === 404 && refused.push(one.url()));
  await ask(page, 'Write 5000 words about oceans');
  const sea = page.getByRole('article');
  await sea.getByText('Writing…').waitFor();
  await sea.getByText('here is what matters').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  const facts = sea.getByRole('list', { name: 'Facts' });
  await facts.getByText('Stopped').waitFor();
  await facts.getByTitle(/^\$0\.0/).waitFor();
  const [used] = await up.usage(ada.id);
  expect(await facts.getByTitle(/^\$0\.0/).getAttribute('title')).toBe(`$${used?.cost}`);
  expect(await sea.innerText()).toContain('here is what matters');
  expect(refused).toEqual([]);
  await ada.look('playground-stopped');
});

test('a message is changed and the conversation goes on from there; an answer is tried again', async () => {
  await using ada = await player();
  const { page } = ada;
  for (const topic of ['rivers', 'lakes']) {
    await ask(page, `Tell me about ${topic} in 20 words`);
    await page.getByText(new RegExp(`^${topic}: here`, 'i')).waitFor();
    await answer(page);
  }
  await page.getByRole('button', { name: 'Edit message' }).first().click();
  await ada.look('playground-edit');
  await page.getByLabel('Edited message').fill('Tell me about glaciers in 20 words');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText(/^Glaciers: here/).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);

  await answer(page);
  await retry(page);
  await answer(page);
  expect(await page.getByRole('article').count()).toBe(1);
});

test('two models are asked side by side, and one of them is kept', async () => {
  await using ada = await player();
  const { page } = ada;
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: /^Second model/ }).click();
  await ada.look('playground-picker');
  await page.getByLabel('Search models').fill('deepseek flash');
  await page.getByLabel('Search models').press('Enter');
  await ask(page, 'Tell me about rivers in 40 words');
  for (const name of ['Qwen3 235B A22B Instruct 2507', 'DeepSeek V4 Flash']) {
    const one = page.getByRole('article', { name: `Response from ${name}` });
    await one.getByRole('list', { name: 'Facts' }).waitFor();
  }
  await ada.look('playground-compare');
  const models = (await up.usage(ada.id)).map(({ model }) => model);
  expect(models.toSorted()).toEqual(['deepseek-ai/deepseek-v4-flash', QWEN]);

  await page.getByRole('button', { name: 'Remove Qwen3 235B A22B Instruct 2507' }).click();
  await page.waitForURL(/model=deepseek-ai/);
  expect(await page.getByRole('article').count()).toBe(1);
});

test('the model is in the address, and one that there is not is told', async () => {
  await using ada = await player('acme/none');
  const { page } = ada;
  await page.getByText('is not in the catalog').waitFor();
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.getByRole('option', { name: /Kimi K2 Thinking/ }).click();
  await page.waitForURL(/model=moonshotai/);
  expect(await page.getByText('is not in the catalog').count()).toBe(0);
  // The model has no JSON mode, so there is no switch for it.
  expect(await page.getByLabel('JSON mode').count()).toBe(0);
});

test('reasoning is shown folded, and its effort is chosen', async () => {
  await using ada = await player(VISION);
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words');
  const first = await answer(page);
  const thoughts = first.getByRole('group');
  expect(await thoughts.evaluate((one: HTMLDetailsElement) => one.open)).toBe(false);
  await thoughts.getByText('Reasoning').click();
  await thoughts.getByText(/let me think/).waitFor();
  await ada.look('playground-reasoning');

  await page.getByLabel('Reasoning effort').selectOption('none');
  await retry(page);
  expect(await (await answer(page)).getByText('Reasoning').count()).toBe(0);
});

test('settings are checked before they are sent, and do what they say', async () => {
  await using ada = await player();
  const { page } = ada;
  await settle(page, 'Temperature', '7');
  await page.getByText('Enter a number from 0 to 2.').waitFor();
  // The range is said once.
  expect(await page.getByText('0 to 2.', { exact: true }).count()).toBe(0);
  await page.getByText('A setting is invalid. Correct it before you send a message.').waitFor();
  await ada.look('playground-faults');
  await settle(page, 'Temperature', '0');
  await settle(page, 'Max tokens', '8');
  await ask(page, 'Tell me about rivers');
  await (await answer(page)).getByText('Max tokens reached').first().waitFor();

  await settle(page, 'Max tokens', '');
  await page.getByRole('switch', { name: 'JSON mode' }).click();
  await ask(page, 'Answer with the keys `city` and `country`');
  await page.getByRole('article').nth(1).waitFor();
  const json = await answer(page);
  const text = await json.getByLabel('Code in json').innerText();
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['city', 'country']);
});

test('on a phone the settings are behind a button', async () => {
  await using ada = await player(VISION);
  const { page } = ada;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog').getByLabel('Max tokens').fill('8');
  await ada.look('playground-settings');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Close' }).click();
  await ask(page, 'Tell me about rivers');
  await (await answer(page)).getByText('Max tokens reached').first().waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
});

/** Whether a click in the middle of this element reaches it. */
async function isReachable(one: Locator): Promise<boolean> {
  return await one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && element.contains(hit);
  });
}

test.each([
  ['desktop', { width: 1360, height: 800 }],
  ['tablet', { width: 1024, height: 768 }],
  ['phone', { width: 390, height: 844 }],
] as const)(
  'while a long chat scrolls on a %s, its buttons and its model stay, and cover nothing that is focused',
  async (_device, size) => {
    await using eve = await player();
    const { page } = eve;
    await page.setViewportSize(size);
    for (const what of ['rivers', 'lakes']) {
      await ask(page, `Tell me about ${what} in 700 words`);
      await answer(page);
    }
    const share = page.getByRole('button', { name: 'Share' });
    const model = page.getByRole('button', { name: /^Model/ });
    const edit = page.getByRole('button', { name: 'Edit message' }).first();
    for (const top of [0, 400, 100_000]) {
      await page.evaluate((y) => scrollTo({ top: y }), top);
      for (const one of [share, model]) await expect.poll(() => isReachable(one)).toBe(true);
    }
    await edit.focus();
    await expect.poll(() => isReachable(edit)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByLabel('Edited message').waitFor();
  },
);

test('of a long message the first part is shown, and all of it is sent and copied', async () => {
  await using lee = await player();
  const { page } = lee;
  const text = `Begin ${'a line of a log\n'.repeat(1_000)}and the end`;
  const sending = page.waitForRequest('**/v1/chat/completions');
  await ask(page, text);
  expect((await sending).postDataJSON().messages.at(-1).content).toBe(text);
  await answer(page);
  const turn = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').first();
  await turn.getByText(/^Begin a line/).waitFor();
  expect(await turn.getByText('and the end').count()).toBe(0);
  await lee.look('playground-long-message');
  await turn.getByRole('button', { name: 'Copy the message' }).click();
  await turn.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await turn.getByRole('button', { name: 'Show all (16 kB)' }).click();
  await turn.getByText('and the end').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await lee.look('playground-whole-message');
  await turn.getByRole('button', { name: 'Show less' }).click();
  await turn.getByText('and the end').waitFor({ state: 'detached' });
});

test('an image is chosen or pasted, seen by the model, and too much is refused', async () => {
  await using ada = await player(VISION);
  const { page } = ada;
  const dot = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') };
  await page.getByLabel('Image files').setInputFiles(dot);
  await page.getByRole('img', { name: 'dot.png' }).waitFor();
  await page.getByLabel('Message', { exact: true }).evaluate((field, data) => {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
    const paste = { clipboardData: transfer, bubbles: true, cancelable: true };
    field.dispatchEvent(new ClipboardEvent('paste', paste));
  }, DOT);
  await page.getByRole('img', { name: 'pasted.png' }).waitFor();
  await ada.look('playground-images');
  const large = { ...dot, name: 'large.png', buffer: Buffer.alloc(9_000_000) };
  await page.getByLabel('Image files').setInputFiles(large);
  await page.getByText('large.png is larger than 8 MB. Choose a smaller image.').waitFor();

  await ask(page, 'What is this?');
  await (await answer(page)).getByText('Finished').first().waitFor();
  await page.getByRole('button', { name: 'View code of this request' }).click();
  const body = JSON.parse(
    bodyOf(await page.getByLabel('curl example', { exact: true }).innerText()),
  );
  const kinds = body.messages[0].content.map(({ type }: { type: string }) => type);
  expect(kinds).toEqual(['text', 'image_url', 'image_url']);
});

test('a tool is called, its result typed in, and the model goes on', async () => {
  await using ada = await player();
  const { page } = ada;
  await settle(page, 'Tools', '[{"type":"function"}]');
  await page.getByText('Tool 1: it needs an object "function"').waitFor();
  await settle(page, 'Tools', '');
  await page.getByRole('button', { name: 'Insert an example' }).click();
  await ask(page, 'What is the weather in Oslo? Use get_weather.');
  await page.getByLabel('Arguments of get_weather').waitFor();
  await ada.look('playground-tools');
  await page.getByLabel('Result of get_weather').fill('{"celsius": 12}');
  await page.getByRole('button', { name: 'Send result' }).click();
  await page.getByRole('article').nth(1).waitFor();
  await (await answer(page)).getByText('Finished').first().waitFor();
  await page.getByText('{"celsius": 12}').waitFor();
});

test('the code that is shown is the very request', async () => {
  await using ada = await player();
  const { page } = ada;
  await settle(page, 'Seed', '7');
  await settle(page, 'System prompt', "It's brief.");
  await page.getByLabel('Message', { exact: true }).fill('Tell me about rivers in 30 words');
  await page.getByRole('button', { name: 'View code' }).click();
  await ada.look('playground-code');
  const command = await page.getByLabel('curl example', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  const shown = await (await answer(page)).locator('[data-markdown]').last().innerText();

  expect(command).toContain(`${up.ready.base_url}/chat/completions`);
  const response = await up.post('/chat/completions', bodyOf(command));
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const text = events
    .map((line) => JSON.parse(line.slice('data: '.length)).choices[0]?.delta.content ?? '')
    .join('');
  expect(text.trim()).toBe(shown.trim());
});

test('without credit it says so, and leads to billing', async () => {
  await using ada = await player();
  const adjust = ['credit', 'adjust', '--organization', ada.id, '--reason', 'test'];
  await up.admin(...adjust, '--amount', '-5');
  await ask(ada.page, 'Hello');
  await ada.page.getByText('The credit does not cover this request.').waitFor();
  const refused = ada.page.getByRole('article').last();
  await refused.getByText('Refused', { exact: true }).last().waitFor();
  // The answer says it once.
  expect((await refused.innerText()).match(/credit/gi)).toHaveLength(2);
  await ada.look('playground-refused');
  await refused.getByRole('link', { name: 'Add credit' }).click();
  await ada.page.waitForURL('**/billing');
});

test('a key that was ended meanwhile is renewed without a word', async () => {
  await using ada = await player();
  const { page } = ada;
  await ask(page, 'Tell me about rivers in 20 words');
  await answer(page);
  const headers = { origin: up.origin };
  const path = `/api/v1/organizations/${ada.id}/playground/session`;
  expect(await (await page.request.delete(path, { headers })).json()).toEqual({ ended: 1 });
  await ask(page, 'Tell me about lakes in 20 words');
  await page.getByText(/^Lakes: here/).waitFor();
  await (await answer(page)).getByText('Finished').first().waitFor();
});

test('no key is kept in storage, nor shown', async () => {
  await using ada = await player();
  await ask(ada.page, 'Tell me about rivers in 20 words');
  await answer(ada.page);
  await ada.page.waitForURL(/chat=/);
  const kept = await ada.page.evaluate(async () => {
    const open = indexedDB.open('penstock-playground');
    await new Promise((opened) => open.addEventListener('success', opened));
    const all = open.result.transaction('chats').objectStore('chats').getAll();
    await new Promise((read) => all.addEventListener('success', read));
    open.result.close();
    const storage = JSON.stringify([localStorage, sessionStorage, all.result]);
    return storage + document.documentElement.outerHTML;
  });
  expect(kept).toContain('Tell me about rivers');
  expect(kept).not.toMatch(/infapi|Bearer/);
});

test('a viewer is kept out, and told who may come in', async () => {
  await using ada = await player();
  const headers = { origin: up.origin };
  const invited = await ada.page.request.post(`/api/v1/organizations/${ada.id}/invitations`, {
    data: { email: 'viewer@example.com', role: 'viewer' },
    headers,
  });
  const { url } = (await invited.json()) as { url: string };
  const token = new URL(url).hash.replace('#token=', '');
  await using vera = await Visitor.signedUp(browser, up, {
    name: 'Vera',
    email: 'viewer@example.com',
  });
  const accepted = await vera.page.request.post('/api/v1/invitations/accept', {
    data: { token },
    headers,
  });
  expect(accepted.status()).toBe(200);
  await vera.page.goto(`/${ada.id}/playground`);
  await vera.page.getByText('Your role is viewer.').waitFor();
  expect(await vera.page.getByLabel('Message', { exact: true }).count()).toBe(0);
  expect(await vera.page.getByRole('link', { name: 'Playground' }).count()).toBe(0);
});
