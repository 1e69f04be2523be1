/**
 * `npm run bench:kv-events`: how well a router predicts the cached tokens of a real vLLM that evicts,
 * with its KV events and without them. vLLM runs on the CPU, from the packages of `test:engines`, and
 * its KV cache is smaller than the conversations. The same requests are sent in each run, first alone
 * and then beside prompts of others, which no router sees. The prediction is the one by which the
 * router picks a worker.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import type { KvEventsConfig } from '../../agent/config.ts';
import { makeModel } from '../engines/cache.ts';
import { EngineProcess } from '../engines/engine-process.ts';
import { type EngineRow, SERVED } from '../engines/engine-row.ts';
import { engineNamed, installEngine } from '../engines/engines.ts';
import { CATALOG, MODEL, type Worker } from '../engines/service.ts';
import { until, Up } from '../support/up.ts';
import { type PlannedRequest, planned } from './kv-events-traffic.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    /** Blocks of 128 tokens. */
    blocks: { type: 'string', default: '512' },
  },
});
const seconds = Number(flags.seconds);

/** In tokens. */
type Answered = Readonly<{ prompt: number; cached: number; predicted: number }>;

/** vLLM with a small cache, KV events, and a route by which its cache is cleared. */
function publishing(row: EngineRow, { endpoint, replay = '' }: KvEventsConfig): EngineRow {
  const events = { enable_kv_cache_events: true, endpoint, replay_endpoint: replay };
  return {
    ...row,
    command: (model, port) => [
      ...row.command(model, port),
      '--num-gpu-blocks-override',
      flags.blocks,
      '--kv-events-config',
      JSON.stringify(events),
    ],
    env: { ...row.env, VLLM_SERVER_DEV_MODE: '1' },
  };
}

/** Sends the requests to a new router and agent, and to an engine whose cache is empty. */
async function measure(
  engine: EngineProcess,
  requests: readonly PlannedRequest[],
  settings: string,
  kvEvents: KvEventsConfig | null,
): Promise<Answered[]> {
  await clear(engine);
  const own = ['--engine', engine.url, '--catalog', CATALOG, '--settings', settings];
  await using up = await Up.start(own);
  if (kvEvents) await follow(up, kvEvents);
  const { id } = up.first.organization;
  await up.admin('credit', 'adjust', '--organization', id, '--amount', '1000', '--reason', 'bench');
  const start = performance.now();
  const answers = await Promise.all(
    requests.map(async (request) => {
      await pause(Math.max(0, start + request.atMs - performance.now()));
      return request.isUnseen ? sendUnseen(engine, request) : send(up, request);
    }),
  );
  const notes = (await readyWorker(up))?.notes ?? ['the worker is gone'];
  if (notes.length > 0) throw new Error(`The worker has notes: ${notes.join('; ')}`);
  const shares = predictedShares(up.output);
  return answers
    .filter((answer) => answer !== null)
    .map(({ requestId, prompt, cached }) => {
      const share = shares.get(requestId);
      if (share === undefined) throw new Error(`The log says nothing of ${requestId}`);
      return { prompt, cached, predicted: Math.round(share * prompt) };
    });
}

async function clear({ url }: EngineProcess): Promise<void> {
  const cleared = async () => {
    const response = await fetch(`${url}/reset_prefix_cache`, { method: 'POST' });
    return ((await response.json()) as { success: boolean }).success;
  };
  await until(cleared, 'an empty cache');
}

/** `penstock up` has no flag for KV events, so its agent is started again, configured for them. */
async function follow(up: Up, kvEvents: KvEventsConfig): Promise<void> {
  const file = join(up.data, 'agent.yaml');
  const config = parse(await readFile(file, 'utf8')) as { engines: object[] };
  const engines = config.engines.map((engine) => ({ ...engine, kvEvents }));
  await writeFile(file, stringify({ ...config, engines }));
  const { agent } = up.ready.pids;
  process.kill(agent, 'SIGTERM');
  await until(async () => (await up.readAgain()).pids.agent !== agent, 'an agent that follows');
  await until(() => readyWorker(up), 'its worker');
}

async function readyWorker(up: Up): Promise<Worker | undefined> {
  const { data } = (await up.api('GET', '/workers')) as { data: Worker[] };
  return data.find(({ phase }) => phase === 'ready');
}

const SHORT = { max_tokens: 4, temperature: 0 };

async function send(up: Up, { messages }: PlannedRequest) {
  const body = { model: MODEL, messages, ...SHORT, reasoning: { enabled: false } };
  const response = await up.post('/chat/completions', body);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { usage } = (await response.json()) as {
    usage: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } };
  };
  return {
    requestId: response.headers.get('x-request-id') ?? '',
    prompt: usage.prompt_tokens,
    cached: usage.prompt_tokens_details.cached_tokens,
  };
}

async function sendUnseen({ url }: EngineProcess, { messages }: PlannedRequest): Promise<null> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: SERVED, messages, ...SHORT }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return null;
}

/** Returns the share of each prompt that the router expected to be cached, from its log. */
function predictedShares(log: string): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const line of log.split('\n')) {
    if (!line.includes('"picked a worker"')) continue;
    const { request, promptTokens, candidates } = JSON.parse(line) as {
      request: string;
      promptTokens: number;
      candidates: [{ cachedTokens: number }];
    };
    shares.set(request, candidates[0].cachedTokens / promptTokens);
  }
  return shares;
}

/** The first fifth fills the cache, and is not counted. */
function tableRow(name: string, all: readonly Answered[]): string {
  const counted = all.slice(Math.floor(all.length / 5));
  const sum = (of: (answered: Answered) => number) =>
    counted.reduce((total, answered) => total + of(answered), 0);
  const prompt = sum((answered) => answered.prompt);
  const percent = (tokens: number) => `${((100 * tokens) / prompt).toFixed(1)} %`;
  const tooMany = sum(({ cached, predicted }) => Math.max(0, predicted - cached));
  const tooFew = sum(({ cached, predicted }) => Math.max(0, cached - predicted));
  const counts = [counted.length, prompt, sum(({ cached }) => cached)];
  const errors = [tooMany + tooFew, tooMany, tooFew].map(percent);
  const cells = [name, ...counts, sum(({ predicted }) => predicted), ...errors];
  return `| ${cells.join(' | ')} |\n`;
}

const vllm = engineNamed('vllm');
await makeModel();
await installEngine(vllm);
const folder = await mkdtemp(join(tmpdir(), 'penstock-'));
try {
  const settings = join(folder, 'router.yaml');
  await writeFile(settings, stringify({ logLevel: 'debug' }));
  const kvEvents = {
    endpoint: `ipc://${join(folder, 'kv-events')}`,
    replay: `ipc://${join(folder, 'kv-replay')}`,
  };
  await using engine = await EngineProcess.start(publishing(vllm, kvEvents));
  process.stdout.write(
    `vLLM with ${flags.blocks} blocks of 128 tokens, ${seconds} s a run, seed ${flags.seed}\n\n` +
      '| | requests | prompt tokens | cached | predicted | error | too many | too few |\n' +
      '|---|---:|---:|---:|---:|---:|---:|---:|\n',
  );
  for (const withUnseen of [false, true]) {
    const requests = planned(Number(flags.seed), seconds, withUnseen);
    for (const used of [null, kvEvents]) {
      const name = `${withUnseen ? 'beside others' : 'alone'}, ${used ? 'with' : 'without'} KV events`;
      process.stdout.write(tableRow(name, await measure(engine, requests, settings, used)));
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
