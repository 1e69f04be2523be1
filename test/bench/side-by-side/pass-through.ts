/**
 * The reference, a process of its own: a plain proxy of `node:http` that compares one key and passes
 * requests and answers on. It shows what a plain proxy on Node costs.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { parseArgs } from 'node:util';
import { answerParent } from './bench-process.ts';
import { PEER_KEY } from './gateway.ts';

const { values: flags } = parseArgs({
  options: { engine: { type: 'string', default: 'http://127.0.0.1:8000' } },
});
const agent = new Agent({ keepAlive: true });
const { hostname, port } = new URL(flags.engine);

function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.headers.authorization !== `Bearer ${PEER_KEY}`) {
    outgoing.writeHead(401).end();
    return;
  }
  const { method, url: path, headers } = incoming;
  const onward = request({ agent, hostname, port, method, path, headers }, (answer) => {
    // A client that is gone gets nothing, but the connection to the engine stays usable.
    if (outgoing.destroyed) return void answer.resume();
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, outgoing, () => {});
  });
  onward.on('error', () => outgoing.destroy());
  pipeline(incoming, onward, () => {});
}

const server = createServer({ noDelay: true, keepAliveTimeout: 600_000 }, pass);
server.listen(0, '127.0.0.1', 4096);
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
answerParent(url, async () => null);
