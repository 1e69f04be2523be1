/**
 * The control plane's HTTP server: everything except the data plane and the link. Fastify listens
 * on no port; `router/listen.ts` passes requests to it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fastify } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { isExpectedHost } from '../../shared/host-names.ts';
import { mintId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import { Refusal } from '../../shared/refusals.ts';
import { openGate, type ListedRoute } from './access/gate.ts';
import { hostReportRoutes } from './agents/report.ts';
import { agentEventRoutes } from './agents/event-routes.ts';
import { agentRoutes } from './agents/routes.ts';
import { type Api, Refused } from './api.ts';
import { decorateAuditEntry } from './audit/record.ts';
import { auditRoutes } from './audit/routes.ts';
import { billingDetailsRoutes } from './billing-details/routes.ts';
import { budgetRoutes } from './budgets/routes.ts';
import { Bodies } from './bodies.ts';
import { chatRoutes } from './chats/routes.ts';
import { sandboxPages } from './checkout/pages.ts';
import { SandboxProvider } from './checkout/sandbox.ts';
import { creditRoutes } from './credit/routes.ts';
import { erasureRoutes } from './erasure/routes.ts';
import { checkPart, refusalOf, refuse } from './errors.ts';
import { exportRoutes } from './export/routes.ts';
import { fleetHistoryRoutes } from './fleet-history/routes.ts';
import { healthRoutes } from './health.ts';
import { keyRequests } from './idempotency/idempotent.ts';
import { incidentRoutes } from './incidents/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { unsubscribePage } from './mail/unsubscribe-page.ts';
import { memberRoutes } from './members/routes.ts';
import { modelRoutes } from './models/routes.ts';
import { decorateDownloads } from './downloads.ts';
import { describeApi } from './openapi/describe.ts';
import { operatorChangesRoutes } from './operator-changes/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import type { ScheduledTask } from '../jobs/scheduler.ts';
import type { ControlParts } from './parts.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { passkeySignInRoutes } from './passkeys/sign-in-routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { providerEventRoutes } from './payments/webhook.ts';
import { linkRoutes } from './people/link-routes.ts';
import { meRoutes } from './people/me-routes.ts';
import { operatorAccountRoutes } from './people/account-routes.ts';
import { operatorPeopleRoutes } from './people/operator-routes.ts';
import { signUpRoute } from './people/sign-up-route.ts';
import { totpRoutes } from './people/totp-routes.ts';
import { type Noticed, noticedBy } from './platform/noticed.ts';
import { PlatformAlarms } from './platform/platform-alarms.ts';
import { type PlatformParts, platformRoutes } from './platform/routes.ts';
import { playgroundRoutes } from './playground/routes.ts';
import { cacheFigures } from './public-figures/answers.ts';
import { ModelHistories } from './public-figures/model-histories.ts';
import { feedRoute } from './public-figures/feed-route.ts';
import { limitReads } from './public-figures/read-limit.ts';
import { type PublicFiguresParts, publicFiguresRoutes } from './public-figures/routes.ts';
import { rateRoutes } from './rates/routes.ts';
import { readBodies } from './read-bodies.ts';
import { rechargeRoutes } from './recharge/routes.ts';
import { lookupRoutes } from './lookup/routes.ts';
import { refusalRoutes } from './refusals/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { routerRoutes } from './routers/routes.ts';
import { keepSessions } from './sessions/keep.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { openSite, type Site } from './site/site.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { touchTokens } from './tokens/touch.ts';
import { statementRoutes } from './statements/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { webhookDeliveryRoutes } from './webhooks/delivery-routes.ts';
import { webhookEndpointRoutes } from './webhooks/routes.ts';
import { workerRoutes } from './workers/routes.ts';

/**
 * Headers of every response, API or page. The router's own pages set their own policy for content
 * and caching.
 */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  // A stricter policy would remove the `Origin` header from our own pages' forms, which proves that
  // the forms are ours.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;
/** For a year, so that a browser that once connected over TLS never sends a password without it. */
const UNDER_TLS = { 'strict-transport-security': 'max-age=31536000' } as const;
/**
 * Long enough for a worker's id in a path: an agent's id and the longest name that the link allows,
 * URL-encoded.
 */
const PARAM_CHARS_MAX = 1024;

export interface Control extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** What this router sees that may need an operator, for its report. */
  noticed(): Noticed;
  /** Records the alarms that this router finds. */
  readonly alarmsTask: ScheduledTask;
  /** Every route of the management API. */
  readonly routes: readonly ListedRoute[];
}

export async function makeControl(parts: ControlParts): Promise<Control> {
  const bodies = new Bodies(parts.clock);
  const { app, routes, alarms } = makeApp(parts, bodies);
  await app.ready();
  return {
    routes,
    noticed: () => noticedBy(parts),
    alarmsTask: alarms.task,
    handle: (request, response) => app.routing(request, response),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

function makeApp(
  parts: ControlParts,
  bodies: Bodies,
): { app: Api; routes: ListedRoute[]; alarms: PlatformAlarms } {
  const headers = { ...HEADERS, ...(parts.urls.secure && UNDER_TLS) };
  const app = fastify({
    // Fastify's own log would contain URLs and errors; ours names its fields.
    logger: false,
    bodyLimit: limits.callerBodyBytesMax,
    trustProxy: [...parts.trustedProxies],
    return503OnClosing: false,
    // Otherwise Fastify would load the compilers whose place ours take below.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    genReqId: () => mintId('request', parts.clock, parts.random),
    frameworkErrors: (error, request, reply) => {
      void refuse(reply.headers(headers), refusalOf(error), request.id);
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => checkPart(schema, httpPart));
  app.setSerializerCompiler(serializerCompiler);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  });
  checkHosts(app, parts.allowedHosts);
  readBodies(app, bodies);
  const site = openSite(app, parts);
  answerFaults(app, parts.log, site);
  healthRoutes(app, parts);
  const routes: ListedRoute[] = [];
  describeApi(app, routes);
  const figures = cacheFigures(parts);
  const alarms = new PlatformAlarms({ ...parts, figures });
  const reads = {
    figures,
    alarms,
    histories: new ModelHistories(parts),
    checkRate: limitReads(parts.clock),
  };
  feedRoute(app, { ...parts, ...reads });
  unsubscribePage(app, parts);
  app.register(async (api: Api) => managementRoutes(api, { ...parts, ...reads }, routes), {
    prefix: '/api/v1',
  });
  const { provider } = parts;
  if (provider instanceof SandboxProvider) {
    app.register(async (pages: Api) =>
      sandboxPages(pages, provider, parts.operator.contact ?? null),
    );
  }
  return { app, routes, alarms };
}

function unused(): never {
  throw new Error('Fastify made a compiler of its own');
}

function managementRoutes(
  api: Api,
  parts: ControlParts & PublicFiguresParts & Pick<PlatformParts, 'alarms'>,
  routes: ListedRoute[],
): void {
  openGate(api, { ...parts, secure: parts.urls.secure }, routes);
  touchTokens(api, parts);
  keepSessions(api, parts);
  decorateAuditEntry(api, parts);
  decorateDownloads(api, parts);
  keyRequests(api, parts);
  api.addHook('onResponse', async (request, reply) => {
    // A page that is open, and `penstock top`, read again and again.
    const route = request.routeOptions.url;
    const { statusCode: status, elapsedTime: ms } = reply;
    parts.onResponse?.({ route, status, ms });
    const isRoutine = request.method === 'GET' && status < 400;
    parts.log[isRoutine ? 'debug' : 'info'](
      {
        request: request.id,
        method: request.method,
        // The route's pattern, not the path, so that the log contains no customers' ids.
        route,
        status,
        ms: Math.round(ms),
      },
      'management request ended',
    );
  });
  organizationRoutes(api, parts);
  auditRoutes(api, parts);
  erasureRoutes(api, parts);
  exportRoutes(api, parts);
  routerRoutes(api, parts);
  invitationRoutes(api, parts);
  memberRoutes(api, parts);
  keyRoutes(api, parts);
  tokenRoutes(api, parts);
  modelRoutes(api, parts);
  publicFiguresRoutes(api, parts);
  incidentRoutes(api, parts);
  playgroundRoutes(api, parts);
  chatRoutes(api, parts);
  creditRoutes(api, parts);
  paymentRoutes(api, parts);
  billingDetailsRoutes(api, parts);
  budgetRoutes(api, parts);
  statementRoutes(api, parts);
  rechargeRoutes(api, parts);
  rateRoutes(api, parts);
  usageRoutes(api, parts);
  refusalRoutes(api, parts);
  requestRoutes(api, parts);
  lookupRoutes(api, parts);
  agentRoutes(api, parts);
  agentEventRoutes(api, parts);
  hostReportRoutes(api, parts);
  fleetHistoryRoutes(api, parts);
  invoiceRoutes(api, parts);
  providerEventRoutes(api, parts);
  webhookEndpointRoutes(api, parts);
  webhookDeliveryRoutes(api, parts);
  workerRoutes(api, parts);
  signUpRoute(api, parts);
  sessionRoutes(api, parts);
  meRoutes(api, parts);
  totpRoutes(api, parts);
  passkeyRoutes(api, parts);
  passkeySignInRoutes(api, parts);
  linkRoutes(api, parts);
  operatorPeopleRoutes(api, parts);
  operatorAccountRoutes(api, parts);
  operatorRoutes(api, parts);
  operatorChangesRoutes(api, parts);
  jobRoutes(api, parts);
  platformRoutes(api, parts);
}

/** Health checks may use any host name. Their responses have only the router's own state. */
const OF_ANY_HOST = new Set(['/healthz', '/readyz']);

function checkHosts(app: Api, names: readonly string[] | undefined): void {
  if (names === undefined) return;
  app.addHook('onRequest', async ({ headers, url }) => {
    if (isExpectedHost(headers.host, names) || OF_ANY_HOST.has(url)) return;
    throw new Refused(
      'forbidden',
      'The router does not accept this Host: see control.allowedHosts.',
    );
  });
}

function answerFaults(app: Api, log: Log, site: Site): void {
  app.setNotFoundHandler((request, reply) => {
    if (site.isAskedFor(request)) return site.send(reply, 404);
    return refuse(reply, new Refusal('not_found'), request.id);
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error') {
      const { method, url } = request.routeOptions;
      log.error(
        { request: request.id, method, route: url, err: error },
        'management request failed',
      );
    }
    return refuse(reply, refusal, request.id);
  });
}
