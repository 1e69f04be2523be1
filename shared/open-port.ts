/** Opens the port of a server. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { systemFault } from './system-fault.ts';

/**
 * Resolves once `server` listens at `at`. Rejects with an error that says where it cannot, and `what`
 * it would serve there: whoever starts the process may not know the port by its number.
 */
export async function openPort(
  server: Server,
  at: Readonly<{ host: string; port: number }>,
  what: string,
): Promise<void> {
  server.listen(at.port, at.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const where = `${at.host}:${at.port}`;
    throw new Error(`cannot listen on ${where} for ${what}: ${systemFault(error)}`, {
      cause: error,
    });
  }
}
