/**
 * Our answers are values of the types that the official clients publish: the compiler checks answers
 * of the router, written out as literals. No required member is missing, and none is unknown.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createParser } from 'eventsource-parser';
import { beforeAll, expect, test } from 'vitest';
import type { Api } from '../../../router/request/api.ts';
import { APIS } from '../../support/apis.ts';
import { ask, finishesOf, piecesOf, PROMPT, say } from './conversation.ts';
import type { Customer } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const MODULES = resolve('node_modules');
const run = promisify(execFile);

/** The published types of whole answers and of events. */
const TYPES = {
  chat: ['OpenAI.ChatCompletion', 'OpenAI.ChatCompletionChunk'],
  completions: ['OpenAI.Completion', 'TextChunk'],
  responses: ['OpenAI.Responses.Response', 'OpenAI.Responses.ResponseStreamEvent'],
  messages: ['Anthropic.Message', 'Anthropic.RawMessageStreamEvent'],
} as const satisfies Record<Api, readonly [whole: string, event: string]>;

/** The client has no type for a piece of a text completion, whose finish reason is null until the end. */
const HEADER = `
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
type Choice = Omit<OpenAI.CompletionChoice, 'finish_reason'>
  & { finish_reason: OpenAI.CompletionChoice['finish_reason'] | null };
type TextChunk = Omit<OpenAI.Completion, 'choices'> & { choices: Choice[] };
`;

/**
 * Members that the published types do not have: thoughts as in OpenRouter, what OpenAI sends, what
 * Open Responses requires, and the details of errors, which the client reads.
 */
const OURS: Readonly<Record<Api, readonly string[]>> = {
  chat: ['reasoning'],
  completions: [],
  responses: ['system_fingerprint', 'store', 'presence_penalty', 'frequency_penalty'],
  messages: ['details'],
};

let customer: Customer;
beforeAll(async () => {
  customer = await rig.customer(10n ** 12n);
});

test('answers and events are what the types of the official clients say', async () => {
  const lines = [HEADER];
  for (const api of APIS) {
    const [whole, event] = TYPES[api];
    for (const finish of finishesOf(api)) {
      const body = await answer(api, finish, false);
      lines.push(`[${literal(api, body)}] satisfies ${whole}[];`);
      const events = dataOf(await answer(api, finish, true));
      expect(events.length).toBeGreaterThan(3);
      const literals = events.map((data) => literal(api, data));
      lines.push(`[${literals.join(',\n')}] satisfies ${event}[];`);
    }
  }
  const refused = await ask('messages', customer, { max_tokens: 0 });
  lines.push(`(${literal('messages', await refused.text())}) satisfies Anthropic.ErrorResponse;`);
  expect(await compile(lines.join('\n'))).toBe('');
});

async function answer(api: Api, finish: ReturnType<typeof finishesOf>[number], stream: boolean) {
  const include = api === 'responses' ? { include: ['reasoning.encrypted_content'] } : {};
  const response = ask(api, customer, { stream, ...include });
  const agent = await rig.agent.next();
  const pieces = piecesOf(api, finish);
  say(agent, pieces);
  // An answer that is cut short has no count of cached tokens and of thoughts.
  if (finish === 'length') agent.cutShort(PROMPT, pieces.length);
  else agent.finish(PROMPT, pieces.length, { finish, cached: 0, reasoning: 1 });
  return await (await response).text();
}

function dataOf(raw: string): string[] {
  const all: string[] = [];
  createParser({ onEvent: ({ data }) => void (data !== '[DONE]' && all.push(data)) }).feed(raw);
  return all;
}

/** The answer as the client has it, without the members that are ours alone. */
function literal(api: Api, json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value: unknown) => {
    if (OURS[api].includes(key)) return undefined;
    // OpenAI sends it while a response is in progress. The type of the client has no null.
    if (key === 'usage' && value === null && api === 'responses') return undefined;
    // OpenAI's description of the API has it in this event, the type of the client has not.
    if (key === 'name' && json.includes('"response.function_call_arguments.done"'))
      return undefined;
    const isResponse = typeof value === 'object' && value !== null && 'object' in value;
    // The client itself adds all text of a response.
    return isResponse && value.object === 'response' ? { ...value, output_text: '' } : value;
  });
}

/** Returns what the compiler has to say about a module. */
async function compile(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-types-'));
  try {
    await symlink(MODULES, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'answers.ts'), source);
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'esnext' };
    const compilerOptions = { ...options, skipLibCheck: true, types: [] };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['answers.ts'] }),
    );
    const tsc = join(MODULES, '.bin', 'tsc');
    return await run(tsc, ['-p', folder]).then(
      ({ stdout }) => stdout,
      (failed: { stdout: string }) => failed.stdout,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
