/** Load tools with a real `penstock up`: what each reports is what the ledger has. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeModel, model } from '../engines/cache.ts';
import { Up } from '../support/up.ts';
import { chosen, REQUESTS } from './load-tools.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

let up: Up;
const table: Record<string, object> = {};
beforeAll(async () => {
  // Its tokenizer makes the prompts: nothing is fetched from a hub.
  await makeModel();
  up = await Up.start();
});
afterAll(async () => {
  await up?.[Symbol.asyncDispose]();
  // The table is what this suite is run for.
  // oxlint-disable-next-line no-console
  console.table(table);
});

test.each(chosen())(
  '$name: all requests succeed, and its counts of tokens are those of the ledger',
  async (tool) => {
    const { id, key } = await up.customer(tool.name);
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'penstock-load-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const tokenizer = model().folder;
    const load = { origin: up.origin, key, model: MODEL, tokenizer, folder };
    const [program, ...args] = await tool.command(load);
    await promisify(execFile)(program, args, {
      cwd: folder,
      env: { ...process.env, OPENAI_API_KEY: key, VLLM_NO_USAGE_STATS: '1' },
      timeout: 500_000,
      maxBuffer: 1 << 26,
    });
    const report = await tool.report(folder);
    table[tool.name] = report;
    const rows = await up.usage(id);
    const sum = (of: 'prompt_tokens' | 'completion_tokens') =>
      rows.reduce((total, row) => total + row[of], 0);
    expect(rows.map(({ status }) => status)).toEqual(Array(REQUESTS).fill(200));
    expect(report).toMatchObject({
      completed: REQUESTS,
      failed: 0,
      promptTokens: sum('prompt_tokens'),
      completionTokens: sum('completion_tokens'),
    });
    expect(report.timeToFirstTokenMs).toBeGreaterThan(0);
    expect(report.interTokenLatencyMs).toBeGreaterThan(0);
  },
  900_000,
);
