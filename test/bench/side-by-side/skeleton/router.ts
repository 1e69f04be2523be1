/**
 * The skeleton's router, a process of its own. It takes a request, books a hold, sends the request to
 * the agent, writes each token, and books the settlement before the end. It knows no keys, limits,
 * prices or faults.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type WebSocket, WebSocketServer } from 'ws';
import { answerParent } from '../bench-process.ts';
import { type BookingLedger, SkeletonLedger } from './ledger.ts';
import { KIND, LinkWriter, readRecords } from './link.ts';

type Live = {
  readonly response: ServerResponse;
  /** An event of the stream up to its text; null if the answer is not streamed. */
  readonly head: string | null;
  text: string;
  tokens: number;
};

const { values: flags } = parseArgs({
  options: {
    store: { type: 'string', default: '' },
    /** Books with the product's ledger, instead of the skeleton's. */
    'product-ledger': { type: 'boolean', default: false },
  },
});
const ledger: BookingLedger = flags['product-ledger']
  ? await (await import('./product-ledger.ts')).ProductLedger.start(flags.store)
  : new SkeletonLedger(flags.store);
const live = new Map<number, Live>();
let requests = 0;
let link: LinkWriter | null = null;

function take(incoming: IncomingMessage, response: ServerResponse): void {
  let asked = '';
  incoming.on('data', (piece: Buffer) => {
    asked += piece.toString('latin1');
  });
  incoming.on('end', () => void serve(asked, response));
}

async function serve(asked: string, response: ServerResponse): Promise<void> {
  const { model, stream } = JSON.parse(asked) as { model: string; stream?: boolean };
  const request = ++requests;
  await ledger.book({ kind: 'hold', request });
  if (!link) return void response.writeHead(503).end();
  const head = `data: {"id":"${request}","object":"chat.completion.chunk","model":"${model}","choices":[{"index":0,"delta":{"content":"`;
  if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  live.set(request, { response, head: stream ? head : null, text: '', tokens: 0 });
  link.add(request, KIND.open, asked);
}

function onRecord(request: number, kind: number, text: string): void {
  const one = live.get(request);
  if (!one) return;
  if (kind === KIND.end) return void finish(request, one);
  one.tokens += 1;
  if (one.head === null) one.text += text;
  else writeEvent(one.response, `${one.head}${text}"},"finish_reason":null}]}\n\n`);
}

/** Writes a chunk of HTTP in one piece. `response.write` would make three pieces of it. */
function writeEvent({ socket }: ServerResponse, event: string): void {
  socket?.write(`${event.length.toString(16)}\r\n${event}\r\n`, 'latin1');
}

async function finish(request: number, { response, head, text, tokens }: Live): Promise<void> {
  live.delete(request);
  await ledger.book({ kind: 'settle', request });
  const usage = `"usage":{"prompt_tokens":8,"completion_tokens":${tokens},"total_tokens":${8 + tokens}}`;
  if (head !== null) {
    writeEvent(response, `${head}"},"finish_reason":"length"}],${usage}}\n\n`);
    return void response.end('data: [DONE]\n\n');
  }
  const message = `{"role":"assistant","content":"${text}"}`;
  const choice = `{"index":0,"message":${message},"finish_reason":"length"}`;
  const body = `{"id":"${request}","object":"chat.completion","choices":[${choice}],${usage}}`;
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  response.writeHead(200, headers).end(body, 'latin1');
}

const server = createServer({ noDelay: true, keepAliveTimeout: 600_000 }, take);
new WebSocketServer({ server }).on('connection', (socket: WebSocket) => {
  link = new LinkWriter(socket, 0);
  socket.on('message', (message: Buffer) => readRecords(message, onRecord));
});
server.listen(0, '127.0.0.1', 4096);
await once(server, 'listening');
answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => null);
