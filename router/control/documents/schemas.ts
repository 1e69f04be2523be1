/**
 * Converts the routes' zod schemas to JSON Schema. Each object and discriminated union that
 * `shared/api` exports becomes a component, so that generated clients use the same names as this
 * code.
 */
import { readdir } from 'node:fs/promises';
import { z } from 'zod';

export type JsonSchema = {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  examples?: unknown[];
};

/** `input`: as a client sends it. `output`: as the API answers it. */
type Direction = 'input' | 'output';

/** The converted schemas: the components in use, and each schema that a route uses. */
export type BookRead = Readonly<{
  schemaOf: (direction: Direction, id: string) => JsonSchema;
  components: Record<string, JsonSchema>;
}>;

export const COMPONENT = '#/components/schemas/';
/** No TypeScript identifier begins with this character, so it marks schemas without a name. */
const UNNAMED = '#';
const API = new URL('../../../shared/api/', import.meta.url);

/**
 * The schemas that `shared/api` exports, by name. A new file there is found without a change here.
 * Throws when two different schemas have the same name.
 */
export async function namedSchemas(): Promise<ReadonlyMap<string, z.ZodType>> {
  const named = new Map<string, z.ZodType>();
  for (const file of (await readdir(API)).toSorted()) {
    const exported = (await import(new URL(file, API).href)) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported)) {
      if (!isComponent(schema)) continue;
      const other = named.get(name);
      if (other !== undefined && other !== schema) {
        throw new Error(`two schemas of shared/api are called ${name}`);
      }
      named.set(name, schema);
    }
  }
  return named;
}

/**
 * Objects and discriminated unions become named components. Other schemas are inlined where they
 * are used.
 */
function isComponent(value: unknown): value is z.ZodType {
  if (!(value instanceof z.ZodType)) return false;
  return value instanceof z.ZodObject || value instanceof z.ZodDiscriminatedUnion;
}

/** Collects the schemas of all routes, and then converts them to JSON Schema together. */
export class SchemaBook {
  readonly #registries = {
    input: z.registry<{ id: string }>(),
    output: z.registry<{ id: string }>(),
  };
  readonly #wanted = { input: new Set<string>(), output: new Set<string>() };
  readonly #named: ReadonlyMap<string, z.ZodType>;

  constructor(named: ReadonlyMap<string, z.ZodType>) {
    this.#named = named;
    for (const [id, schema] of named) {
      this.#registries.input.add(schema, { id });
      this.#registries.output.add(schema, { id });
    }
  }

  /**
   * Registers a schema. The returned function gives its JSON Schema once the book has been read.
   */
  want(direction: Direction, schema: z.ZodType): (read: BookRead) => JsonSchema {
    const registry = this.#registries[direction];
    const id = registry.get(schema)?.id ?? `${UNNAMED}${this.#wanted[direction].size}`;
    if (!registry.has(schema)) registry.add(schema, { id });
    this.#wanted[direction].add(id);
    return (read) => read.schemaOf(direction, id);
  }

  read(): BookRead {
    const made = { input: this.#convert('input'), output: this.#convert('output') };
    const used = {
      input: this.#used('input', made.input),
      output: this.#used('output', made.output),
    };
    // A schema whose input and output forms differ, and which is used for both, becomes two
    // components.
    const nameIn: Record<Direction, (name: string) => string> = {
      output: (name) => name,
      input: (name) => {
        const same = JSON.stringify(made.input[name]) === JSON.stringify(made.output[name]);
        return used.output.has(name) && !same ? `${name}Input` : name;
      },
    };
    const components: Record<string, JsonSchema> = {};
    for (const direction of ['input', 'output'] as const) {
      const nameOf = nameIn[direction];
      for (const name of used[direction]) {
        components[nameOf(name)] = renameReferences(made[direction][name] as JsonSchema, nameOf);
      }
    }
    return {
      components,
      schemaOf: (direction, id) =>
        this.#named.has(id)
          ? { $ref: COMPONENT + nameIn[direction](id) }
          : renameReferences(made[direction][id] as JsonSchema, nameIn[direction]),
    };
  }

  /** The names of the components that the wanted schemas refer to, directly or not. */
  #used(direction: Direction, made: Readonly<Record<string, JsonSchema>>): ReadonlySet<string> {
    const used = new Set<string>();
    const visit = (name: string): string => {
      if (used.has(name)) return name;
      if (this.#named.has(name)) used.add(name);
      renameReferences(made[name] as JsonSchema, visit);
      return name;
    };
    for (const id of this.#wanted[direction]) visit(id);
    return used;
  }

  #convert(direction: Direction): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registries[direction], {
      io: direction,
      uri: (id) => COMPONENT + id,
      // Refinements cannot be expressed; the schema's own description states them.
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, direction),
    });
    for (const schema of Object.values(schemas as Record<string, JsonSchema>)) {
      delete schema['$schema'];
      delete schema['$id'];
    }
    return schemas as Record<string, JsonSchema>;
  }
}

/**
 * Removes redundant keywords: the safe-integer bounds of output integers, and patterns that only
 * restate a format.
 */
function tidy(schema: JsonSchema, direction: Direction): void {
  if (direction === 'output') {
    if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
    if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  }
  const { format, pattern } = schema as { format?: string; pattern?: string };
  if (format !== undefined) delete schema['pattern'];
  // Not every reader's regular expressions support Unicode property classes.
  else if (pattern) schema['pattern'] = pattern.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f');
}

function renameReferences(schema: JsonSchema, nameOf: (name: string) => string): JsonSchema {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string' && inner.startsWith(COMPONENT)
          ? COMPONENT + nameOf(inner.slice(COMPONENT.length))
          : map(inner),
      ]),
    );
  };
  return map(schema) as JsonSchema;
}
