/**
 * The API's OpenAPI description: complete, consistent with the routes, and identical to the
 * committed file.
 */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PERMISSIONS } from '../../../router/control/permissions.ts';
import { ROLES } from '../../../shared/api/roles.ts';
import { REFUSALS } from '../../../shared/refusals.ts';
import {
  type Described,
  type OpenApi,
  operationsOf,
  resolveResponse,
  SchemaChecks,
} from '../../support/api-schemas.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const COMMITTED = new URL('../../../docs/openapi.json', import.meta.url).pathname;

let document: OpenApi;
let operations: Described[];
beforeAll(async () => {
  document = (await rig.ask('GET', '/api/openapi.json', undefined, { authorization: '' })).body;
  operations = operationsOf(document);
});

/** The names of the operations that fail a check, so that one failure shows all of them. */
const failing = (holds: (described: Described) => boolean) =>
  operations.filter((one) => !holds(one)).map(({ method, path }) => `${method} ${path}`);

test('docs/openapi.json is what the router says; `vitest run --update` writes it anew', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(COMMITTED);
});

test('it has every route of the API, and no other', () => {
  const routes = rig.routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  expect(routes.toSorted()).toEqual(
    operations.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

test('it is an OpenAPI 3.1 document, and has nothing that one has not', () => {
  expect(Document.safeParse(document).error?.issues ?? []).toEqual([]);
});

test('every schema in it is JSON Schema 2020-12, and every reference leads somewhere', () => {
  const checks = new SchemaChecks(document);
  for (const { operation } of operations) {
    for (const { schema } of operation.parameters ?? []) checks.faultOf(schema, null);
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      checks.faultOf(schema, null);
    }
    for (const response of Object.values(operation.responses)) {
      const { content = {} } = resolveResponse(document, response);
      for (const { schema } of Object.values(content)) checks.faultOf(schema, null);
    }
  }
});

describe('every operation', () => {
  test('has a summary, a tag that is explained, and a name of its own', () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    const names = operations.map(({ operation }) => operation.operationId);
    expect(failing(({ operation }) => (operation.summary ?? '') !== '')).toEqual([]);
    // Describe a new tag in router/control/openapi/texts.ts.
    expect(
      failing(
        ({ operation: { tags: own = [] } }) => own.length > 0 && own.every((t) => tags.has(t)),
      ),
    ).toEqual([]);
    expect(operations.flatMap(({ operation: { tags: own = [] } }) => own)).toEqual(
      expect.arrayContaining([...tags]),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[a-z][0-9A-Za-z]+$/.test(name))).toEqual([]);
  });

  test('says what it answers when it is done', () => {
    const isTyped = ({ operation: { responses } }: Described) =>
      Object.entries(responses).some(
        ([status, { content }]) =>
          (status.startsWith('2') && content !== undefined) || /^(?:204|30[1278])$/.test(status),
      );
    expect(failing(isTyped)).toEqual([]);
  });

  test('explains its parameters, with an example each that its schema takes', () => {
    const checks = new SchemaChecks(document);
    const wrong = operations.flatMap(({ method, path, operation: { parameters = [] } }) =>
      parameters
        .filter(
          ({ description = '', schema, example, examples }) =>
            // Add what is missing to router/control/openapi/texts.ts or examples.ts.
            description === '' ||
            (example === undefined) === (examples === undefined) ||
            Object.values(examples ?? { only: { value: example } }).some(
              ({ value }) => value === undefined || checks.faultOf(schema, value),
            ) ||
            Object.keys(examples ?? { only: true }).length === 0,
        )
        .map(({ name }) => `${method} ${path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('has an example of its body and of its answer that the schemas take', () => {
    const checks = new SchemaChecks(document);
    const wrong = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)]
        .flatMap((content) => Object.values(content))
        .map(({ schema, example }) =>
          example === undefined ? 'has no example' : checks.faultOf(schema, example),
        )
        .filter((fault) => fault !== null)
        .map((fault) => `${operationId}: ${fault}`),
    );
    expect(wrong).toEqual([]);
  });

  test('says who may call it, as the gate has it', () => {
    for (const { method, path, operation } of operations) {
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      const route = rig.routes.find((one) => one.method === method && one.url === url);
      const { access } = route ?? {};
      expect(operation['x-permission']).toBe(
        typeof access === 'object' ? access.organization : access,
      );
      const schemes = operation.security.flatMap((one) => Object.keys(one));
      expect(schemes.length === 0).toBe(access === 'public');
      expect(schemes.includes('managementToken')).toBe(typeof access === 'object');
    }
  });
});

test('what only an administrator of the platform may do is told apart from what every operator may', () => {
  const textOf = (method: string, path: string) =>
    operations.find((one) => one.method === method && one.path.endsWith(path))?.operation
      .description ?? '';
  expect(textOf('GET', '/agents')).toMatch(/For operators of the platform\.$/);
  expect(textOf('POST', '/agents')).toMatch(/For administrators of the platform\.$/);
  expect(textOf('DELETE', '/incidents/{incident}')).toMatch(
    /For administrators of the platform\.$/,
  );
});

test('a body that may be left out is not required', () => {
  const bodyOf = (path: string) =>
    operations.find((one) => one.method === 'POST' && one.path.endsWith(path))?.operation
      .requestBody;
  expect(bodyOf('/agents/{agent}/drain')).toMatchObject({ required: false });
  expect(bodyOf('/agents/{agent}/notes')).toMatchObject({ required: true });
});

test('errors are described by the codes of the one table', () => {
  for (const response of Object.values(document.components.responses)) {
    const { examples = {} } = response.content?.['application/json'] ?? {};
    expect(Object.keys(examples)).not.toEqual([]);
    expect(Object.keys(REFUSALS)).toEqual(expect.arrayContaining(Object.keys(examples)));
  }
});

test('docs/api.md has the table of permissions', async () => {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+)` \| [^|]+ \|(.*)\|$/gm)].map(([, name, marks]) => [
    name,
    ROLES.filter((_, at) => (marks as string).split('|')[at]?.trim() === '✓'),
  ]);
  expect(Object.fromEntries(rows)).toEqual(PERMISSIONS);
});

describe('the description as it is served', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(rig.origin + path, { headers, redirect: 'manual' });

  test('is sent once to whoever keeps it, and compressed to whoever can read that', async () => {
    const first = await get('/api/openapi.json', { 'accept-encoding': 'gzip' });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const etag = first.headers.get('etag') ?? '';
    expect(await first.json()).toEqual(document);
    const plain = await get('/api/openapi.json', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.json()).toEqual(document);
    for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, '*']) {
      expect((await get('/api/openapi.json', { 'if-none-match': known })).status).toBe(304);
    }
    expect((await get('/api/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is not compressed for a client that refuses gzip, or names another coding', async () => {
    for (const coding of ['gzip;q=0', 'gzip; q=0.000', 'x-gzipped', 'br']) {
      const answer = await get('/api/openapi.json', { 'accept-encoding': coding });
      expect(answer.headers.get('content-encoding'), coding).toBeNull();
    }
    const taken = await get('/api/openapi.json', { 'accept-encoding': 'br, GZIP;q=0.5' });
    expect(taken.headers.get('content-encoding')).toBe('gzip');
  });

  test('has its page in the dashboard, to which the former address leads', async () => {
    for (const path of ['/api/docs', '/api/docs/']) {
      const answer = await get(`${path}?operators`);
      expect(answer.status).toBe(308);
      expect(answer.headers.get('location')).toBe('/docs/api?operators');
    }
    expect((await get('/api/docs/static/index.html')).status).toBe(404);
  });

  test('has only the management API', () => {
    expect(Object.keys(document.paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
  });
});

// OpenAPI 3.1's objects, as far as the document uses them. Ajv validates the Schema Objects.
const schema = z.record(z.string(), z.unknown());
const text = z.string().min(1);
const media = z.strictObject({
  schema,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.strictObject({ value: z.unknown() })).optional(),
});
const content = z.record(z.string().regex(/^[a-z]+\/[a-z.+-]+(?:; ?[a-z]+=\S+)?$/), media);
const header = z.strictObject({ description: text, schema });
const response = z.strictObject({
  description: text,
  headers: z.record(z.string(), header).optional(),
  content: content.optional(),
});
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/responses\/\w+$/) });
const parameter = z.strictObject({
  name: text,
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: text,
  ...media.shape,
});
const operation = z.strictObject({
  operationId: text,
  summary: text,
  description: text,
  tags: z.array(text),
  security: z.array(z.record(z.string(), z.tuple([]))),
  'x-permission': text,
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, response])),
});
const Document = z.strictObject({
  openapi: z.literal('3.1.1'),
  info: z.strictObject({ title: text, version: text, description: text }),
  servers: z.array(z.strictObject({ url: text, description: text })),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'put', 'post', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Z]\w+$/), schema),
    responses: z.record(z.string(), response),
    securitySchemes: z.record(
      z.string(),
      z.union([
        z.strictObject({ type: z.literal('apiKey'), in: text, name: text, description: text }),
        z.strictObject({
          type: z.literal('http'),
          scheme: z.literal('bearer'),
          bearerFormat: text,
          description: text,
        }),
      ]),
    ),
  }),
});
