/**
 * A fast model in the playground: 1,000 tokens a second for a minute, from a stand-in for the data
 * plane on another origin. The page must not block for a noticeable time, and its memory must not
 * grow.
 */
import type { ServerResponse } from 'node:http';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browser } from './shared-browser.ts';
import { chunk, StandIn, usage } from './stand-in.ts';
import { Visitor } from './visitor.ts';

const TOKENS_PER_SECOND = 1_000;
const SECONDS = 60;
const TOKENS = TOKENS_PER_SECOND * SECONDS;
const WARM_SECONDS = 15;
const LONG_MS = 50;
/**
 * Allowed growth for 45,000 tokens. The text is kept as received and as nodes, and each of its tens
 * of thousands of elements is an object of React.
 */
const GROWTH_BYTES_MAX = 24_000_000;
const TICK_MS = 4;

let service: StandIn;
beforeAll(async () => {
  service = await StandIn.start(stream);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends one event per token, as many as are due by now. */
function stream(response: ServerResponse): void {
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(TOKENS, ((performance.now() - begun) / 1_000) * TOKENS_PER_SECOND);
    for (; sent < due; sent += 1) response.write(chunk({ content: token(sent) }, null));
    if (sent < TOKENS) return;
    clearInterval(timer);
    response.write(chunk({}, 'stop'));
    response.end(usage(TOKENS));
  }, TICK_MS);
  response.on('close', () => clearInterval(timer));
}

/** The Markdown of an answer: these parts again and again, each of about fifty tokens. */
const PARTS: readonly (readonly string[])[] = [
  words(50, 'word'),
  ['## A heading\n\n', ...words(44, 'text'), '\n\n'],
  ['```python\n', ...Array.from({ length: 48 }, (_, at) => code(at)), '```\n\n'],
  Array.from({ length: 50 }, (_, at) => (at % 10 === 0 ? '\n- **item**' : ' `word`')),
  ['\n\n| name | value |\n|---|--:|\n', ...Array.from({ length: 48 }, (_, at) => cell(at)), '\n'],
  ['where $x^2 + y_1$ is', ...words(46, 'prose'), '\n\n\\[ \\frac{a}{b} \\]\n\n'],
];
const TOKEN_LIST = PARTS.flat();

function words(count: number, word: string): string[] {
  return [...Array.from({ length: count - 1 }, (_, at) => ` ${word}${at}`), '.\n\n'];
}

function code(at: number): string {
  return at % 6 === 5
    ? ' + 1  # a comment\n'
    : ([' value', ' = ', '"text"', ' if', ' call(0)'][at % 6] ?? '');
}

function cell(at: number): string {
  return at % 4 === 3 ? ' 42 |\n' : (['| a', ' name', ' |'][at % 4] ?? '');
}

function token(index: number): string {
  return TOKEN_LIST[index % TOKEN_LIST.length] ?? '';
}

type Task = Readonly<{ wallMs: number; cpuMs: number; from: string }>;

type TraceEvent = Readonly<{
  ph: string;
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: Readonly<{ name?: string; src_file?: string; src_func?: string }>;
}>;

/** The tasks of the page's main thread, each with its wall-clock time and CPU time. */
function tasksIn(trace: Buffer): Task[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const named = traceEvents.filter(({ ph, name }) => ph === 'M' && name === 'thread_name');
  const main = new Set(named.filter(({ args }) => args.name === 'CrRendererMain').map(thread));
  return traceEvents
    .filter((event) => event.ph === 'X' && event.name.endsWith('::RunTask'))
    .filter((event) => main.has(thread(event)))
    .map(({ dur = 0, tdur = 0, args }) => ({
      wallMs: dur / 1_000,
      cpuMs: tdur / 1_000,
      from: `${args.src_file} ${args.src_func}`,
    }));
}

/** The heap size after a garbage collection. */
async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

function shown(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

test(
  'a thousand tokens a second for a minute block nothing for 50 ms, and the heap does not grow',
  async () => {
    await using ada = await Visitor.signedUp(browser, service.up, {
      name: 'Ada',
      email: 'ada@example.com',
    });
    const { page } = ada;
    const devtools = await page.context().newCDPSession(page);
    await page.goto(`/${await ada.organization()}/playground`);
    await browser.startTracing(page, { categories: ['toplevel'] });
    await page.getByLabel('Message', { exact: true }).fill('As fast as you can');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('article');
    await answer.getByText('Writing…').waitFor();
    const begun = await page.evaluate(() => performance.now());

    await page.waitForFunction((at) => performance.now() > at, begun + WARM_SECONDS * 1_000, {
      polling: 1_000,
      timeout: 2 * SECONDS * 1_000,
    });
    const warm = await heapBytes(devtools);
    // Looking for a role would search the whole answer again and again, in long tasks of its own.
    await page.waitForFunction(() => document.querySelector('[aria-label=Facts]'), null, {
      polling: 1_000,
      timeout: 2 * SECONDS * 1_000,
    });
    const seconds = ((await page.evaluate(() => performance.now())) - begun) / 1_000;
    const end = await heapBytes(devtools);
    const trace = await browser.stopTracing();

    const text = Array.from({ length: TOKENS }, (_, index) => token(index)).join('');
    await answer.getByRole('button', { name: 'Copy the response' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    const count = (selector: string) => answer.locator(selector).count();
    const parts = Math.floor(TOKENS / TOKEN_LIST.length);
    expect(await count('h4')).toBeGreaterThanOrEqual(parts);
    expect(await count('pre')).toBeGreaterThanOrEqual(parts);
    expect(await count('table')).toBeGreaterThanOrEqual(parts);
    expect(await count('li')).toBeGreaterThanOrEqual(5 * parts);
    expect(await count('.katex')).toBeGreaterThanOrEqual(2 * parts);
    expect(await count('.hljs-comment')).toBeGreaterThanOrEqual(8 * parts);
    await page
      .getByRole('button', { name: 'Jump to latest' })
      .click({ timeout: 1_000 })
      .catch(() => {});
    await page.waitForFunction(
      () => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2,
    );

    // The garbage collections that the test itself requested do not count.
    const tasks = tasksIn(trace).filter(({ from }) => !from.includes('collectGarbage'));
    const longest = Math.max(...tasks.map(({ cpuMs }) => cpuMs));
    const late = tasks.filter(({ wallMs }) => wallMs > LONG_MS);
    const busy = tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000;
    process.stdout.write(
      `${Math.round(TOKENS / seconds)} tokens/s for ${seconds.toFixed(1)} s, ${text.length} ` +
        `characters: ${tasks.length} tasks ran ${busy.toFixed(1)} s in all, the longest ` +
        `${longest.toFixed(1)} ms; ${late.length} took more than ${LONG_MS} ms by the clock; heap ` +
        `${shown(warm)} after ${WARM_SECONDS} s, ${shown(end)} at the end\n`,
    );
    expect(tasks.length).toBeGreaterThan(SECONDS);
    // CPU time counts, because a task's wall-clock time is longer while other processes use the
    // machine.
    expect(tasks.filter(({ cpuMs }) => cpuMs > LONG_MS)).toEqual([]);
    expect(end - warm).toBeLessThan(GROWTH_BYTES_MAX);
  },
  3 * SECONDS * 1_000,
);
