/**
 * Finds text that is not well-formed Unicode. It cannot be written as UTF-8, and some engines fail
 * on it with a 500.
 */

export type Path = readonly (string | number)[];

/**
 * The path of the first string with a lone surrogate; for a key with one, the path of its object.
 * Null when there is none.
 */
export function findIllFormed(value: unknown): Path | null {
  const path: (string | number)[] = [];
  return visit(value, path) ? null : path;
}

/** Returns false at the first fault, with `path` leading to it. The depth was checked before. */
function visit(value: unknown, path: (string | number)[]): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item, index) => visitAt(item, index, path));
  return Object.entries(value).every(
    ([key, item]) => key.isWellFormed() && visitAt(item, key, path),
  );
}

function visitAt(value: unknown, key: string | number, path: (string | number)[]): boolean {
  path.push(key);
  if (!visit(value, path)) return false;
  path.pop();
  return true;
}
