/** Builds the OpenAPI 3.1 document from the routes' own schemas, in a stable order. */
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import type { DescribedRoute } from './described-route.ts';
import { operationIds } from './names.ts';
import { describeOperation } from './operation.ts';
import { CODES } from './refusals.ts';
import { COMPONENT, type JsonSchema, namedSchemas, SchemaBook } from './schemas.ts';
import { INFO, SECURITY_SCHEMES, TAGS } from './texts.ts';

export type Operation = ReturnType<ReturnType<typeof describeOperation>>;

const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'];
const REQUEST_ID = 'req_01kap5zr4w8q2m6t9v3x7c1d5f';

export async function makeDocument(routes: readonly DescribedRoute[]) {
  const book = new SchemaBook(await namedSchemas());
  const sorted = routes.toSorted(
    (a, b) => compare(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
  );
  const drafts = sorted.map((route) => ({ route, make: describeOperation(route, book) }));
  const read = book.read();
  const nameOf = operationIds(routes);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { route, make } of drafts) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = make(nameOf(route), read);
  }
  const used = new Set(routes.flatMap(({ schema }) => schema.tags ?? []));
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: '/', description: 'The router that serves this document.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sortedByName({ ...read.components, Error: errorSchema() }),
      responses: errorResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

export type OpenApi = Awaited<ReturnType<typeof makeDocument>>;

function errorSchema(): JsonSchema {
  const codes = [...CODES.values()].flat();
  return {
    type: 'object',
    description: 'The shape of every error, in the management API and on the data plane.',
    properties: {
      error: {
        type: 'object',
        properties: {
          message: { type: 'string', description: 'What is wrong, and how to fix it.' },
          type: { type: 'string', enum: [...new Set(codes.map((code) => REFUSALS[code].type))] },
          param: {
            type: ['string', 'null'],
            description: 'The path of the field that caused the error.',
          },
          code: { type: 'string', enum: codes },
        },
        required: ['message', 'type', 'param', 'code'],
        additionalProperties: false,
      },
      request_id: {
        type: 'string',
        description: 'The id of the request, as in the header `x-request-id`.',
      },
    },
    required: ['error', 'request_id'],
    additionalProperties: false,
  };
}

function errorResponses() {
  const statuses = [...CODES].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, codes]) => [
      `Error${status}`,
      {
        description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].message}`).join('\n\n'),
        headers: {
          'x-request-id': { description: 'The id of the request.', schema: { type: 'string' } },
          ...(codes.some((code) => REFUSALS[code].retry) && {
            'retry-after': {
              description: 'How many seconds to wait before a retry, when a retry can help.',
              schema: { type: 'integer' },
            },
          }),
        },
        content: {
          'application/json': {
            schema: { $ref: `${COMPONENT}Error` },
            examples: Object.fromEntries(codes.map((code) => [code, { value: errorOf(code) }])),
          },
        },
      },
    ]),
  );
}

function errorOf(code: RefusalCode) {
  const { message, type } = REFUSALS[code];
  return { error: { message, type, param: null, code }, request_id: REQUEST_ID };
}

function sortedByName<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => compare(a, b)));
}

/** Compares by code units, so that the order does not depend on the machine's locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
