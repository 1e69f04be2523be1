/**
 * After a request is stopped, the rest of the bytes that were read costs nothing more, and parsers
 * work again afterwards.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeUnread, stopParsing, watchDrips } from '../../../shared/bounds/stop-parsing.ts';

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
/** As many chunks as fit into one read of a socket. */
const CHUNKS = '1\r\nx\r\n'.repeat(10_000);
const ON_BODY = 3;

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const undo = new AsyncDisposableStack();
  const server = createServer(answer);
  undo.defer(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    send(text: string) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      socket.write(text);
      return socket;
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

/** Resolves when the socket is closed, for whatever reason. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Counts the HTTP parser's body callbacks, on every request of the connection. */
function countCallbacks({ socket }: IncomingMessage, count: () => void): void {
  const { parser } = socket as unknown as { parser: Record<number, (...of: unknown[]) => unknown> };
  const onBody = parser[ON_BODY] as (this: unknown, ...of: unknown[]) => unknown;
  parser[ON_BODY] = function counted(...of) {
    count();
    return onBody.apply(this, of);
  };
}

test('the parser calls back no more in the reading in which a body was found to drip', async () => {
  const MOST = 100;
  let callbacks = 0;
  await using server = await serve((request) => {
    countCallbacks(request, () => {
      callbacks += 1;
    });
    watchDrips(request, MOST);
    request.on('data', () => {});
    // The end of this read, in which all ten thousand chunks have arrived.
    setImmediate(() => request.socket.destroy());
  });
  await closed(server.send(HEAD + CHUNKS));
  expect(callbacks).toBeGreaterThan(0);
  expect(callbacks).toBeLessThanOrEqual(MOST + 2);
});

test('an answer ends the connection of a body in chunks that nobody reads, and is read itself', async () => {
  await using server = await serve((request, response) => {
    closeUnread(request, response);
    response.end('answered');
  });
  const socket = server.send(HEAD);
  let heard = '';
  socket.on('data', (piece) => {
    heard += String(piece);
  });
  const drip = () => socket.write(CHUNKS, () => socket.writable && setImmediate(drip));
  drip();
  await closed(socket);
  expect(heard).toContain('answered');
});

test('parsers of connections that were stopped serve others', async () => {
  await using server = await serve((request, response) => {
    if (request.url !== '/') return void response.end('served');
    stopParsing(request);
    stopParsing(request);
    request.socket.destroy();
  });
  for (let round = 0; round < 20; round++) {
    await closed(server.send(HEAD + CHUNKS));
    const answer = await fetch(`http://127.0.0.1:${server.port}/again`);
    expect(await answer.text()).toBe('served');
  }
});
