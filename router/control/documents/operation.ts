/**
 * Describes one route as an OpenAPI operation: its name, who may call it, its input and its
 * responses.
 */
import { z } from 'zod';
import type { Access } from '../access/gate.ts';
import { PERMISSIONS } from '../permissions.ts';
import type { Answer, DescribedRoute } from './described-route.ts';
import { type Components, exampleOf } from './examples.ts';
import { errorsOf } from './refusals.ts';
import { type BookRead, COMPONENT, type JsonSchema, type SchemaBook } from './schemas.ts';
import { PARAMETERS } from './texts.ts';

const JSON_TYPE = 'application/json';

const SECURITY = {
  public: [],
  person: ['session', 'operatorToken'],
  operator: ['session', 'operatorToken'],
  organization: ['session', 'managementToken', 'operatorToken'],
} as const;

/** A part of the document that is built after the schema book has been read. */
type Later<Made> = (read: BookRead) => Made;

/**
 * Registers the operation's schemas in `book`, and returns a function that builds the operation.
 */
export function describeOperation(route: DescribedRoute, book: SchemaBook) {
  const { access, schema } = route;
  const kind = typeof access === 'object' ? 'organization' : access;
  const parameters = wantParameters(route, book);
  const requestBody = wantBody(route, book);
  const answers = wantAnswers(route, book);
  return (operationId: string, read: BookRead) => ({
    operationId,
    summary: schema.summary,
    description: [schema.description, needs(access)].filter(Boolean).join('\n\n'),
    tags: schema.tags,
    security: SECURITY[kind].map((scheme) => ({ [scheme]: [] })),
    'x-permission': typeof access === 'object' ? access.organization : access,
    ...parameters(read),
    ...requestBody(read),
    responses: { ...answers(read), ...errorResponses(route) },
  });
}

function wantParameters({ schema }: DescribedRoute, book: SchemaBook): Later<object> {
  const { params, querystring, headers } = schema;
  const path = params && book.want('input', params);
  const query = querystring && book.want('input', querystring);
  const header = headers && book.want('input', headers);
  if (!path && !query && !header) return () => ({});
  return (read) => ({
    parameters: [
      ...(path ? parametersOf('path', path(read), read.components) : []),
      ...(query ? parametersOf('query', query(read), read.components) : []),
      ...(header ? parametersOf('header', header(read), read.components) : []),
    ],
  });
}

function wantBody({ schema }: DescribedRoute, book: SchemaBook): Later<object> {
  const { body, consumes = [JSON_TYPE] } = schema;
  if (!body) return () => ({});
  const wanted = book.want('input', body);
  return (read) => {
    const content = Object.fromEntries(consumes.map((type) => [type, media(wanted(read), read)]));
    return { requestBody: { required: !body.safeParse(undefined).success, content } };
  };
}

function wantAnswers({ schema }: DescribedRoute, book: SchemaBook): Later<object> {
  const { produces = [JSON_TYPE] } = schema;
  // A response that is not JSON is text, and needs no schema of its own.
  const { response = schema.produces ? { 200: z.string() } : {} } = schema;
  const answers = Object.entries(response).map(([status, one]) => {
    const contents = contentsOf(one, produces).map(
      ([type, inner]) => [type, book.want('output', inner)] as const,
    );
    return { status, contents, description: one.description ?? DONE[status] ?? 'The response.' };
  });
  return (read) =>
    Object.fromEntries(
      answers.map(({ status, contents, description }) => {
        const content = contents.map(([type, wanted]) => [type, media(wanted(read), read)]);
        const hasBody = content.length > 0;
        return [status, { description, ...(hasBody && { content: Object.fromEntries(content) }) }];
      }),
    );
}

function contentsOf(one: Answer, produces: readonly string[]): (readonly [string, z.ZodType])[] {
  if (one instanceof z.ZodUndefined) return [];
  if (one instanceof z.ZodType) return produces.map((type) => [type, one]);
  return Object.entries(one.content).map(([type, { schema }]) => [type, schema]);
}

function errorResponses(route: DescribedRoute): object {
  const own = route.schema.response ?? {};
  const statuses = errorsOf(route).filter((status) => !(status in own));
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

const DONE: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work is done in the background.',
  204: 'Done. The response has no body.',
};

function media(schema: JsonSchema, { components }: BookRead) {
  return { schema, example: exampleOf(schema, components) };
}

function needs(access: Access): string {
  if (access === 'public') return 'Needs neither a session nor a token.';
  if (access === 'person') return 'For any signed-in person.';
  if (access === 'operator') return 'For operators of the platform.';
  const roles = PERMISSIONS[access.organization].map((role) => `\`${role}\``).join(', ');
  return `Needs the permission \`${access.organization}\` in the organization (${roles}), or an operator.`;
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  schema: JsonSchema,
  components: Components,
) {
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
