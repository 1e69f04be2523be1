/**
 * Makes a value that fits a JSON schema, as a model with constrained decoding would for a tool's
 * arguments. It respects types, enums, bounds and required properties. Strings come from the
 * prompt.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Any object that a client sent as a schema. Every access to it is checked. */
type Schema = Readonly<Record<string, Json>>;

/** The source of the values that the schema leaves open. */
export interface Wordings {
  /** Text for the property of this name. */
  text(name: string): string;
  /** A number from the prompt, if it has one that fits. */
  number(fits: (value: number) => boolean): number | null;
  /** Which of these the prompt mentions. */
  mentioned(options: readonly Json[]): Json | undefined;
}

const DEPTH_MAX = 12;
const ITEMS_MAX = 16;

export function fillSchema(schema: Json, words: Wordings): Json {
  const root = asSchema(schema);
  return fill(root, { root, words, name: '', depth: 0 });
}

interface Place {
  readonly root: Schema;
  readonly words: Wordings;
  readonly name: string;
  readonly depth: number;
}

function fill(given: Schema, place: Place): Json {
  if (place.depth > DEPTH_MAX) return null;
  const schema = resolved(given, place);
  if ('const' in schema) return schema['const'] ?? null;
  if (Array.isArray(schema['enum'])) {
    const options = schema['enum'];
    return place.words.mentioned(options) ?? options[0] ?? null;
  }
  if ('default' in schema) return schema['default'] ?? null;
  switch (typeOf(schema)) {
    case 'string':
      return fillString(schema, place);
    case 'integer':
      return fillNumber(schema, place.words, 1);
    case 'number':
      return fillNumber(schema, place.words, 0);
    case 'boolean':
      return true;
    case 'array':
      return fillArray(schema, place);
    case 'object':
      return fillObject(schema, place);
    default:
      return null;
  }
}

/** Follows references and picks the first choice that is more than null. */
function resolved(given: Schema, { root, depth }: Place): Schema {
  let schema = given;
  for (let hops = depth; hops <= DEPTH_MAX; hops++) {
    const reference = schema['$ref'];
    const choices = [schema['anyOf'], schema['oneOf']].find(Array.isArray)?.map(asSchema);
    if (typeof reference === 'string') schema = lookUp(root, reference);
    else if (choices?.[0]) {
      schema = choices.find((choice) => choice['type'] !== 'null') ?? choices[0];
    } else if (Array.isArray(schema['allOf'])) {
      const { allOf, ...rest } = schema;
      schema = merged([rest, ...allOf.map(asSchema)]);
    } else break;
  }
  return schema;
}

function merged(schemas: readonly Schema[]): Schema {
  const required = schemas.flatMap((schema) => strings(schema['required']));
  const properties = Object.assign({}, ...schemas.map((schema) => asSchema(schema['properties'])));
  return { ...Object.assign({}, ...schemas), properties, required };
}

function lookUp(root: Schema, reference: string): Schema {
  let at = root;
  for (const key of reference.split('/').slice(1)) {
    at = asSchema(at[key.replaceAll('~1', '/').replaceAll('~0', '~')]);
  }
  return at;
}

function typeOf(schema: Schema): string {
  const { type } = schema;
  const types = typeof type === 'string' ? [type] : strings(type);
  const named = types.find((name) => name !== 'null') ?? types[0];
  if (named !== undefined) return named;
  if ('items' in schema) return 'array';
  return 'properties' in schema || 'required' in schema ? 'object' : 'string';
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  time: '09:30:00Z',
  'date-time': '2026-01-15T09:30:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '3f1c7a52-9d0e-4b6a-8c21-5e7f90a1b2c3',
  ipv4: '192.0.2.1',
};

function fillString(schema: Schema, { words, name }: Place): string {
  const { format } = schema;
  const formatted = typeof format === 'string' ? FORMATS[format] : undefined;
  if (formatted !== undefined) return formatted;
  const least = bound(schema, 'minLength') ?? 0;
  return words
    .text(name)
    .padEnd(least, 'x')
    .slice(0, bound(schema, 'maxLength') ?? Infinity);
}

function fillNumber(schema: Schema, words: Wordings, unit: 0 | 1): number {
  const step = bound(schema, 'multipleOf') ?? unit;
  const [above, below] = [bound(schema, 'exclusiveMinimum'), bound(schema, 'exclusiveMaximum')];
  const [least, most] = [bound(schema, 'minimum'), bound(schema, 'maximum')];
  const fits = (value: number): boolean =>
    (step === 0 || Number.isInteger(value / step)) &&
    value >= (least ?? -Infinity) &&
    value <= (most ?? Infinity) &&
    value > (above ?? -Infinity) &&
    value < (below ?? Infinity);
  const said = words.number(fits);
  if (said !== null) return said;
  const onGrid = (value: number): number => (step === 0 ? value : Math.ceil(value / step) * step);
  const grain = step || 0.5;
  const candidates = [1, least, most, (above ?? 0) + grain, (below ?? 0) - grain].map((value) =>
    onGrid(value ?? 0),
  );
  return candidates.find(fits) ?? least ?? 1;
}

function fillArray(schema: Schema, place: Place): Json[] {
  const least = Math.max(1, bound(schema, 'minItems') ?? 1);
  const length = Math.min(least, bound(schema, 'maxItems') ?? least, ITEMS_MAX);
  const items = asSchema(schema['items'] ?? { type: 'string' });
  return Array.from({ length }, () => fill(items, { ...place, depth: place.depth + 1 }));
}

/** Fills the required properties, or all of them if none is required. */
function fillObject(schema: Schema, place: Place): { [key: string]: Json } {
  const properties = asSchema(schema['properties']);
  const required = strings(schema['required']);
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, ITEMS_MAX);
  return Object.fromEntries(
    names.map((name) => [
      name,
      fill(asSchema(properties[name]), { ...place, name, depth: place.depth + 1 }),
    ]),
  );
}

function bound(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function asSchema(value: Json | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
