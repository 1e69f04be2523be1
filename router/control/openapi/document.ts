/**
 * Completes the OpenAPI document with what @fastify/swagger cannot take from a route: the example
 * of a body whose schema is a component, references to the error responses that all operations
 * share, and descriptions of fields that many objects have.
 */
import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { exampleOf } from './examples.ts';
import { describeFields } from './field-texts.ts';
import { errorReferences } from './refusals.ts';
import { type JsonSchema, tidyComponents } from './schemas.ts';

type Body = { content?: Record<string, { schema: JsonSchema; example?: unknown }> };
type Operation = {
  'x-permission': string;
  requestBody?: Body & { required?: boolean };
  responses: Record<string, Body & { description?: string; $ref?: string }>;
};
type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** @fastify/swagger's description of a response whose schema has none. */
const UNDESCRIBED = 'Default Response';

/** Our descriptions of responses whose route gives none. */
const DONE: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work is done in the background.',
  204: 'Done. The response has no body.',
};

export const completeDocument: SwaggerTransformObject = (given) => {
  const { paths, ...document } = tidyComponents(jsonSchemaTransformObject(given) as OpenApi);
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) describeFields(schema, name, schemas);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { requestBody = {}, responses } = operation;
      describeOptional(requestBody);
      for (const [status, response] of Object.entries(responses)) {
        if (response.description === UNDESCRIBED) {
          response.description = DONE[status] ?? 'The response.';
        }
      }
      for (const { content = {} } of [requestBody, ...Object.values(responses)]) {
        for (const media of Object.values(content)) {
          media.example = exampleOf(media.schema, schemas);
        }
      }
      const isPublic = operation['x-permission'] === 'public';
      operation.responses = { ...errorReferences(method, path, isPublic), ...responses };
    }
  }
  const sorted = Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...document, paths: Object.fromEntries(sorted) };
};

/** A route whose body may be left out gets null for it, which clients do not send. */
function describeOptional(body: NonNullable<Operation['requestBody']>): void {
  for (const media of Object.values(body.content ?? {})) {
    const given = media.schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    const [only, ...others] = given;
    if (only === undefined || others.length > 0) continue;
    media.schema = only;
    body.required = false;
  }
}
