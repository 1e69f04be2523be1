/**
 * The child's side of a process that `penstock up` has started: it reports to its parent when it is
 * ready, and ends when its parent ends, whatever the cause. In a process that a person started,
 * these functions do nothing.
 */

/** What a child process reports once it serves. */
export type Ready = Readonly<Record<string, string>>;

/**
 * Whether `penstock up` started this process. If so, `penstock up` also stops it, in its own order.
 */
export const isChild = process.send !== undefined;

/**
 * Ends this process at once when the parent is gone. A parent that was killed by SIGKILL cannot
 * stop its children itself.
 */
export function endWithParent(): void {
  if (!isChild) return;
  process.on('disconnect', () => process.exit(1));
  // The channel to the parent must not keep a finished process alive.
  process.channel?.unref();
  // Ctrl-C reaches the whole group, but an engine must not stop before its answers end.
  process.on('SIGINT', () => {});
  process.on('SIGQUIT', () => {});
  process.on('SIGHUP', () => {});
}

/** Reports that this process serves. */
export function reportReady(ready: Ready): void {
  process.send?.(ready);
}
