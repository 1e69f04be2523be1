/** One route as an operation of the document: its name, who may call it, what it takes and answers. */
import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import type { Access } from '../access/gate.ts';
import { PERMISSIONS } from '../permissions.ts';
import { type Components, exampleOf } from './examples.ts';
import { COMPONENT, type JsonSchema, type SchemaBook } from './schemas.ts';
import { PARAMETERS } from './texts.ts';

type Content = Readonly<{ content: Record<string, { schema: z.ZodType }> }>;

/** A route's own description of itself. */
type RouteSchema = Readonly<{
  summary?: string;
  description?: string;
  tags?: string[];
  hide?: boolean;
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
  consumes?: string[];
  produces?: string[];
  response?: Readonly<Record<number, (z.ZodType | Content) & { description?: string }>>;
}>;

export type DescribedRoute = Readonly<{
  method: string;
  /** As OpenAPI writes it: `/api/v1/keys/{key}`. */
  path: string;
  access: Access;
  action: string | null;
  schema: RouteSchema;
}>;

const READS = new Set(['GET', 'HEAD']);

/** Null: a route that the document does not have. */
export function describedRoute(route: RouteOptions, method: string): DescribedRoute | null {
  const { url, config = {} } = route;
  const schema = (route.schema ?? {}) as RouteSchema;
  if (config.access === undefined || schema.hide === true || method === 'HEAD') return null;
  const path = url.replace(/:(\w+)/g, '{$1}');
  return { method, path, access: config.access, action: config.action ?? null, schema };
}

const SECURITY = {
  public: [],
  person: ['session', 'operatorToken'],
  operator: ['session', 'operatorToken'],
  organization: ['session', 'managementToken', 'operatorToken'],
} as const;

/** Refusals of the data plane alone. */
const DATA_PLANE: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'context_length_exceeded',
  'missing_api_key',
  'invalid_api_key',
  'wrong_region',
  'insufficient_credit',
  'key_limit_reached',
  'engine_failed',
  'worker_lost',
  'no_worker',
  'workers_died',
  'overloaded',
  'shutting_down',
  'first_byte_timeout',
  'idle_timeout',
  'deadline_exceeded',
]);

/** The codes of this API by their status. */
export const CODES: ReadonlyMap<number, readonly RefusalCode[]> = Map.groupBy(
  (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => !DATA_PLANE.has(code)),
  (code) => REFUSALS[code].status,
);

/** With which errors a route answers: a public read knows nobody, and no read is in conflict with anything. */
function errorsOf({ method, path, access }: DescribedRoute): number[] {
  const isPublicRead = READS.has(method) && access === 'public';
  const never = new Set<number>();
  if (isPublicRead) for (const status of [401, 403]) never.add(status);
  if (READS.has(method)) for (const status of [402, 409, 429, 502]) never.add(status);
  if (READS.has(method) && !path.includes('{')) never.add(404);
  return [...CODES.keys()].filter((status) => !never.has(status)).toSorted((a, b) => a - b);
}

/** Says what the operation needs of `book`; what is returned makes the operation once the book is read. */
export function describeOperation(route: DescribedRoute, book: SchemaBook) {
  const { method, path, access, schema } = route;
  const id = `${method} ${path}`;
  const { params, querystring, body, response = {} } = schema;
  if (params) book.want('input', `${id} path`, params);
  if (querystring) book.want('input', `${id} query`, querystring);
  if (body) book.want('input', `${id} body`, body);
  const answers = Object.entries(response).map(([status, one]) => ({ status, ...answered(one) }));
  for (const { status, contents } of answers) {
    for (const [type, inner] of contents) book.want('output', `${id} ${status} ${type}`, inner);
  }
  type Read = ReturnType<SchemaBook['read']>;
  return (operationId: string, { schemaOf, components }: Read) => ({
    operationId,
    summary: schema.summary,
    description: [schema.description, needs(access)].filter(Boolean).join('\n\n'),
    tags: schema.tags,
    security: SECURITY[typeof access === 'object' ? 'organization' : access].map((scheme) => ({
      [scheme]: [],
    })),
    'x-permission': typeof access === 'object' ? access.organization : access,
    ...((params || querystring) && {
      parameters: [
        ...(params ? parametersOf('path', schemaOf('input', `${id} path`), components) : []),
        ...(querystring ? parametersOf('query', schemaOf('input', `${id} query`), components) : []),
      ],
    }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: Object.fromEntries(
          (schema.consumes ?? ['application/json']).map((type) => [
            type,
            media(schemaOf('input', `${id} body`), components),
          ]),
        ),
      },
    }),
    responses: {
      ...Object.fromEntries(
        answers.map(({ status, description, contents }) => [
          status,
          {
            description: description ?? DONE[status] ?? 'The answer.',
            ...(contents.length > 0 && {
              content: Object.fromEntries(
                contents.map(([type]) => [
                  type,
                  media(schemaOf('output', `${id} ${status} ${type}`), components),
                ]),
              ),
            }),
          },
        ]),
      ),
      ...Object.fromEntries(
        errorsOf(route)
          .filter((status) => !(status in response))
          .map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  });

  function answered(one: (z.ZodType | Content) & { description?: string }) {
    const { description } = one;
    if (!(one instanceof z.ZodType)) {
      const contents = Object.entries(one.content).map(
        ([type, { schema: inner }]) => [type, inner] as const,
      );
      return { description, contents };
    }
    const types = one instanceof z.ZodUndefined ? [] : (schema.produces ?? ['application/json']);
    return { description, contents: types.map((type) => [type, one] as const) };
  }
}

const DONE: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it is done in the background.',
  204: 'Done; there is nothing to say.',
};

function media(schema: JsonSchema, components: Components) {
  return { schema, example: exampleOf(schema, components) };
}

function needs(access: Access): string {
  if (access === 'public') return 'Anybody may ask.';
  if (access === 'person') return 'For whoever is signed in.';
  if (access === 'operator') return 'For operators of the platform.';
  const roles = PERMISSIONS[access.organization].map((role) => `\`${role}\``).join(', ');
  return `Needs the permission \`${access.organization}\` in the organization (${roles}), or an operator.`;
}

function parametersOf(place: 'path' | 'query', schema: JsonSchema, components: Components) {
  const object = schema.$ref ? (components[schema.$ref.slice(COMPONENT.length)] ?? {}) : schema;
  return Object.entries(object.properties ?? {}).map(([name, { description, ...inner }]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    description: description ?? PARAMETERS[name],
    schema: inner,
    example: exampleOf(inner, components, name),
  }));
}

/** From the action, or else from method and path: stable while a route stays where it is. */
export function operationIds(routes: readonly DescribedRoute[]): (route: DescribedRoute) => string {
  const actions = Map.groupBy(routes, ({ action }) => action);
  return (route) => {
    const { method, path, action } = route;
    const isAlone = actions.get(action)?.length === 1;
    return action !== null && isAlone ? nameOfAction(action) : nameOfPath(method, path);
  };
}

/** `key.create`: `createKey`. */
function nameOfAction(action: string): string {
  const words = action.split('.');
  return camel([words.at(-1) ?? '', ...words.slice(0, -1)]);
}

/** `GET /api/v1/organizations/{organization}/keys`: `getOrganizationKeys`. */
function nameOfPath(method: string, path: string): string {
  const segments = path.split('/').slice(3);
  const words = segments.flatMap((segment, at) => {
    const parameter = /^\{(\w+)\}$/.exec(segments[at + 1] ?? '')?.[1];
    if (segment.startsWith('{')) return [];
    if (parameter === undefined) return [segment];
    const one = singular(segment);
    // A noun that has no plural: one of it is called as its id is.
    return one === segment ? [segment, parameter] : [one];
  });
  return camel([method.toLowerCase(), ...words]);
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}

function camel(words: readonly string[]): string {
  const [first = '', ...rest] = words.flatMap((word) => word.split(/[^0-9A-Za-z]+/));
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
