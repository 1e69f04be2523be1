/**
 * Simulates network latency between a router and its store: a TCP proxy that forwards bytes after a
 * delay.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { systemClock as clock } from '../../shared/clock.ts';

export type FarStore = AsyncDisposable & Readonly<{ url: string }>;

/**
 * Delays bytes by `delayMs` in each direction and keeps their order. Returns a URL that reaches the
 * store of `url` through the proxy.
 */
export async function farStore(url: string, delayMs: number): Promise<FarStore> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const later = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes: Buffer) => clock.after(delayMs, () => to.write(bytes)));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      clock.after(delayMs, () => to.destroy());
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    later(near, far);
    later(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.hostname = '127.0.0.1';
  near.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: near.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
