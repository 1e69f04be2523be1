/**
 * The API's OpenAPI description, and validation of bodies against it by a third-party validator
 * (Ajv).
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Media = Readonly<{
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, unknown>>;
}>;

export type Parameter = Readonly<{
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, Readonly<{ value: unknown }>>>;
}>;

export type Response = Readonly<{
  $ref?: string;
  description?: string;
  content?: Readonly<Record<string, Media>>;
}>;

export type Operation = Readonly<{
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  security: readonly Readonly<Record<string, []>>[];
  'x-permission': string;
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ required: boolean; content: Readonly<Record<string, Media>> }>;
  responses: Readonly<Record<string, Response>>;
}>;

export type OpenApi = Readonly<{
  openapi: string;
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{
    schemas: Readonly<Record<string, JsonSchema>>;
    responses: Readonly<Record<string, Response>>;
    securitySchemes: JsonSchema;
  }>;
}>;

export type Described = Readonly<{ method: string; path: string; operation: Operation }>;

export function operationsOf({ paths }: OpenApi): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

export function resolveResponse({ components }: OpenApi, response: Response): Response {
  if (response.$ref === undefined) return response;
  return components.responses[response.$ref.split('/').at(-1) as string] as Response;
}

/** Validates values against schemas of the OpenAPI document. */
export class SchemaChecks {
  readonly #ajv: Ajv2020;
  readonly #compiled = new WeakMap<object, ValidateFunction>();

  constructor({ components }: OpenApi) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: false });
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'api:document', components });
  }

  /**
   * Returns what is wrong with `value`, or null when it matches. Throws when `schema` is not a
   * valid JSON Schema (2020-12).
   */
  faultOf(schema: JsonSchema, value: unknown): string | null {
    let validate = this.#compiled.get(schema);
    if (!validate) {
      validate = this.#ajv.compile(absolute(schema) as JsonSchema);
      this.#compiled.set(schema, validate);
    }
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }
}

/** Makes `$ref`s absolute, so that a schema can be compiled by itself. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? `api:document${inner}` : absolute(inner),
    ]),
  );
}
