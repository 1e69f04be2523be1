/** Finds operations by the words of a filter. */
import type { Operation } from './operations.ts';

/** Returns the operations that have every word in their group, title, method, path or name. */
export function found(
  operations: readonly Operation[],
  words: readonly string[],
): readonly Operation[] {
  return operations.filter(({ group, title, method, path, id }) => {
    const text = [group.name, title, method, path, id].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
