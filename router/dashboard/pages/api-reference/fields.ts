/** The fields of bodies, answers and parameters, as the reference lists them. */
import { type OpenApi, type Parameter, resolved, type Schema } from './document.ts';

export type Field = Readonly<{
  name: string;
  /** In words, such as "list of strings". */
  type: string;
  required: boolean;
  nullable: boolean;
  description: string | null;
  /** The only values that are allowed, as JSON without quotes. */
  values: readonly string[];
  /** As JSON; null if there is none. */
  initial: string | null;
  /** The limits of the value in words, such as "1 to 1000"; null if there are none. */
  limits: string | null;
  /** The objects in the field: several if it is one of several. */
  nested: readonly Nested[];
}>;

/** An object in a field. Its fields are made when it is opened: objects may contain themselves. */
export type Nested = Readonly<{ title: string | null; fields: () => readonly Field[] }>;

/** Returns the fields of an object; of a list, those of its elements. */
export function fieldsOf(schema: Schema, document: OpenApi): readonly Field[] {
  const [only, ...others] = nestedOf(schema, document);
  return only && others.length === 0 ? only.fields() : [];
}

export function fieldOfParameter(parameter: Parameter, document: OpenApi): Field {
  const { name, required, schema, description } = parameter;
  return fieldOf(name, { ...schema, ...(description && { description }) }, required, document);
}

function fieldOf(name: string, given: Schema, required: boolean, document: OpenApi): Field {
  const schema = resolved(given, document);
  const { present, nullable } = withoutNull(schema);
  const inner = present.length === 1 && present[0] ? resolved(present[0], document) : schema;
  const values = valuesOf(inner.items ? resolved(inner.items, document) : inner);
  const initial = schema.default ?? inner.default;
  return {
    name,
    type: typeOf(schema, document),
    required,
    nullable,
    description: schema.description ?? inner.description ?? null,
    values,
    initial: initial === undefined ? null : JSON.stringify(initial),
    limits: values.length > 0 ? null : limitsOf(inner),
    nested: nestedOf(schema, document),
  };
}

/** The alternatives of a schema that are not null, and whether null is one, too. */
function withoutNull(schema: Schema) {
  const all = schema.anyOf ?? schema.oneOf ?? [schema];
  const present = all.filter(({ type }) => type !== 'null');
  const nullable = present.length < all.length || [schema.type].flat().includes('null');
  return { present, nullable };
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  date: 'date',
  email: 'email address',
  uri: 'URL',
};

const PLURALS: Readonly<Record<string, string>> = {
  'email address': 'email addresses',
  'list of strings': 'lists of strings',
};

/** Returns the type in words, without null. */
export function typeOf(given: Schema, document: OpenApi): string {
  const schema = resolved(given, document);
  if (schema.anyOf ?? schema.oneOf) {
    const { present } = withoutNull(schema);
    return [...new Set(present.map((one) => typeOf(one, document)))].join(' or ');
  }
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types.length > 1) return types.join(' or ');
  const [type = 'any value'] = types;
  if (type === 'array') return `list of ${plural(typeOf(schema.items ?? {}, document))}`;
  if (type === 'object' && typeof schema.additionalProperties === 'object') {
    return `map of ${plural(typeOf(schema.additionalProperties, document))}`;
  }
  return (schema.format !== undefined && FORMATS[schema.format]) || type;
}

function plural(type: string): string {
  return type
    .split(' or ')
    .map((one) => PLURALS[one] ?? `${one}s`)
    .join(' or ');
}

function valuesOf(schema: Schema): readonly string[] {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return values.map(String);
}

function limitsOf(schema: Schema): string | null {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  // The largest number that every client can read is no limit worth a word.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return (
    range(least, most, '') ??
    range(minLength, maxLength, ' characters') ??
    range(minItems, maxItems, ' values')
  );
}

function range(least: number | undefined, most: number | undefined, unit: string): string | null {
  const shown = (value: number) => value.toLocaleString('en');
  if (most !== undefined && least !== undefined && least > 0) {
    return `${shown(least)} to ${shown(most)}${unit}`;
  }
  if (most !== undefined) return `At most ${shown(most)}${unit}`;
  if (least !== undefined && least > 0) return `At least ${shown(least)}${unit}`;
  return null;
}

function nestedOf(given: Schema, document: OpenApi): readonly Nested[] {
  const schema = resolved(given, document);
  if (schema.items) return nestedOf(schema.items, document);
  if (typeof schema.additionalProperties === 'object') {
    return nestedOf(schema.additionalProperties, document);
  }
  if (schema.anyOf ?? schema.oneOf) {
    const all = withoutNull(schema).present.flatMap((one) => nestedOf(one, document));
    return all.length === 1 ? all : all.map((one, at) => ({ ...one, title: titleOf(one, at) }));
  }
  const { properties, required = [] } = schema;
  if (!properties) return [];
  const fields = () =>
    Object.entries(properties).map(([name, one]) =>
      fieldOf(name, one, required.includes(name), document),
    );
  return [{ title: null, fields }];
}

/** An alternative is told apart by the field that has only one value, as in `type: prepaid`. */
function titleOf({ fields }: Nested, at: number): string {
  const tag = fields().find(({ values }) => values.length === 1);
  return tag ? `${tag.name}: ${tag.values[0]}` : `Alternative ${at + 1}`;
}
