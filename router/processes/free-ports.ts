/** Chooses the ports of listeners that are to get any free port: all children listen on the same. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

type Place = Readonly<{ host: string; port: number }>;

/** Returns the port of each listener. */
export async function freePorts(listeners: readonly Place[]): Promise<number[]> {
  const held = listeners.map(({ host, port }) =>
    port === 0 ? createServer().listen(0, host) : port,
  );
  return await Promise.all(
    held.map(async (server) => {
      if (typeof server === 'number') return server;
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    }),
  );
}
