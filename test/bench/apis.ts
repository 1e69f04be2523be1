/**
 * What a streamed answer costs in each inference API: CPU time of the router and of the agent for a
 * request, as a ratio to the same chat. The APIs take turns within each round, so a change of the
 * machine's speed affects all of them. Prints the medians over the rounds.
 */
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { ManagedProcess } from '../../bin/managed-process.ts';
import { Up } from '../support/up.ts';
import { cpuSeconds } from '../torture/process-figures.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '16' },
    'completion-tokens': { type: 'string', default: '200' },
    'prompt-words': { type: 'string', default: '1000' },
    'token-ms': { type: 'string', default: '2' },
  },
});
const [rounds, requests, concurrency] = [flags.rounds, flags.requests, flags.concurrency].map(
  Number,
) as [number, number, number];

const MODEL = 'minimax/minimax-m3';
const words = 'dam '.repeat(Number(flags['prompt-words']));
const prompt = `${words}\nWrite exactly ${flags['completion-tokens']} tokens.`;
const most = Number(flags['completion-tokens']);
const user = { role: 'user', content: prompt };
const common = { model: MODEL, stream: true };

/** The same request in each API, and what the end of its stream says. */
const APIS = {
  chat: {
    path: '/chat/completions',
    body: { ...common, messages: [user], max_tokens: most, reasoning: { enabled: false } },
    last: '[DONE]',
  },
  responses: {
    path: '/responses',
    body: { ...common, input: [user], max_output_tokens: most, reasoning: { effort: 'none' } },
    last: 'response.completed',
  },
  messages: {
    path: '/messages',
    body: { ...common, messages: [user], max_tokens: most },
    last: 'message_stop',
  },
} as const;
type Api = keyof typeof APIS;
const NAMES = Object.keys(APIS) as Api[];

const sim = new ManagedProcess(
  'sim',
  ['sim', '--port', '0', '--catalog', 'configs/catalog.yaml', '--token-ms', flags['token-ms']],
  () => {},
);
const { url: engine = '' } = await sim.start();
await using up = await Up.start(['--engine', engine]);
const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
const { id } = up.first.organization;
const credit = ['--amount', '10000', '--reason', 'bench'];
await up.admin('credit', 'adjust', '--organization', id, ...credit);
const limits = ['--requests-per-minute', '100000000', '--concurrent-requests', '1000000'];
await up.admin('organization', 'limits', '--organization', id, ...limits);

async function once(api: Api): Promise<void> {
  const { path, body, last } = APIS[api];
  const { statusCode, body: stream } = await request(up.ready.base_url + path, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${up.first.api_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await stream.text();
  const isComplete = text.slice(-20_000).includes(last);
  if (statusCode !== 200 || !isComplete) throw new Error(`${api}: ${statusCode} ${text}`);
}

async function block(api: Api): Promise<Cost> {
  const before = await cpu();
  let left = requests;
  const client = async () => {
    while (left-- > 0) await once(api);
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const after = await cpu();
  const perRequest = (part: keyof Cost) => ((after[part] - before[part]) / requests) * 1e6;
  return { router: perRequest('router'), agent: perRequest('agent') };
}

type Cost = Readonly<{ router: number; agent: number }>;

async function cpu(): Promise<Cost> {
  const { router, agent } = up.ready.pids;
  return { router: await cpuSeconds(router), agent: await cpuSeconds(agent) };
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

for (const api of NAMES) await block(api);
const costs: Record<Api, Cost>[] = [];
for (let round = 0; round < rounds; round++) {
  const cost = {} as Record<Api, Cost>;
  for (let turn = 0; turn < NAMES.length; turn++) {
    const api = NAMES[(round + turn) % NAMES.length] as Api;
    cost[api] = await block(api);
  }
  costs.push(cost);
}
for (const api of NAMES) {
  const told = (['router', 'agent'] as const).map((part) => {
    const micros = median(costs.map((cost) => cost[api][part]));
    const ratio = median(costs.map((cost) => cost[api][part] / cost.chat[part]));
    return `${part} ${micros.toFixed(0)} µs a request (${ratio.toFixed(2)} × chat)`;
  });
  process.stdout.write(`${api}: ${told.join(', ')}\n`);
}
await dispatcher.close();
await sim.stop();
