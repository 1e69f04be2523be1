/** The OpenAPI document as the router serves it, as far as the reference reads it. */
import { queryOptions } from '@tanstack/react-query';

export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}>;

export type Media = Readonly<{
  schema: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, Readonly<{ value: unknown }>>>;
}>;

export type Parameter = Readonly<{
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}>;

export type Answer = Readonly<{
  $ref?: string;
  description?: string;
  content?: Readonly<Record<string, Media>>;
}>;

export type DescribedOperation = Readonly<{
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ content?: Readonly<Record<string, Media>> }>;
  responses: Readonly<Record<string, Answer>>;
  'x-permission': string;
}>;

export type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  components: Readonly<{
    schemas: Readonly<Record<string, Schema>>;
    responses: Readonly<Record<string, Answer>>;
  }>;
}>;

/** The router describes itself, so the reference is that of its version. */
export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }): Promise<OpenApi> => {
    const answer = await fetch('/api/openapi.json', { signal });
    if (!answer.ok) throw new Error('The description of the API could not be loaded.');
    return (await answer.json()) as OpenApi;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the component that a schema refers to, or the schema itself. */
export function resolved(schema: Schema, document: OpenApi): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const { description } = schema;
  const component = document.components.schemas[name] ?? {};
  return description === undefined ? component : { ...component, description };
}
