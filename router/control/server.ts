/**
 * The control plane's HTTP: all that is not the data plane or the link. Fastify owns no port here: requests are
 * handed to it by `router/listen.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FastifyRequest, fastify } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Clock } from '../../shared/clock.ts';
import { mintId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { Refusal } from '../../shared/refusals.ts';
import { hostReportRoutes } from './agents/report.ts';
import { type AgentParts, agentRoutes } from './agents/routes.ts';
import { type Api, Refused } from './api.ts';
import { type CreditParts, creditRoutes } from './credit/routes.ts';
import { checkPart, refusalOf, refuse } from './errors.ts';
import { type KeyParts, keyRoutes } from './keys/routes.ts';
import { authenticateOperator, type OperatorParts } from './operators/authenticate.ts';
import { type OrganizationParts, organizationRoutes } from './organizations/routes.ts';
import { type RateParts, rateRoutes } from './rates/routes.ts';
import { type UsageParts, usageRoutes } from './usage/routes.ts';
import { type WorkerParts, workerRoutes } from './workers/routes.ts';

const BODY_BYTES_MAX = 1024 * 1024;
/** A worker's id in a path: an agent's id, and a name of any length that the link allows, encoded. */
const PARAM_CHARS_MAX = 1024;

export type ControlParts = OperatorParts &
  OrganizationParts &
  KeyParts &
  CreditParts &
  RateParts &
  UsageParts &
  AgentParts &
  WorkerParts &
  Readonly<{
    clock: Clock;
    random: Random;
    log: Log;
    /** Whether requests are served at the moment: what `/readyz` tells a load balancer. */
    ready: () => boolean;
  }>;

export interface Control extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export async function makeControl(parts: ControlParts): Promise<Control> {
  const app = makeApp(parts);
  await app.ready();
  return {
    handle: (request, response) => app.routing(request, response),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

function makeApp(parts: ControlParts): Api {
  const app = fastify({
    // Its own log would quote URLs and errors; ours names its fields.
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    genReqId: () => mintId('request', parts.clock, parts.random),
    frameworkErrors: (error, request, reply) => {
      void refuse(reply, refusalOf(error), request.id);
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => checkPart(schema, httpPart));
  app.setSerializerCompiler(serializerCompiler);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  readJsonBodies(app);
  answerFaults(app, parts.log);
  healthRoutes(app, parts);
  app.register(async (api: Api) => managementRoutes(api, parts), { prefix: '/api/v1' });
  return app;
}

function managementRoutes(api: Api, parts: ControlParts): void {
  api.decorateRequest('operator');
  api.addHook('onRequest', async (request) => {
    request.operator = await authenticateOperator(parts, request.headers.authorization);
  });
  api.addHook('onResponse', async (request, reply) => {
    parts.log.info(
      {
        request: request.id,
        method: request.method,
        // The pattern, not the path: a log needs no ids of customers.
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'management request',
    );
  });
  organizationRoutes(api, parts);
  keyRoutes(api, parts);
  creditRoutes(api, parts);
  rateRoutes(api, parts);
  usageRoutes(api, parts);
  agentRoutes(api, parts);
  hostReportRoutes(api, parts);
  workerRoutes(api, parts);
}

function healthRoutes(app: Api, { ready }: ControlParts): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = ready();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
}

function readJsonBodies(app: Api): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string): Promise<unknown> => {
      if (body === '') return undefined;
      try {
        return JSON.parse(body);
      } catch {
        throw new Refused('invalid_json');
      }
    },
  );
}

function answerFaults(app: Api, log: Log): void {
  app.setNotFoundHandler((request, reply) => refuse(reply, new Refusal('not_found'), request.id));
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error') {
      log.error({ request: request.id, error: String(error) }, 'management request failed');
    }
    return refuse(reply, refusal, request.id);
  });
}
