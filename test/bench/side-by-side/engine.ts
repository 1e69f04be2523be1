/**
 * The fake engine, a process of its own: vLLM's routes that a gateway needs, on raw sockets. A
 * prompt sets the pace of its answer: `rate=50` is 50 tokens a second, and `rate=0` is at once.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { answerParent } from './bench-process.ts';
import {
  ID_LENGTH,
  reply,
  type Shape,
  streamOf,
  type Template,
  wholeAnswer,
} from './engine-answers.ts';
import { ENGINE_MODEL } from './model.ts';
import { Pacer } from './pacer.ts';

const CONTEXT_LENGTH = 262_144;

type ChatBody = Readonly<{
  model: string;
  max_tokens?: number;
  max_completion_tokens?: number;
  stream?: boolean;
  stream_options?: { include_usage?: boolean; continuous_usage_stats?: boolean };
}>;

const pacer = new Pacer();
const streams = new Map<string, readonly Template[]>();
const answers = new Map<string, Template>();
const totals = { requests: 0, running: 0, promptTokens: 0, tokens: 0 };

function serve(socket: Socket): void {
  let held: Buffer | null = null;
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece: Buffer) => {
    const bytes = held === null ? piece : Buffer.concat([held, piece]);
    held = null;
    const end = bytes.indexOf('\r\n\r\n');
    const head = end < 0 ? '' : bytes.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (end < 0 || bytes.length < end + 4 + length) {
      held = bytes;
      return;
    }
    const body = bytes.toString('latin1', end + 4, end + 4 + length);
    const isSupported = bytes.length === end + 4 + length && !/transfer-encoding/i.test(head);
    if (!isSupported) return void socket.destroy();
    const [method, path = ''] = head.split(' ', 2);
    if (method === 'POST' && path === '/v1/chat/completions') chat(socket, body);
    else socket.write(other(path, body));
  });
}

function chat(socket: Socket, text: string): void {
  const body = JSON.parse(text) as ChatBody;
  const shape: Shape = {
    model: body.model,
    promptTokens: Math.floor(text.length / 4) + 1,
    tokens: body.max_tokens ?? body.max_completion_tokens ?? 16,
    usage: body.stream_options?.include_usage ?? false,
    continuousUsage: body.stream_options?.continuous_usage_stats ?? false,
  };
  const id = (totals.requests++).toString(16).padStart(ID_LENGTH, '0');
  totals.promptTokens += shape.promptTokens;
  const key = Object.values(shape).join(' ');
  if (body.stream) {
    const templates = kept(streams, key, () => streamOf(shape));
    const rate = Number(/rate=([\d.]+)/.exec(text)?.[1] ?? 0);
    if (rate > 0) stream(socket, templates, id, 1000 / rate);
    else burst(socket, templates, id);
  } else {
    totals.tokens += shape.tokens;
    socket.write(kept(answers, key, () => wholeAnswer(shape)).with(id));
  }
}

/** All tokens at once, each in a write of its own as in a paced stream. */
function burst(socket: Socket, templates: readonly Template[], id: string): void {
  totals.tokens += templates.length;
  for (const template of templates) socket.write(template.with(id));
}

function stream(socket: Socket, templates: readonly Template[], id: string, stepMs: number): void {
  let sent = 0;
  totals.running++;
  const step = () => {
    if (!socket.destroyed) socket.write((templates[sent++] as Template).with(id));
    totals.tokens++;
    if (!socket.destroyed && sent < templates.length) return stepMs;
    totals.running--;
    return null;
  };
  pacer.start(step, stepMs);
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

function other(path: string, body: string): string {
  const json = (value: object) => reply('200 OK', 'application/json', JSON.stringify(value));
  if (path === '/health') return reply('200 OK', 'text/plain', '');
  if (path === '/version') return json({ version: '0.25.0' });
  if (path === '/tokenize') {
    const count = Math.floor(body.length / 4) + 1;
    return json({ count, max_model_len: CONTEXT_LENGTH, tokens: [], token_strs: null });
  }
  if (path === '/metrics') return reply('200 OK', 'text/plain; version=0.0.4', metrics());
  if (path !== '/v1/models') return reply('404 Not Found', 'application/json', '{}');
  const model = {
    id: ENGINE_MODEL,
    object: 'model',
    created: 0,
    owned_by: 'vllm',
    root: ENGINE_MODEL,
    parent: null,
    max_model_len: CONTEXT_LENGTH,
    permission: [],
  };
  return json({ object: 'list', data: [model] });
}

function metrics(): string {
  const label = `{engine="0",model_name="${ENGINE_MODEL}"}`;
  const cache = `{block_size="16",enable_prefix_caching="True",engine="0",num_gpu_blocks="1000000"}`;
  const lines = [
    `vllm:num_requests_running${label} ${totals.running}`,
    `vllm:num_requests_waiting${label} 0`,
    `vllm:kv_cache_usage_perc${label} ${totals.running / 100_000}`,
    `vllm:prefix_cache_queries_total${label} ${totals.promptTokens}`,
    `vllm:prefix_cache_hits_total${label} 0`,
    `vllm:prompt_tokens_total${label} ${totals.promptTokens}`,
    `vllm:generation_tokens_total${label} ${totals.tokens}`,
    `vllm:cache_config_info${cache} 1`,
  ];
  return `${lines.join('\n')}\n`;
}

const server = createServer({ noDelay: true }, serve).listen(0, '127.0.0.1', 4096);
await once(server, 'listening');
answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () =>
  pacer.takeLateness(),
);
