/**
 * T15: calls every route of the API as every kind of caller. The routes come from the router
 * itself. The expected verdicts come from each route's own declaration and from the table of roles,
 * of which test/support has a second copy. Bodies are the examples of the API's description.
 */
import { fastify } from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { type Access, type ListedRoute, openGate } from '../../../router/control/access/gate.ts';
import type { Api } from '../../../router/control/api.ts';
import { PERMISSIONS } from '../../../router/control/permissions.ts';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import {
  CALLERS,
  errorIn,
  MAY,
  newOrganization,
  verdictIn,
  verdictOf,
} from '../../support/api-callers.ts';
import {
  fillPath,
  MISSING_ORGANIZATION,
  parametersIn,
  SAMPLES,
} from '../../support/api-samples.ts';
import { type Operation, operationsOf } from '../../support/api-schemas.ts';
import { PEPPER, startRig } from './rig.ts';

const READS = new Set(['GET', 'HEAD']);
/** Error codes for a body that does not match the description. */
const MISUNDERSTOOD = new Set([
  'invalid_json',
  'invalid_value',
  'missing_field',
  'unsupported_parameter',
]);
/** Secrets that are sent by email, and what an authenticator makes, for which no example can be valid. */
const UNEXAMPLED = new Set(['code', 'credential', 'invitation', 'token']);
/**
 * Mutations that may find nothing to do, by their action or their route. The audit log then has no
 * entry for them.
 */
const MAYBE_IDLE: Readonly<Record<string, string>> = {
  'chat.keep': 'a further version of a chat has no entry',
  'playground.end': 'there was no key to end',
  'POST /api/v1/jobs/retry': 'none of the jobs was given up',
  'session.end': 'whose session has ended is signed out, too',
};

const rig = await startRig();
afterAll(() => rig[Symbol.asyncDispose]());

const { body: document } = await rig.ask('GET', '/api/openapi.json');
const operations = new Map(
  operationsOf(document).map(({ method, path, operation }) => [
    `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    operation,
  ]),
);
const shared = await newOrganization(rig);
const callers = await Promise.all(
  CALLERS.map(async (kind) => ({ kind, headers: await kind.make(rig, shared) })),
);

const routes = rig.routes.map((route) => ({ name: `${route.method} ${route.url}`, route }));
const mutations = routes.filter(({ route }) => !READS.has(route.method));
const ofOrganizations = routes.filter(({ route }) => route.url.includes(':organization'));

type Heard = Readonly<{ status: number; text: string; headers: Headers; request: string }>;

/** Sends the request with the description's example as its body. */
async function send(
  { method, url }: ListedRoute,
  path: string,
  headers: Record<string, string>,
): Promise<Heard> {
  const { requestBody, parameters = [] } = operationOf(method, url);
  const query = new URLSearchParams(
    parameters
      .filter(({ in: place, required }) => place === 'query' && required)
      .map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const answer = await fetch(`${rig.origin}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
    ...(media && {
      body: type === 'application/json' ? JSON.stringify(media.example) : String(media.example),
    }),
  });
  const request = answer.headers.get('x-request-id') ?? '';
  return { status: answer.status, text: await answer.text(), headers: answer.headers, request };
}

function operationOf(method: string, url: string): Operation {
  const operation = operations.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
  if (!operation) throw new Error(`${method} ${url} is not in the description of the API`);
  return operation;
}

/** Returns the actions that the audit log has for a request. */
async function auditedOf(request: string): Promise<string[]> {
  const lines = await rig.place.sql(`select action from audit where request = '${request}'`);
  return (lines as { action: string }[]).map(({ action }) => action);
}

/** The answer without the parts that differ between requests. */
function comparable({ status, text, headers, request }: Heard) {
  const rest = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status, text: text.replaceAll(request, 'req_'), headers: rest };
}

test('each role may do what the table says, and nothing else', () => {
  expect(PERMISSIONS).toEqual(MAY);
});

test('every parameter in a path has its sample ids', () => {
  const names = new Set(routes.flatMap(({ route }) => parametersIn(route.url)));
  // Add missing names to test/support/api-samples.ts.
  expect([...names].filter((name) => !(name in SAMPLES))).toEqual([]);
});

describe('a router does not start with a route that', () => {
  const add = (access: Access | undefined, method: string, action?: AuditAction) => {
    const api = fastify() as unknown as Api;
    const parts = { store: rig.store, pepper: PEPPER, clock, secure: false };
    openGate(api, parts, []);
    const config = { ...(access && { access }), ...(action !== undefined && { action }) };
    api.route({ method, url: '/x', config, handler: async () => null });
  };

  test('does not say who may use it', () => {
    expect(() => add(undefined, 'GET')).toThrow('GET /x does not say who may use it');
    expect(() => add('public', 'GET')).not.toThrow();
  });

  test('changes something and does not say what that is called', () => {
    expect(() => add('operator', 'POST')).toThrow('does not say what it is called');
    expect(() => add('operator', 'POST', 'key.create')).not.toThrow();
  });
});

describe.each(routes)('$name', ({ route }) => {
  const isRead = READS.has(route.method);

  test.each(callers)('$kind.name', async ({ kind, headers: known }) => {
    const verdict = verdictOf(route.access, kind);
    // A call that may change something runs on an organization of its own.
    const fresh = verdict === 'let in' && !isRead;
    const organization = fresh ? await newOrganization(rig) : shared;
    const headers = fresh ? await kind.make(rig, organization) : known;
    const where = { organization, owner: organization, which: 'own' } as const;
    const answer = await send(route, await fillPath(rig, route.url, where), headers);
    expect(answer.status, answer.text).toBeLessThan(500);
    if (route.method === 'HEAD') {
      const status = { 'unknown caller': 401, 'not allowed': 403, 'nothing there': 404 };
      if (verdict === 'let in') expect([401, 403]).not.toContain(answer.status);
      else expect(answer.status).toBe(status[verdict]);
      return;
    }
    expect(verdictIn(answer.status, answer.text), answer.text).toBe(verdict);
    if (answer.status >= 400) {
      const { code, param } = errorIn(answer.text);
      // If this fails, the API refuses its own example: see router/control/openapi/examples.ts.
      const misunderstood = MISUNDERSTOOD.has(code) && !UNEXAMPLED.has(String(param));
      expect(misunderstood, answer.text).toBe(false);
    }
    const mayBeIdle = [String(route.action), `${route.method} ${route.url}`].some(
      (name) => name in MAYBE_IDLE,
    );
    if (isRead || (answer.status < 400 && mayBeIdle)) return;
    const lines = await auditedOf(answer.request);
    // The log may have further entries, for example that a caller is being throttled.
    const own = lines.filter((action) => action === route.action);
    expect(own).toEqual(answer.status < 400 ? [route.action] : []);
  });
});

test.each(ofOrganizations)(
  '$name answers of a foreign organization as of a missing one',
  async ({ route }) => {
    const foreign = await newOrganization(rig);
    const own = { owner: foreign, which: 'own' } as const;
    const path = await fillPath(rig, route.url, { organization: foreign, ...own });
    for (const { kind, headers } of callers.filter(({ kind: { as } }) => as !== 'operator')) {
      const there = await send(route, path, headers);
      const missing = await send(route, path.replace(foreign, MISSING_ORGANIZATION), headers);
      expect({ kind, ...comparable(there) }).toEqual({ kind, ...comparable(missing) });
      expect(await auditedOf(there.request)).toEqual([]);
    }
  },
);

/**
 * Whether the route is about things that each organization has for itself. Models are shared by
 * all.
 */
const hasOwnThings = ({ url }: ListedRoute) =>
  parametersIn(url).some((name) => SAMPLES[name]?.isShared !== true && SAMPLES[name]?.make);

test.each(ofOrganizations.filter(({ route }) => hasOwnThings(route)))(
  '$name answers of what another organization has as of what nobody has',
  async ({ route }) => {
    const where = { organization: shared, owner: await newOrganization(rig) };
    const theirs = await fillPath(rig, route.url, { ...where, which: 'own' });
    const nobodys = await fillPath(rig, route.url, { ...where, which: 'missing' });
    for (const { kind, headers } of callers) {
      const there = await send(route, theirs, headers);
      const missing = await send(route, nobodys, headers);
      expect({ kind, ...comparable(there) }).toEqual({ kind, ...comparable(missing) });
      expect(await auditedOf(there.request)).toEqual([]);
    }
  },
);

test.each(mutations)('$name is refused to a page of another origin', async ({ route }) => {
  const organization = await newOrganization(rig);
  const where = { organization, owner: organization, which: 'own' } as const;
  const path = await fillPath(rig, route.url, where);
  for (const { kind } of callers.filter(({ headers }) => 'cookie' in headers)) {
    const headers = await kind.make(rig, organization);
    const answer = await send(route, path, { ...headers, origin: 'https://evil.example' });
    if (route.fromAnyOrigin) {
      // The request authenticates itself by its content, and ignores cookies.
      expect(route.access).toBe('public');
      continue;
    }
    expect(answer.status, kind.name).toBe(403);
    expect(errorIn(answer.text).code).toBe('foreign_origin');
    expect(await auditedOf(answer.request)).toEqual([]);
  }
});
