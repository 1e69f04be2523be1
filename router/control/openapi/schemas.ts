/**
 * The components of the OpenAPI document: each object and discriminated union that `shared/api`
 * exports, so that generated clients use the same names as this code.
 */
import { readdir } from 'node:fs/promises';
import { z } from 'zod';

export type JsonSchema = {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  examples?: unknown[];
};

export const COMPONENT = '#/components/schemas/';
const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;
const API = new URL('../../../shared/api/', import.meta.url);

/**
 * Gives the schemas that `shared/api` exports their names. A new file there is found without a
 * change here. Throws when two different schemas have the same name.
 */
export async function nameSchemas(): Promise<void> {
  const named = new Map<string, z.ZodType>();
  for (const file of await readdir(API)) {
    const exported = (await import(new URL(file, API).href)) as Record<string, unknown>;
    for (const [id, schema] of Object.entries(exported)) {
      if (!(schema instanceof z.ZodObject || schema instanceof z.ZodDiscriminatedUnion)) continue;
      if (id.endsWith('Input')) throw new Error(`${id}: the library uses this ending itself`);
      if ((named.get(id) ?? schema) !== schema) {
        throw new Error(`two schemas of shared/api are called ${id}`);
      }
      named.set(id, schema);
    }
  }
  for (const [id, schema] of named) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  }
}

type WithComponents = { components: { schemas: Record<string, JsonSchema> } };

/**
 * Keeps the components that are in use, and removes redundant keywords. The library makes two
 * components of each schema: `<Name>` as the API answers it, and `<Name>Input` as a client sends
 * it. The latter name stays only when both forms are in use.
 */
export function tidyComponents<Document extends WithComponents>(document: Document): Document {
  const { schemas, ...others } = document.components;
  const used = referencesOf({ ...document, components: others }, schemas);
  const nameOf = (name: string): string => {
    const output = name.replace(/Input$/, '');
    return used.has(output) ? name : output;
  };
  const kept = [...used].toSorted().map((name) => {
    const schema = schemas[name] as JsonSchema;
    return [nameOf(name), name.endsWith('Input') ? schema : withoutSafeBounds(schema)] as const;
  });
  const components = { ...others, schemas: Object.fromEntries(kept) };
  const text = JSON.stringify({ ...document, components }).replaceAll(
    REFERENCE,
    (_, name: string) => `"${COMPONENT}${nameOf(name)}"`,
  );
  return JSON.parse(text, (key, value) => {
    // A format says the same as its pattern.
    if (typeof value?.format === 'string') delete value.pattern;
    if (key !== 'pattern' || typeof value !== 'string') return value;
    // Not every reader's regular expressions support Unicode property classes.
    return value.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f');
  });
}

/** The names of the components to which `value` refers, directly or not. */
function referencesOf(
  value: unknown,
  schemas: Record<string, JsonSchema>,
  found = new Set<string>(),
) {
  for (const [, name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
    if (found.has(name)) continue;
    found.add(name);
    referencesOf(schemas[name], schemas, found);
  }
  return found;
}

/** An output integer is always safe. */
function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value,
  );
}
