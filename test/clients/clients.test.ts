/**
 * Clients of other languages with a real `penstock up`: each plays the same scenes, and each cell of
 * the table of client and scene is a test.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { go, python, rust } from './install.ts';
import { SCENES, type SceneName, type Spent, type Stage, Theatre } from './stage.ts';

type Outcome = Readonly<{
  scene: SceneName;
  failure: string | null;
  usage: readonly [prompt: number, completion: number] | null;
}>;

type Command = readonly [program: string, ...args: string[]];

type Client = Readonly<{
  name: string;
  command: () => Promise<Command>;
  /** The scenes that the client has no way to play. */
  lacks?: readonly SceneName[];
}>;

function inPython(
  name: string,
  environment: string,
  script: string,
  lacks: readonly SceneName[] = [],
): Client {
  const [file = '', ...args] = script.split(' ');
  const path = join(import.meta.dirname, 'python', file);
  return { name, lacks, command: async () => [await python(environment), path, ...args] };
}

let goClients: Promise<string> | null = null;
function inGo(name: string, client: string, lacks: readonly SceneName[] = []): Client {
  return { name, lacks, command: async () => [await (goClients ??= go()), client] };
}

let rustClients: Promise<string> | null = null;
function inRust(name: string, client: string, lacks: readonly SceneName[] = []): Client {
  return { name, lacks, command: async () => [await (rustClients ??= rust()), client] };
}

const CLIENTS: readonly Client[] = [
  inPython('openai-python, chat', 'sdks', 'openai_sdk.py chat'),
  inPython('openai-python, responses', 'sdks', 'openai_sdk.py responses'),
  inPython('anthropic-sdk-python', 'sdks', 'anthropic_sdk.py', ['json']),
  inPython('LangChain, chat', 'sdks', 'langchain_clients.py chat', ['models']),
  inPython('LangChain, responses', 'sdks', 'langchain_clients.py responses', ['models']),
  inPython('LangChain, messages', 'sdks', 'langchain_clients.py messages', ['models', 'json']),
  inPython('PydanticAI, chat', 'sdks', 'pydantic_ai_clients.py chat', ['models', 'json']),
  inPython('PydanticAI, responses', 'sdks', 'pydantic_ai_clients.py responses', ['models', 'json']),
  inPython('PydanticAI, messages', 'sdks', 'pydantic_ai_clients.py messages', ['models', 'json']),
  inPython('OpenAI Agents, chat', 'sdks', 'openai_agents.py chat', ['models', 'json']),
  inPython('OpenAI Agents, responses', 'sdks', 'openai_agents.py responses', ['models', 'json']),
  inPython('LlamaIndex', 'llama-index', 'llama_index_client.py', ['models']),
  inPython('LiteLLM, chat', 'litellm', 'litellm_client.py chat', ['models']),
  // LiteLLM retries in Chat Completions alone. In Responses, it does not stream from models that it does not know.
  inPython('LiteLLM, responses', 'litellm', 'litellm_client.py responses', [
    'models',
    'limited',
    'cut',
  ]),
  inPython('LiteLLM, messages', 'litellm', 'litellm_client.py messages', [
    'models',
    'json',
    'limited',
  ]),
  inGo('openai-go, chat', 'openai-chat'),
  inGo('openai-go, responses', 'openai-responses'),
  inGo('anthropic-sdk-go', 'anthropic', ['json']),
  inGo('sashabaranov/go-openai', 'go-openai', ['reasoning']),
  inRust('async-openai, chat', 'chat', ['reasoning']),
  inRust('async-openai, responses', 'responses'),
];

let theatre: Theatre;
const table: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  theatre = await Theatre.open();
});
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]();
  // The table is what this suite is run for.
  // oxlint-disable-next-line no-console
  console.table(table);
});

/** Lets a client play, and returns what it says of each scene. */
async function play(command: Command, stage: Stage): Promise<Map<SceneName, Outcome>> {
  const [program, ...args] = command;
  const output = await new Promise<string>((resolve) => {
    const child = execFile(
      program,
      args,
      { timeout: 300_000, maxBuffer: 1 << 24 },
      (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
    );
    child.stdin?.end(JSON.stringify(stage));
  });
  const outcomes = [...output.matchAll(/^OUTCOME (.*)$/gm)].map(
    ([, line]) => JSON.parse(line as string) as Outcome,
  );
  if (outcomes.length === 0) throw new Error(`no scene was played:\n${output}`);
  return new Map(outcomes.map((outcome) => [outcome.scene, outcome]));
}

describe.each(CLIENTS)('$name', (client) => {
  let outcomes: Map<SceneName, Outcome>;
  let spent: Map<string, Spent>;
  let keyOf: (scene: SceneName) => string;
  const attempts = { no_credit: 0, limited: 0 };
  const row: Record<string, string> = {};

  beforeAll(async () => {
    table[client.name] = row;
    const { stage, organization, keys } = await theatre.stage(client.name);
    const refused = async () => ({
      no_credit: await theatre.refusals('insufficient_credit'),
      limited: await theatre.refusals('rate_limited'),
    });
    const before = await refused();
    const command = await client.command();
    const done = new AbortController();
    await theatre.keepBusy(stage.keys['limited'] as string, done.signal);
    outcomes = await play(command, stage).finally(() => done.abort());
    const after = await refused();
    attempts.no_credit = after.no_credit - before.no_credit;
    attempts.limited = after.limited - before.limited;
    spent = await theatre.spent(organization);
    keyOf = (scene) => keys[scene]?.id ?? '';
  }, 900_000);

  const played = (Object.keys(SCENES) as SceneName[]).filter(
    (scene) => !client.lacks?.includes(scene),
  );
  test.each(played)('%s', (scene) => {
    row[SCENES[scene]] = 'no';
    const outcome = outcomes.get(scene);
    expect(outcome?.failure, outcome?.failure ?? 'not played').toBeNull();
    if (scene === 'no_credit') expect(attempts.no_credit, 'attempts').toBe(1);
    if (scene === 'limited') expect(attempts.limited, 'refusals').toBeGreaterThanOrEqual(1);
    if (outcome?.usage) {
      const { prompt = 0, completion = 0 } = spent.get(keyOf(scene)) ?? {};
      expect(outcome.usage).toEqual([prompt, completion]);
    }
    row[SCENES[scene]] = 'yes';
  });
});
