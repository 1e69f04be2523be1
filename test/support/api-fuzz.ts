/**
 * Generates requests for an operation of the API's description: valid requests, almost valid ones,
 * and ones that no client would send.
 */
import fc from 'fast-check';
import { fillPath } from './api-samples.ts';
import type { JsonSchema, OpenApi, Operation, Parameter } from './api-schemas.ts';
import type { Rig } from '../router/control/rig.ts';

type Schemas = OpenApi['components']['schemas'];

export type FuzzedRequest = Readonly<{
  query: readonly (readonly [name: string, value: string])[];
  /** Undefined: the request has no body. */
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
  /** Odd ids for the path. Null: ids of objects that exist. */
  ids: readonly string[] | null;
}>;

/** Unusual text that somebody might paste. */
const ODD_TEXT = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\ud800',
  '\u202e\u0007\n\r\t',
  "'; drop table people; --",
  '<script>alert(1)</script>',
  '${jndi:ldap://x}',
  '../../etc/passwd',
  'null',
  '-1',
  '1e400',
  '0x10',
  'Ａcme',
  'x'.repeat(70_000),
);

const ODD_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  ODD_TEXT,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    0.1,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    JSON.parse('{"__proto__":{"x":1}}'),
    nested(2_000),
  ),
  fc.jsonValue(),
);

const ODD_KEY = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'organization',
  'role',
  'operator',
  '\0',
  '$where',
);

const ODD_BODY = fc.oneof(
  fc.constantFrom('', '{', 'null', '[]', '"x"', '1', '{"a":1,"a":2}', '\ufeff{}', '{}{}', 'a=b'),
  fc.constantFrom('['.repeat(50_000), `{"name":${'"x'.repeat(10)}`, ' '.repeat(10_000)),
  fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

const ODD_HEADERS: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': ';;' },
      { 'content-type': `multipart/form-data; boundary=${'x'.repeat(500)}` },
      { 'content-encoding': 'gzip' },
      { accept: 'text/html' },
      { accept: 'image/png;q=0, */*;q=broken' },
      { 'accept-encoding': 'br, nonsense' },
      { 'idempotency-key': 'x'.repeat(5_000) },
      { 'idempotency-key': "'\u00ff" },
      { 'if-none-match': '*' },
      { range: 'bytes=0-' },
      { 'x-forwarded-for': "203.0.113.9, '; drop table audit" },
      { 'x-forwarded-host': 'evil.example' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-request-id': 'req_mine' },
      { 'user-agent': '' },
      { 'user-agent': 'x'.repeat(5_000) },
    ),
  },
);

/** Odd path segments, to be encoded. None is `.` or `..`, which a client would resolve. */
const ODD_ID = fc
  .oneof(ODD_TEXT, fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }))
  .map((text) => text.slice(0, 100).toWellFormed())
  .filter((text) => text !== '' && !/^\.+$/.test(text));

export function requestsOf(operation: Operation, { components }: OpenApi) {
  const { parameters = [], requestBody } = operation;
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  const paths = parameters.filter((one) => one.in === 'path');
  return fc.record<FuzzedRequest>({
    query: queryOf(
      parameters.filter((one) => one.in === 'query'),
      components.schemas,
    ),
    body: media ? bodyOf(media.schema, components.schemas) : mostly(undefined, ODD_BODY),
    headers: ODD_HEADERS.map((headers) => ({
      'content-type': type ?? 'application/json',
      ...headers,
    })),
    ids: mostly(null, fc.tuple(...paths.map(() => ODD_ID))),
  });
}

function mostly<Usual, Odd>(usual: Usual, odd: fc.Arbitrary<Odd>): fc.Arbitrary<Usual | Odd> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });
}

/** Returns the request's path: with ids of existing objects, or with the request's odd ids. */
export async function pathOf(
  rig: Rig,
  path: string,
  organization: string,
  { ids, query }: FuzzedRequest,
): Promise<string> {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const ending = query.length > 0 ? `?${search.toString()}` : '';
  if (ids === null) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    return (await fillPath(rig, url, { organization, owner: organization, which: 'own' })) + ending;
  }
  let at = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++] ?? 'x')) + ending;
}

function queryOf(parameters: readonly Parameter[], schemas: Schemas) {
  const asked = parameters.map(({ name, schema }) =>
    fc
      .oneof({ weight: 3, arbitrary: valid(schema, schemas) }, { weight: 1, arbitrary: ODD_TEXT })
      // A parameter with several values is repeated.
      .map((values) =>
        [values].flat().map((value): [string, string] => {
          return [name, String(value).slice(0, 2_000).toWellFormed()];
        }),
      ),
  );
  const needed = asked.filter((_, at) => parameters[at]?.required);
  const odd = fc.tuple(
    fc.oneof(ODD_KEY, fc.constantFrom('limit', 'limit[]', 'after')),
    ODD_TEXT.map((text) => text.slice(0, 2_000).toWellFormed()),
  );
  const some = asked.length > 0 ? fc.oneof(...asked) : odd.map((one) => [one]);
  return fc
    .tuple(
      fc.option(fc.tuple(...needed), { nil: [], freq: 8 }),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        {
          weight: 3,
          arbitrary: fc.array(some, { minLength: 1, maxLength: 3 }).map((of) => of.flat()),
        },
        { weight: 1, arbitrary: fc.array(odd, { minLength: 1, maxLength: 2 }) },
      ),
    )
    .map(([always, rest]) => [...always.flat(), ...rest]);
}

function bodyOf(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<string> {
  const whole = valid(schema, schemas);
  return fc.oneof(
    { weight: 5, arbitrary: whole.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: nearly(whole).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: ODD_BODY },
  );
}

type Spoiled = Record<string, unknown>;

/** Makes one thing wrong: a field has another type, is missing, or is extra. */
function nearly(whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(whole, fc.nat(), fc.constantFrom('replace', 'drop', 'add'), ODD_KEY, ODD_VALUE)
    .map(([value, at, how, key, odd]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return odd;
      const names = Object.keys(value);
      const name = names[at % Math.max(1, names.length)];
      const entries = Object.entries(value as Spoiled).filter(([one]) => one !== name);
      if (how === 'drop') return Object.fromEntries(entries);
      if (how === 'replace' && name !== undefined)
        return Object.fromEntries([...entries, [name, odd]]);
      const added: Spoiled = { ...value };
      Object.defineProperty(added, key, { value: odd, enumerable: true });
      return added;
    });
}

function valid(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  if (typeof schema['$ref'] === 'string') {
    return valid(schemas[schema['$ref'].split('/').at(-1) as string] as JsonSchema, schemas);
  }
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum']);
  const either = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (either) return fc.oneof(...either.map((one) => valid(one, schemas)));
  const types = [schema['type'] ?? 'any'].flat() as string[];
  return fc.oneof(...types.map((type) => (BY_TYPE[type] ?? any)(schema, schemas)));
}

type Make = (schema: JsonSchema, schemas: Schemas) => fc.Arbitrary<unknown>;

const any: Make = () => fc.jsonValue();

const BY_TYPE: Readonly<Record<string, Make>> = {
  object: (schema, schemas) => {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
    const required = new Set((schema['required'] ?? []) as string[]);
    const made = properties.map(([name, inner]) => [name, valid(inner, schemas)] as const);
    return fc.record(Object.fromEntries(made), {
      requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)),
    });
  },
  array: (schema, schemas) =>
    fc.array(schema['items'] ? valid(schema['items'] as JsonSchema, schemas) : fc.jsonValue(), {
      maxLength: Number(schema['maxItems'] ?? 4),
    }),
  string: ({ pattern, format, minLength = 0, maxLength = 60 }) => {
    if (format === 'date-time')
      return fc.date({ noInvalidDate: true }).map((at) => at.toISOString());
    if (format === 'date') {
      const days = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) });
      return days.map((at) => at.toISOString().slice(0, 10));
    }
    if (format === 'email') return fc.emailAddress();
    if (format === 'uri') return fc.webUrl();
    const lengths = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 200) };
    const fits = (text: string) =>
      text.length >= lengths.minLength && text.length <= Number(maxLength);
    if (typeof pattern !== 'string') return fc.string({ unit: 'grapheme', ...lengths });
    // fast-check does not generate text for negative lookaheads, so the results are filtered
    // afterwards.
    const loose = new RegExp(pattern.replace(/\(\?![^$]*\$\)/, ''), 'u');
    const whole = new RegExp(pattern, 'u');
    return fc
      .stringMatching(loose, { size: '-1' })
      .filter((text) => fits(text) && whole.test(text));
  },
  integer: ({ minimum, maximum, exclusiveMinimum }) =>
    fc.integer({
      min: Number(
        minimum ?? (exclusiveMinimum === undefined ? -100 : Number(exclusiveMinimum) + 1),
      ),
      max: Math.min(Number(maximum ?? 2 ** 31 - 1), 2 ** 31 - 1),
    }),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
};

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
