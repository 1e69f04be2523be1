/** SIGTERM, SIGINT and SIGHUP: the first one drains, the second one stops at once. */
import { isChild } from './child.ts';

export type Stopping = Readonly<{
  /** Finish what runs, then end. */
  signal: AbortSignal;
  /** End now: whoever listens has this one turn. */
  forced: AbortSignal;
}>;

export function stopOnSignals(): Stopping {
  const drain = new AbortController();
  const force = new AbortController();
  const stop = () => {
    if (!drain.signal.aborted) return drain.abort();
    // A part may hear of one stop twice, from its group and from its parent, which forces by SIGKILL.
    if (isChild) return;
    force.abort();
    process.exit(1);
  };
  process.on('SIGTERM', stop);
  // Ctrl-C and a terminal that is gone reach the whole group, but a part of `penstock up` is stopped by it, in its order.
  if (!isChild) {
    process.on('SIGINT', stop);
    process.on('SIGHUP', stop);
  }
  return { signal: drain.signal, forced: force.signal };
}
