/**
 * Cleans up what must not outlive this process, even if it ends without disposing of anything
 * (Ctrl-C, a crash): paused processes, mounts, folders. Each entry is removed from the list when
 * its resource is disposed of normally.
 */
const undoing = new Set<() => void>();

process.on('exit', () => {
  // In reverse order, as resources are always released.
  for (const undo of [...undoing].toReversed()) {
    try {
      undo();
    } catch {
      // One failure must not stop the rest of the clean-up.
    }
  }
});

/**
 * Runs `undo` when this process exits. `undo` must be synchronous. Returns a function that cancels
 * it.
 */
export function atExit(undo: () => void): () => void {
  undoing.add(undo);
  return () => undoing.delete(undo);
}
