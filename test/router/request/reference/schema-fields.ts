/** The fields of a request's schema, as the pages of the reference list them. */
import { z } from 'zod';

export type SchemaField = Readonly<{ name: string; type: string; required: boolean }>;

type Value = string | number | boolean | null;

type JsonSchema = Readonly<{
  type?: string | readonly string[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  enum?: readonly Value[];
  const?: Value;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  minItems?: number;
}>;

/** Returns the fields of an object and of the objects in it: `reasoning.effort`. */
export function fieldsOf(schema: z.ZodType): readonly SchemaField[] {
  // Schemas that the management API has named would be references. No names are in this registry.
  const metadata = z.registry<Record<string, never>>();
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata });
  return within(made as JsonSchema, '');
}

function within(schema: JsonSchema, prefix: string): SchemaField[] {
  const options = optionsOf(schema).filter(({ properties }) => properties !== undefined);
  const names = [...new Set(options.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.flatMap((name) => {
    const found = options.flatMap(({ properties = {} }) => properties[name] ?? []);
    const member = { anyOf: found };
    const required = options.every((one) => one.required?.includes(name) === true);
    const path = prefix + name;
    return [{ name: path, type: typeOf(member), required }, ...within(member, `${path}.`)];
  });
}

/** The kinds of value that a schema allows, without null. */
function optionsOf(schema: JsonSchema): readonly JsonSchema[] {
  const inner = schema.anyOf ?? schema.oneOf;
  if (inner) return inner.flatMap(optionsOf);
  const types = [schema.type].flat().filter((type) => type !== 'null');
  return schema.type === undefined
    ? [schema]
    : types.flatMap((type) => (type === undefined ? [] : [{ ...schema, type }]));
}

function typeOf(schema: JsonSchema): string {
  const options = optionsOf(schema);
  const values = [...new Set(options.flatMap(valuesOf))];
  const kinds = new Set(options.filter((one) => valuesOf(one).length === 0).map(kindOf));
  if (kinds.has('list')) kinds.delete('list, not empty');
  return [...(values.length > 0 ? [values.join(', ')] : []), ...kinds].join(', or ');
}

/** The values that are allowed, if only certain ones are. */
function valuesOf(schema: JsonSchema): readonly string[] {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return values.filter((value) => value !== null).map((value) => `\`${String(value)}\``);
}

function kindOf(schema: JsonSchema): string {
  const kind = [schema.type ?? 'any'].flat().join();
  switch (kind) {
    case 'integer':
    case 'number':
      return numberType(schema);
    case 'array':
      return listType(schema);
    case 'string':
      return 'text';
    default:
      return kind;
  }
}

/** Integers of JSON are bounded by what JavaScript keeps exactly, which nobody needs to know. */
function numberType({ type, minimum, maximum }: JsonSchema): string {
  const from = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum;
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (from !== null && to !== null) return `${String(type)}, ${from} to ${to}`;
  return from === null ? String(type) : `${String(type)}, at least ${from}`;
}

function listType({ minItems, maxItems }: JsonSchema): string {
  if (maxItems === undefined) return minItems === undefined ? 'list' : 'list, not empty';
  return minItems === maxItems ? `list of ${maxItems}` : `list of at most ${maxItems}`;
}
