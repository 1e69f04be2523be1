/**
 * What must not outlive this process even where it ends without having disposed of anything (Ctrl-C, a crash):
 * processes that stand still, mounts, folders. Each takes itself off the list when it is disposed of in order.
 */
const undoing = new Set<() => void>();

process.on('exit', () => {
  // The last first, as in any undoing.
  for (const undo of [...undoing].toReversed()) {
    try {
      undo();
    } catch {
      // The others are to be tried all the same.
    }
  }
});

/** `undo` runs at the end of the process, at once and without waiting for anything; the answer calls it off. */
export function atExit(undo: () => void): () => void {
  undoing.add(undo);
  return () => undoing.delete(undo);
}
