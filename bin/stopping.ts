/**
 * The signals that stop a process: SIGTERM, SIGINT, SIGQUIT, and SIGHUP when the terminal is gone.
 * The first one drains, the second one stops at once. A SIGHUP that somebody sends asks a daemon to
 * read its files again.
 */
import { isatty } from 'node:tty';
import { isChild } from './child.ts';

export type Stopping = Readonly<{
  /** Aborts on the first signal: finish running work, then end. */
  signal: AbortSignal;
  /**
   * Aborts on the second signal, right before the process exits. Listeners must act synchronously.
   */
  forced: AbortSignal;
}>;

/** `onReload` is called at a SIGHUP while the terminal is there. Without it SIGHUP stops. */
export function stopOnSignals(onReload?: () => void): Stopping {
  const drain = new AbortController();
  const force = new AbortController();
  const stop = () => {
    if (!drain.signal.aborted) return drain.abort();
    // A child process may receive one stop twice, from its group and from its parent. The parent
    // forces the end by SIGKILL.
    if (isChild) return;
    force.abort();
    process.exit(1);
  };
  process.on('SIGTERM', stop);
  // Ctrl-C and the loss of the terminal reach the whole process group, but `penstock up` stops its
  // child processes itself, in its own order.
  if (!isChild) {
    process.on('SIGINT', stop);
    process.on('SIGQUIT', stop);
    const terminal = [0, 1, 2].find((descriptor) => isatty(descriptor)) ?? null;
    process.on('SIGHUP', () => {
      const hasHungUp = terminal !== null && !isatty(terminal);
      if (onReload && !hasHungUp) onReload();
      else stop();
    });
  }
  return { signal: drain.signal, forced: force.signal };
}
