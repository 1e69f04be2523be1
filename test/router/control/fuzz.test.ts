/**
 * Checks the API against its own description: requests are generated from the description for every
 * kind of caller, and every answer must match it. PENSTOCK_FUZZ_REQUESTS sets how many requests are
 * sent, and PENSTOCK_FUZZ_SEED which.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { CALLERS, newOrganization, verdictOf } from '../../support/api-callers.ts';
import { type FuzzedRequest, pathOf, requestsOf } from '../../support/api-fuzz.ts';
import {
  type Described,
  type OpenApi,
  operationsOf,
  resolveResponse,
  SchemaChecks,
} from '../../support/api-schemas.ts';
import { startRig } from './rig.ts';

const REQUESTS = Number(process.env['PENSTOCK_FUZZ_REQUESTS'] ?? 2_000);
const SEED = Number(process.env['PENSTOCK_FUZZ_SEED'] ?? 1);

const rig = await startRig();
afterAll(() => rig[Symbol.asyncDispose]());
const document: OpenApi = (await rig.ask('GET', '/api/openapi.json')).body;
const operations = operationsOf(document).map((described) => ({
  name: described.operation.operationId,
  described,
}));
const checks = new SchemaChecks(document);
const perOperation = Math.ceil(REQUESTS / operations.length);

type Heard = Readonly<{ status: number; type: string; text: string; request: string | null }>;

test.each(operations)(
  '$name answers whatever it is asked as it is described',
  { timeout: 30_000 + perOperation * 100 },
  async ({ described }) => {
    const organization = await newOrganization(rig);
    const callers = await Promise.all(
      CALLERS.map(async (kind) => ({ kind, headers: await kind.make(rig, organization) })),
    );
    const access = accessOf(described);
    const [inside, outside] = [true, false].map((isIn) =>
      callers.filter(({ kind }) => (verdictOf(access, kind) === 'let in') === isIn),
    ) as [typeof callers, typeof callers];
    const asking = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...inside) },
      { weight: outside.length > 0 ? 1 : 0, arbitrary: fc.constantFrom(...outside, ...inside) },
    );
    const property = fc.asyncProperty(
      requestsOf(described.operation, document),
      asking,
      async (request, { kind, headers }) => {
        const path = await pathOf(rig, described.path, organization, request);
        const heard = await send(described.method, path, request, headers);
        checkAnswer(described, heard);
        const verdict = verdictOf(access, kind);
        if (verdict === 'unknown caller') expect(heard.status).toBe(401);
        if (verdict !== 'let in') expect(heard.status).toBeGreaterThanOrEqual(401);
        if (heard.status < 400) checkTaken(described, request);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: perOperation });
  },
);

async function send(
  method: string,
  path: string,
  { body, headers }: FuzzedRequest,
  credentials: Record<string, string>,
): Promise<Heard> {
  const answer = await fetch(rig.origin + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...credentials },
    ...(method !== 'GET' && body !== undefined && { body }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
    request: answer.headers.get('x-request-id'),
  };
}

/** Expects a status, type and body that the description has, and no 5xx. */
function checkAnswer({ operation }: Described, { status, type, text, request }: Heard): void {
  expect(status, text).toBeLessThan(500);
  const described = operation.responses[String(status)];
  expect(described, `${status} is not described: ${text.slice(0, 200)}`).toBeDefined();
  const { content } = resolveResponse(document, described ?? {});
  if (!content) return expect(text).toBe('');
  const media = Object.entries(content).find(([one]) => type.startsWith(one))?.[1];
  expect(media, `${status} with ${type} is not described`).toBeDefined();
  if (!media || !type.startsWith('application/json')) return;
  const body = JSON.parse(text);
  expect(checks.faultOf(media.schema, body), text.slice(0, 500)).toBe(null);
  if (status < 400) return;
  expect(body.request_id).toBe(request);
  // Forms show the message below the field that `param` names, so it is a sentence of its own.
  const { message, param } = body.error;
  expect(message.endsWith('.'), message).toBe(true);
  expect(message.startsWith(`${param}: `), message).toBe(false);
}

/** Expects that a request which was accepted matches the description. */
function checkTaken({ operation }: Described, { body = '', query }: FuzzedRequest): void {
  const media = operation.requestBody?.content['application/json'];
  if (media) expect(checks.faultOf(media.schema, JSON.parse(body || 'null')), body).toBe(null);
  const known = new Set((operation.parameters ?? []).map(({ name }) => name));
  const reads = (operation.parameters ?? []).some((one) => one.in === 'query');
  if (reads) expect(query.map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
}

function accessOf({ operation }: Described) {
  const access = operation['x-permission'];
  if (access === 'public' || access === 'person' || access === 'operator') return access;
  return { organization: access as 'read' };
}
