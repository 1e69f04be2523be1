/**
 * A fast model in the playground: 1,000 tokens a second for a minute, from a stand-in for the data
 * plane on another origin. The page must not block for a noticeable time, and its memory must not
 * grow.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const TOKENS_PER_SECOND = 1_000;
const SECONDS = 60;
const TOKENS = TOKENS_PER_SECOND * SECONDS;
const WARM_SECONDS = 15;
const LONG_MS = 50;
/**
 * Allowed growth in addition to the text itself, which is kept twice: as received and as rendered.
 */
const GROWTH_BYTES_MAX = 4_000_000;
const TICK_MS = 4;

const server = createServer((request, response) => {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, *',
    });
    response.end();
    return;
  }
  request.resume();
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
  });
  stream(response);
});

let folder: string;
let up: Up;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  folder = await mkdtemp(join(tmpdir(), 'penstock-speed-'));
  const settings = join(folder, 'settings.yaml');
  const { port } = server.address() as AddressInfo;
  await writeFile(settings, `control: { baseUrls: { global: "http://127.0.0.1:${port}/v1" } }\n`);
  up = await Up.start(['--settings', settings]);
});
afterAll(async () => {
  await up[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/**
 * Sends one event per token, as many as are due by now. Every 40th ends a line, and every 200th a
 * paragraph.
 */
function stream(response: ServerResponse): void {
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(TOKENS, ((performance.now() - begun) / 1_000) * TOKENS_PER_SECOND);
    for (; sent < due; sent += 1) response.write(chunk({ content: token(sent) }, null));
    if (sent < TOKENS) return;
    clearInterval(timer);
    response.write(chunk({}, 'stop'));
    const usage = { prompt_tokens: 9, completion_tokens: TOKENS, total_tokens: TOKENS + 9 };
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  }, TICK_MS);
  response.on('close', () => clearInterval(timer));
}

function token(index: number): string {
  if (index % 200 === 199) return '.\n\n';
  return index % 40 === 39 ? ',\n' : ` word${index % 97}`;
}

function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'm' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
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
    await using ada = await Visitor.signedUp(browser, up, {
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
    await answer.getByRole('list', { name: 'Facts' }).waitFor({ timeout: 2 * SECONDS * 1_000 });
    const seconds = ((await page.evaluate(() => performance.now())) - begun) / 1_000;
    const end = await heapBytes(devtools);
    const trace = await browser.stopTracing();

    const text = (await answer.locator('[data-ink]').evaluate((ink) => ink.textContent)) ?? '';
    expect(text).toBe(Array.from({ length: TOKENS }, (_, index) => token(index)).join(''));
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
