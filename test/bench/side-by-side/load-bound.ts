/** A bound on the time of a load. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadConnection } from './load-connection.ts';

/** How late the last answer may be. */
const GRACE_MS = 30_000;

/**
 * Runs a load, and closes its connections when it has ended or failed. Rejects if the load takes
 * much longer than it should.
 */
export async function bounded<T>(
  nominalMs: number,
  connections: readonly LoadConnection[],
  load: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopped = new AbortController();
  const tooLate = async () => {
    await pause(nominalMs + GRACE_MS, undefined, { signal: stopped.signal });
    throw new Error(`a load of ${nominalMs} ms did not end within ${GRACE_MS} ms more`);
  };
  try {
    return await Promise.race([load(stopped.signal), tooLate()]);
  } finally {
    stopped.abort();
    for (const connection of connections) connection.close();
  }
}
