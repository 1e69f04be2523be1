/** What the API reference shows of the committed OpenAPI description. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { curlOf } from '../../../../../router/dashboard/pages/api-reference/curl.ts';
import type {
  OpenApi,
  Schema,
} from '../../../../../router/dashboard/pages/api-reference/document.ts';
import {
  type Field,
  fieldsOf,
  typeOf,
} from '../../../../../router/dashboard/pages/api-reference/fields.ts';
import { searchWords } from '../../../../../router/dashboard/format/search-words.ts';
import { found } from '../../../../../router/dashboard/pages/api-reference/find.ts';
import {
  GROUPS,
  OPERATOR_GROUPS,
} from '../../../../../router/dashboard/pages/api-reference/groups.ts';
import {
  type Operation,
  operationsOf,
} from '../../../../../router/dashboard/pages/api-reference/operations.ts';

const document = JSON.parse(
  await readFile(new URL('../../../../../docs/openapi.json', import.meta.url).pathname, 'utf8'),
) as OpenApi;
const everything = operationsOf(document, true);
const ofCustomers = operationsOf(document, false);
const caller = { origin: 'https://console.example.com', organization: 'org_of_the_reader' };

function named(id: string): Operation {
  const operation = everything.find((one) => one.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return operation;
}

test('everybody sees the operations of customers, and operators see all', () => {
  const described = Object.values(document.paths).flatMap((one) => Object.values(one));
  expect(everything).toHaveLength(described.length);
  expect(ofCustomers.length).toBeLessThan(everything.length);
  expect(ofCustomers.every(({ permission }) => permission !== 'operator')).toBe(true);
  expect(everything.filter((one) => one.permission !== 'operator').map(({ id }) => id)).toEqual(
    ofCustomers.map(({ id }) => id),
  );
});

test('each tag of an operation that customers may call is in one group', () => {
  const tags = Object.values(document.paths)
    .flatMap((one) => Object.values(one))
    .filter((one) => one['x-permission'] !== 'operator')
    .flatMap((one) => one.tags ?? []);
  const grouped = GROUPS.flatMap((group) => group.tags);
  expect(grouped.toSorted()).toEqual([...new Set(tags)].toSorted());
});

test('each operation is in a group of those who may call it', () => {
  for (const { id, group, permission } of everything) {
    expect(permission === 'operator' ? OPERATOR_GROUPS : GROUPS, id).toContain(group);
  }
});

test('a summary is a title and a note', () => {
  const { title, paragraphs } = named('createKey');
  expect(title).toBe('Create an API key');
  expect(paragraphs).toEqual(['Only this response contains its value.']);
});

test('a filter finds the operations that have all of its words', () => {
  const ids = (text: string) => found(ofCustomers, searchWords(text)).map(({ id }) => id);
  expect(ids('BUDGET')).toEqual(['getOrganizationBudget', 'setBudget']);
  expect(ids('delete api key')).toEqual(['deleteKey']);
  expect(ids('deleteKey')).toEqual(['deleteKey']);
  expect(ids('drain')).toEqual([]);
});

test('the example request has the base URL, the organization, a token and the body', () => {
  expect(curlOf(named('createKey'), caller)).toMatch(
    /^curl -X POST https:\/\/console\.example\.com\/api\/v1\/organizations\/org_of_the_reader\/keys \\\n {2}-H "Authorization: Bearer \$PENSTOCK_TOKEN" \\\n {2}-H 'Content-Type: application\/json' \\\n {2}-d '\{\n {2}"name": /,
  );
  expect(curlOf(named('getOrganizationKeys'), caller)).toBe(
    'curl https://console.example.com/api/v1/organizations/org_of_the_reader/keys \\\n' +
      '  -H "Authorization: Bearer $PENSTOCK_TOKEN"',
  );
});

test('the example request of an operation for people has a session, and no token', () => {
  const request = curlOf(named('changePerson'), caller);
  expect(request).toContain(" -b session.txt \\\n  -H 'Origin: https://console.example.com'");
  expect(request).not.toContain('PENSTOCK_TOKEN');
  expect(curlOf(named('beginSession'), caller)).toContain(' -c session.txt ');
});

test('the example request of what moves money can be sent twice', () => {
  const moving = everything.filter((one) =>
    one.parameters.some(({ name }) => name === 'idempotency-key'),
  );
  expect(moving.length).toBeGreaterThan(0);
  for (const operation of moving) {
    expect(curlOf(operation, caller)).toContain('-H "Idempotency-Key: $(uuidgen)"');
  }
});

test('a body in an example request is quoted for a shell', () => {
  const body = { schema: {}, example: { name: "Ada's key" } };
  expect(curlOf({ ...named('createKey'), body }, caller)).toContain(String.raw`Ada'\''s key`);
});

test('a field has its type in words, its values, its default and its limits', () => {
  const fields = (schema: Schema) => fieldsOf(schema, document);
  const [role, events, limit, expires] = fields({
    type: 'object',
    required: ['role'],
    properties: {
      role: { type: 'string', enum: ['developer', 'viewer'], default: 'viewer' },
      events: { type: 'array', items: { type: 'string', format: 'email' }, maxItems: 20 },
      limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'The page size.' },
      expires: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    },
  });
  expect(role).toMatchObject({
    type: 'string',
    required: true,
    values: ['developer', 'viewer'],
    initial: '"viewer"',
  });
  expect(events).toMatchObject({ type: 'list of email addresses', limits: 'At most 20 values' });
  expect(limit).toMatchObject({ limits: '1 to 1,000', description: 'The page size.' });
  expect(expires).toMatchObject({ type: 'timestamp', nullable: true, required: false });
});

test('nested objects open, and alternatives are told apart', () => {
  const nested = (field: Field | undefined) => field?.nested ?? [];
  const page = fieldsOf({ $ref: '#/components/schemas/KeyPage' }, document);
  const data = page.find(({ name }) => name === 'data');
  expect(data?.type).toBe('list of objects');
  const key = nested(data)[0]?.fields() ?? [];
  expect(key.map(({ name }) => name)).toContain('monthly_cap');
  const organization = fieldsOf({ $ref: '#/components/schemas/Organization' }, document);
  const billing = organization.find(({ name }) => name === 'billing');
  expect(nested(billing).map(({ title }) => title)).toEqual(['type: prepaid', 'type: invoiced']);
});

test('every schema of the description has a type in words', () => {
  const schemas = Object.values(document.components.schemas);
  expect(schemas.map((schema) => typeOf(schema, document))).not.toContain('any value');
});

test('every operation tells its errors, by the codes of the description', () => {
  for (const { id, errors } of everything) expect(errors.length, id).toBeGreaterThan(0);
  const codes = named('createKey').errors.map(({ status, code }) => `${status} ${code}`);
  expect(codes).toContain('403 forbidden');
  expect(codes).toContain('429 rate_limited');
});
