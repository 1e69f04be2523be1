/** Reads JSON whose fields have not been checked yet. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Copies the named fields that are present and not null. */
export function pick(from: JsonObject, names: readonly string[]): Record<string, unknown> {
  const to: Record<string, unknown> = {};
  for (const name of names) {
    if (Object.hasOwn(from, name) && (from[name] ?? null) !== null) to[name] = from[name];
  }
  return to;
}

/** Returns the object in a field. Returns an empty object when there is none. */
export function inner(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isObject(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
