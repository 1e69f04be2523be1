/**
 * Waits for a server that cannot be reached yet: after a power failure, a router may start before
 * its database.
 */
import { sleep } from '../../../shared/clock.ts';
import { systemFault } from '../../../shared/system-fault.ts';
import { StoreUnavailable } from '../errors.ts';
import type { StoreParts } from '../store.ts';
import { Client, clientConfig, connect } from './connect.ts';

export const WAIT_MS_MAX = 60_000;
const AGAIN_MS = 1_000;

/**
 * Resolves when the server accepts connections, or when `signal` aborts. Throws StoreUnavailable,
 * which names the host and the port, when it has not done so for a minute. Throws at once when it
 * refuses the user or the database.
 */
export async function awaitServer(
  url: string,
  { clock, log, signal }: StoreParts & Readonly<{ signal: AbortSignal }>,
): Promise<void> {
  const until = clock.monotonic() + WAIT_MS_MAX;
  const server = { url, clock };
  const { host, port } = new Client(clientConfig(server));
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await (await connect(server, { application_name: 'penstock' }, () => {})).end();
      if (attempt > 0) log.info({ host, port }, 'PostgreSQL accepts connections');
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const fault = systemFault(error.cause ?? error);
      if (clock.monotonic() >= until) {
        const seconds = WAIT_MS_MAX / 1000;
        const text = `PostgreSQL at ${host}:${port} could not be reached for ${seconds} s: ${fault}`;
        throw new StoreUnavailable(text, { cause: error });
      }
      if (attempt === 0) {
        log.warn({ host, port, fault }, 'PostgreSQL cannot be reached; the start waits for it');
      }
    }
    await sleep(clock, AGAIN_MS, signal);
  }
}
