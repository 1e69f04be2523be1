/**
 * The access check for every route of the management API. Each route declares who may use it, and
 * only this file enforces it. A route that declares nothing keeps the router from starting.
 */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import type { Role } from '../../../shared/api/roles.ts';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { type Api, noSuch, Refused } from '../api.ts';
import { Idempotent } from '../idempotency/header.ts';
import { mayDo, PEOPLE_ONLY, type Permission } from '../permissions.ts';
import { type AuthenticateParts, authenticate } from './authenticate.ts';
import type { Caller, ActingMember } from './caller.ts';

/**
 * `public`: anybody. `person`: anybody who is signed in, for their own account. `operator`:
 * operators of the platform. A permission: members of the organization in the path whose role
 * grants it, the organization's management tokens, and operators. A session of
 * an operator changes what the operator may not as a member only after the operator has allowed
 * changes there (decision 0044). A viewer among the operators changes nothing.
 */
export type Access = 'public' | 'person' | 'operator' | Readonly<{ organization: Permission }>;

/**
 * The role in which the caller acts for the organization in the path. An operator need not be a
 * member.
 */
export type Acting = Readonly<{
  organization: OrganizationId;
  role: Role | 'operator';
  member: ActingMember | null;
}>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The mutation's name in the audit log, for example `key.create`. */
    action?: AuditAction;
    /**
     * The name of the action belongs to another route, which does the same. This one has the name of
     * its path in generated clients.
     */
    isAlternative?: true;
    /**
     * Fields of the body that are an operator's own work, and not what customers do for themselves:
     * a change of only these needs no `changesAllowed`.
     */
    operatorFields?: readonly string[];
    /**
     * The route moves money, so requests with the same Idempotency-Key take effect once:
     * `request.idempotency()`.
     */
    money?: true;
    /** It moves no money, and takes an Idempotency-Key all the same. */
    takesKey?: true;
    /**
     * A mutation that no browser sends and that is authenticated in another way, such as a
     * provider's webhook.
     */
    fromAnyOrigin?: true;
  }

  interface FastifyRequest {
    /** Null on public routes. */
    caller: Caller | null;
    acting: Acting | null;
    /** Checks the access again, as it is now. Throws `Refused` when the caller has lost it. */
    admitAgain: () => Promise<void>;
  }
}

/** A registered route, for the tests and the documentation that are generated from all routes. */
export type ListedRoute = Readonly<{
  method: string;
  url: string;
  access: Access;
  action: string | null;
  isAlternative: boolean;
  fromAnyOrigin: boolean;
  money: boolean;
}>;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Adds the access check to all routes that are registered on `api` from now on, and lists them in
 * `routes`.
 */
export function openGate(api: Api, parts: AuthenticateParts, routes: ListedRoute[]): void {
  api.decorateRequest('caller', null);
  api.decorateRequest('acting', null);
  api.decorateRequest('admitAgain', async () => {});
  api.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.push(listed(route, method));
  });
  api.addHook('onRequest', async (request) => {
    const { access, fromAnyOrigin } = request.routeOptions.config;
    // An unknown path has no route, and its 404 needs no authentication.
    if (access === undefined) return;
    if (!READS.has(request.method) && fromAnyOrigin === undefined) checkOrigin(request);
    if (access === 'public') return;
    await admit(parts, request, access);
    request.admitAgain = () => admit(parts, request, access);
  });
  // A body may arrive long after its headers. Meanwhile the caller may have lost the access.
  api.addHook('preHandler', async (request) => {
    if (!READS.has(request.method)) await request.admitAgain();
  });
}

function listed({ url, config = {}, schema }: RouteOptions, method: string): ListedRoute {
  const { access, action = null, isAlternative = false, fromAnyOrigin = false } = config;
  const { money = false, takesKey = false } = config;
  if (access === undefined) throw new Error(`${method} ${url} does not say who may use it`);
  if (!READS.has(method) && action === null) {
    throw new Error(`${method} ${url} changes something, and does not say what it is called`);
  }
  if ((money || takesKey) && schema?.headers !== Idempotent) {
    throw new Error(
      `${method} ${url} ${money ? 'moves money' : 'must not happen twice'}, and takes no Idempotency-Key`,
    );
  }
  return { method, url, access, action, isAlternative, fromAnyOrigin, money };
}

const TOKEN = /^bearer /i;

/**
 * Protects against cross-site request forgery: a page of another origin can make a browser send a
 * mutation with its cookies, but browsers report the origin. A bearer token (unlike an HTTP
 * password) is never sent by a browser on its own. A request with neither a cookie nor an `Origin`
 * is allowed too. Throws `Refused` for a foreign origin.
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
  const { caller, role, member, organization, changesAllowed } = await authenticate(
    parts,
    request.headers,
    named,
  );
  request.caller = caller;
  const isRead = READS.has(request.method);
  if (access === 'operator') return checkOperator(caller, isRead);
  if (access === 'person') return checkPerson(caller);
  const operator = caller.kind === 'management-token' ? null : caller.operator;
  // What a viewer changes, they change as a member.
  const isOperator = operator === 'administrator' || (operator === 'viewer' && isRead);
  // Operators can read the data of a deleted organization, but nobody can change it.
  const exists = organization === 'live' || (organization === 'deleted' && isOperator && isRead);
  // Another customer's organization must be indistinguishable from one that does not exist.
  if (named === null || !exists || (role === null && operator === null)) {
    throw noSuch('organization');
  }
  if (role === null && !isOperator) throw new Refused('forbidden', VIEWER);
  const mayAsMember = role !== null && mayDo(role, access.organization);
  if (!isOperator && !mayAsMember) {
    throw new Refused('forbidden', `Your role, ${role}, does not allow this.`);
  }
  if (caller.kind === 'management-token' && PEOPLE_ONLY.includes(access.organization)) {
    throw new Refused(
      'forbidden',
      'A management token cannot do this: a signed-in person must do it.',
    );
  }
  if (!changesAllowed && !mayAsMember && changesForCustomer(request)) {
    throw new Refused('changes_not_allowed');
  }
  request.acting = { organization: named, role: isOperator ? 'operator' : (role as Role), member };
}

/**
 * Whether the request changes what customers change for themselves. Where the body decides, the
 * request is looked at again when the body has been read.
 */
function changesForCustomer({ method, body, routeOptions }: FastifyRequest): boolean {
  if (READS.has(method)) return false;
  const { operatorFields } = routeOptions.config;
  if (operatorFields === undefined) return true;
  if (typeof body !== 'object' || body === null) return false;
  const fields = Object.keys(body);
  return fields.length === 0 || fields.some((field) => !operatorFields.includes(field));
}

function organizationOf({ params }: FastifyRequest): OrganizationId | null {
  const { organization } = params as { organization?: string };
  return OrganizationIdText.safeParse(organization).data ?? null;
}

const VIEWER =
  'Your role as operator, viewer, does not allow changes: ask an administrator of the platform.';

function checkOperator(caller: Caller, isRead: boolean): void {
  if (caller.kind === 'management-token' || caller.operator === null) {
    throw new Refused('forbidden', 'Only operators of the platform may do this.');
  }
  if (caller.operator === 'viewer' && !isRead) throw new Refused('forbidden', VIEWER);
}

function checkPerson(caller: Caller): void {
  if (caller.kind === 'management-token') {
    throw new Refused('forbidden', 'A management token acts only for its organization.');
  }
}

/** For changes of operators: the administrator was locked, revoked or made a viewer meanwhile. */
export function noLongerAdministrator(): Refused {
  return new Refused(
    'conflict',
    'Your own account was locked, or you are no longer an administrator of the platform.',
  );
}

/** Returns the person who sends the request, or null for a management token and for nobody. */
export function personOrNull({ caller }: Pick<FastifyRequest, 'caller'>): PersonId | null {
  return caller === null || caller.kind === 'management-token' ? null : caller.person;
}

/** Returns the signed-in person, on a route for persons. Throws for a management token. */
export function personOf(request: Pick<FastifyRequest, 'caller'>): PersonId {
  const person = personOrNull(request);
  if (person === null) throw new Error('not a route for persons');
  return person;
}

/** Returns the organization in the path and the caller's role in it. Throws on other routes. */
export function actingOf({ acting }: FastifyRequest): Acting {
  if (!acting) throw new Error('not a route of an organization');
  return acting;
}
