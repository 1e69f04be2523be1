/** A port of this machine on which nothing listens, for a process that is told its port. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemRandom } from '../../shared/random.ts';

/**
 * Linux gives ports from 32,768 on to connections and to servers that ask for any port, so a port
 * below that stays free until its process listens.
 */
const PORTS = { first: 12_000, count: 20_000 };

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(systemRandom.unit() * PORTS.count);
    const server = createServer().listen(port, '127.0.0.1');
    const listens = await once(server, 'listening').catch(() => null);
    if (listens === null) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
