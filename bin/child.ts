/**
 * The side of a process that `penstock up` has started: it tells its parent when it is ready, and ends with
 * it, however the parent ends. In a process that a person started, all of this does nothing.
 */

/** What a part says once it serves. */
export type Ready = Readonly<Record<string, string>>;

/** Whether `penstock up` started this process; it then also stops it, in its order. */
export const isChild = process.send !== undefined;

/** Ends this process at once when the parent is gone: SIGKILL leaves it no time to say so. */
export function endWithParent(): void {
  if (!isChild) return;
  process.on('disconnect', () => process.exit(1));
  // Listening on the channel must not keep a process that is done.
  process.channel?.unref();
  // Ctrl-C reaches the whole group, but an engine must not stop before the answers that it gives.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
}

export function reportReady(ready: Ready): void {
  process.send?.(ready);
}
