/**
 * The gate before every route of the management API: what a route says of who may use it is checked here and
 * nowhere else. A route that says nothing is a mistake that keeps the router from starting.
 */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import type { Role } from '../../../shared/api/roles.ts';
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { type Api, Refused } from '../api.ts';
import { Idempotent } from '../idempotency/header.ts';
import { mayDo, PEOPLE_ONLY, type Permission } from '../permissions.ts';
import { type AuthenticateParts, authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

/**
 * `public`: anybody. `person`: whoever is signed in, for what is their own. `operator`: those of the platform.
 * A permission: members of the organization in the path whose role has it, its tokens, and operators.
 */
export type Access = 'public' | 'person' | 'operator' | Readonly<{ organization: Permission }>;

/** As what somebody acts for the organization in the path; operators need be no members. */
export type Acting = Readonly<{ organization: OrganizationId; role: Role | 'operator' }>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** What a mutation is called in the audit log: `key.create`. */
    action?: string;
    /** It moves money, so that the same again under one Idempotency-Key is made once: `request.once()`. */
    money?: true;
    /** A mutation that no browser sends and that proves itself in another way: a provider's event. */
    fromAnyOrigin?: true;
  }

  interface FastifyRequest {
    /** Null on public routes. */
    caller: Caller | null;
    acting: Acting | null;
  }
}

/** A route of the API as it stands, for the tests and the documentation that are made from all of them. */
export type ListedRoute = Readonly<{
  method: string;
  url: string;
  access: Access;
  action: string | null;
  fromAnyOrigin: boolean;
  money: boolean;
}>;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Puts the gate before all routes that are added to `api` from now on, and lists them in `routes`. */
export function openGate(api: Api, parts: AuthenticateParts, routes: ListedRoute[]): void {
  api.decorateRequest('caller', null);
  api.decorateRequest('acting', null);
  api.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.push(listed(route, method));
  });
  api.addHook('onRequest', async (request) => {
    const { access, fromAnyOrigin } = request.routeOptions.config;
    // An unknown path has no route: the 404 needs nobody.
    if (access === undefined) return;
    if (!READS.has(request.method) && fromAnyOrigin === undefined) checkOrigin(request);
    if (access !== 'public') await admit(parts, request, access);
  });
}

function listed({ url, config = {}, schema }: RouteOptions, method: string): ListedRoute {
  const { access, action = null, fromAnyOrigin = false, money = false } = config;
  if (access === undefined) throw new Error(`${method} ${url} does not say who may use it`);
  if (!READS.has(method) && action === null) {
    throw new Error(`${method} ${url} changes something, and does not say what it is called`);
  }
  if (money && schema?.headers !== Idempotent) {
    throw new Error(`${method} ${url} moves money, and takes no Idempotency-Key`);
  }
  return { method, url, access, action, fromAnyOrigin, money };
}

const TOKEN = /^bearer /i;

/**
 * A page of another origin may make a browser send a mutation along with its cookies: browsers say which
 * origin it comes from. A token is sent by no browser on its own (a password of HTTP is), and neither is what has
 * no cookie.
 */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const { authorization, origin, host, cookie } = headers;
  if (authorization !== undefined && TOKEN.test(authorization)) return;
  const site = headers['sec-fetch-site'];
  const own =
    origin === undefined
      ? cookie === undefined || site === 'same-origin'
      : host !== undefined && URL.parse(origin)?.host === host.toLowerCase();
  if (!own) throw new Refused('foreign_origin');
}

async function admit(
  parts: AuthenticateParts,
  request: FastifyRequest,
  access: Exclude<Access, 'public'>,
): Promise<void> {
  const named = typeof access === 'object' ? organizationOf(request) : null;
  const { caller, role, organization } = await authenticate(parts, request.headers, named);
  request.caller = caller;
  if (access === 'operator') return checkOperator(caller);
  if (access === 'person') return checkPerson(caller);
  const isOperator = caller.kind !== 'management-token' && caller.operator;
  // Of one that was deleted, operators read the books; nobody changes it any more.
  const exists =
    organization === 'live' ||
    (organization === 'deleted' && isOperator && READS.has(request.method));
  // An organization of others looks the same as none.
  if (named === null || !exists || (role === null && !isOperator)) {
    throw new Refused('not_found', 'There is no such organization.');
  }
  if (!isOperator && !(role !== null && mayDo(role, access.organization))) {
    throw new Refused('forbidden', `Your role, ${role}, does not allow this.`);
  }
  if (caller.kind === 'management-token' && PEOPLE_ONLY.includes(access.organization)) {
    throw new Refused('forbidden', 'A management token does not do this: it takes a person.');
  }
  request.acting = { organization: named, role: isOperator ? 'operator' : (role as Role) };
}

function organizationOf({ params }: FastifyRequest): OrganizationId | null {
  const { organization } = params as { organization?: string };
  return OrganizationIdText.safeParse(organization).data ?? null;
}

function checkOperator(caller: Caller): void {
  if (caller.kind === 'management-token' || !caller.operator) {
    throw new Refused('forbidden', 'Only operators of the platform may do this.');
  }
}

function checkPerson(caller: Caller): void {
  if (caller.kind === 'management-token') {
    throw new Refused('forbidden', 'A management token acts for its organization alone.');
  }
}

/** Who is signed in, on a route for persons. */
export function personOf({ caller }: FastifyRequest): PersonId {
  if (!caller || caller.kind === 'management-token') throw new Error('not a route for persons');
  return caller.person;
}

/** The organization in the path and as what it is acted for. */
export function actingOf({ acting }: FastifyRequest): Acting {
  if (!acting) throw new Error('not a route of an organization');
  return acting;
}
