/**
 * Suites that judge whether a service speaks an API, with a real `penstock up`. What each is allowed
 * to find is listed here, with its reason.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { node, python } from './install.ts';

/** Takes images, tools and thoughts. */
const MODEL = 'qwen/qwen3.5-397b-a17b';

let up: Up;
beforeAll(async () => {
  up = await Up.start();
});
afterAll(() => up?.[Symbol.asyncDispose]());

/** Runs a program, which may end with a status of its own, and returns what it printed. */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, OPENAI_API_KEY: up.first.api_key };
    const options = { env, timeout: 250_000, maxBuffer: 1 << 26 };
    execFile(program, args, options, (_error, stdout) => resolve(stdout));
  });
}

type Judged = Readonly<{ id: string; status: 'passed' | 'failed' | 'skipped'; errors?: string[] }>;

/**
 * llm-comply: parts of its messages that are left out, because they are as they should be, and the
 * tests that it skips, which ask for models by name.
 */
const COMPLY = [
  { format: 'openai-chat', passed: 8, skipped: ['chat-reasoning-summary'], leftOut: [] },
  {
    format: 'open-responses',
    passed: 12,
    skipped: ['reasoning-summary'],
    leftOut: [
      // Null, as OpenAI's own types allow: the request leaves them to the engine.
      "temperature: None is not of type 'number'",
      "top_p: None is not of type 'number'",
      // OpenAI's name of the event. That of Open Responses is another.
      'unknown SSE event type: response.reasoning_text',
    ],
  },
  { format: 'anthropic', passed: 8, skipped: ['anth-thinking-display'], leftOut: [] },
] as const;

test.each(COMPLY)(
  'llm-comply finds in $format only the differences that are listed',
  async ({ format, passed, skipped, leftOut }) => {
    const program = join(await python('conformance'), '..', 'llm-comply');
    const service = ['--base-url', up.ready.base_url, '--api-key', up.first.api_key];
    const what = ['--model', MODEL, '--format', format, '--json', '--ignore', leftOut.join(',')];
    const printed = await run(program, ['run', ...service, ...what]);
    const { results } = JSON.parse(printed) as { results: Judged[] };
    const idsOf = (status: Judged['status']) =>
      results.filter((result) => result.status === status).map(({ id }) => id);
    const failed = results.filter(({ status }) => status === 'failed');
    expect(failed.map(({ id, errors }) => [id, errors])).toEqual([]);
    expect(idsOf('skipped')).toEqual(skipped);
    expect(idsOf('passed')).toHaveLength(passed);
  },
  300_000,
);

test('CompatCanary misses only structured output, which is not offered', async () => {
  const program = join(await node('compatcanary', '0.2.2'), 'compatcanary');
  const service = ['--base-url', up.ready.base_url, '--model', MODEL];
  const printed = await run(program, ['scan', ...service, '--format', 'json']);
  type Scanned = { id: string; status: string };
  const { results, summary } = JSON.parse(printed) as { results: Scanned[]; summary: object };
  const missed = results.filter(({ status }) => status !== 'pass');
  expect(missed.map(({ id }) => id)).toEqual(['chat.structured_output']);
  expect(summary).toMatchObject({ passes: 6, total: 7 });
}, 300_000);

/** The published descriptions of the APIs, which are files of llm-comply. */
const PUBLISHED = [
  { file: 'openai_chat', paths: ['/chat/completions', '/completions', '/models'] },
  { file: 'openresponses', paths: ['/responses'] },
  { file: 'anthropic', paths: ['/v1/messages', '/v1/messages/count_tokens'] },
] as const;

test.each(PUBLISHED)(
  'no request that Schemathesis generates from $file causes an error of the server',
  async ({ file, paths }) => {
    const interpreter = await python('conformance');
    const find = 'import llm_comply, os; print(os.path.dirname(llm_comply.__file__))';
    const folder = (await run(interpreter, ['-c', find])).trim();
    const printed = await run(join(interpreter, '..', 'schemathesis'), [
      'run',
      join(folder, 'specs', `${file}.json`),
      `--url=${file === 'anthropic' ? up.origin : up.ready.base_url}`,
      `--header=Authorization: Bearer ${up.first.api_key}`,
      ...paths.flatMap((path) => ['--include-path', path]),
      ...'--checks not_a_server_error --max-examples 25 --phases examples,fuzzing'.split(' '),
      // It keeps what it finds beside itself.
      ...'--generation-database none --no-color'.split(' '),
    ]);
    const [, generated, passed] = /(\d+) generated, (\d+) passed$/m.exec(printed) ?? [];
    expect(passed, printed).toBe(generated);
    expect(Number(passed)).toBeGreaterThan(25);
  },
  300_000,
);
