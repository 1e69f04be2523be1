/** The simulator's HTTP face: vLLM's endpoints, and its own under /sim. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { unixSeconds } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { FaultConfig } from './faults/schema.ts';
import { type Endpoint, generate, type GenerateParts } from './generate.ts';
import type { ServedModel } from './models.ts';
import {
  badRequest,
  EngineError,
  notFound,
  parsed,
  serverError,
  unavailable,
} from './vllm/errors.ts';
import type { EngineMetrics } from './vllm/metrics.ts';
import { sendEmpty, sendError, sendJson } from './vllm/send.ts';
import { tokenize } from './vllm/tokenize.ts';

export interface ServerParts extends GenerateParts {
  readonly meter: EngineMetrics;
  readonly log: Log;
}

/** The version of vLLM whose wire is simulated. */
const VERSION = '0.25.0+penstock.sim';
const BODY_BYTES_MAX = 256 * 1024 * 1024;

type Route = (
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

const ROUTES: Readonly<Record<string, Route>> = {
  'POST /v1/chat/completions': (...call) => complete('chat', ...call),
  'POST /v1/completions': (...call) => complete('text', ...call),
  'POST /tokenize': async ({ models }, request, response) => {
    sendJson(response, 200, tokenize(models, await readJson(request)));
  },
  'GET /v1/models': ({ models, clock }, _request, response) => {
    sendJson(response, 200, listModels([...models.values()], unixSeconds(clock)));
  },
  'GET /health': (_parts, _request, response) => sendEmpty(response, 200),
  'GET /version': (_parts, _request, response) => {
    sendJson(response, 200, JSON.stringify({ version: VERSION }));
  },
  'GET /metrics': async ({ meter }, _request, response) => {
    const text = await meter.text();
    response.writeHead(200, { 'content-type': meter.contentType }).end(text);
  },
};

/** These answer also while the engine plays dead. */
const SIM_ROUTES: Readonly<Record<string, Route>> = {
  'GET /sim/faults': (parts, _request, response) => sendFaults(parts, response),
  'PUT /sim/faults': setFaults,
  'POST /sim/faults': setFaults,
  'DELETE /sim/faults': (parts, _request, response) => {
    parts.faults.set({});
    sendFaults(parts, response);
  },
  'GET /sim/requests': ({ engine, journal, meter }, _request, response) => {
    const { running, waiting } = engine.scheduler;
    const view = {
      running: running.size,
      waiting: waiting.size,
      started: journal.started,
      finished: meter.finishedCount,
      aborted: meter.abortedCount,
      last: journal.last,
    };
    sendJson(response, 200, JSON.stringify(view));
  },
};

export function makeServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    void answer(parts, request, response);
  });
}

async function answer(
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const [path] = (request.url ?? '/').split('?');
    const name = `${request.method} ${path}`;
    const route = SIM_ROUTES[name] ?? ROUTES[name];
    if (!(name in SIM_ROUTES) && !parts.life.alive) throw unavailable('The engine is dead.');
    if (!route) throw notFound('Not Found');
    await route(parts, request, response);
  } catch (error) {
    if (error instanceof EngineError) return sendError(response, error);
    // A client that left while it sent its body is no fault of ours.
    if (response.destroyed || !request.complete) return;
    parts.log.error({ err: error }, 'a request failed');
    sendError(response, serverError('Internal server error'));
  }
}

async function complete(
  endpoint: Endpoint,
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  parts.journal.note(request.url ?? '', request.headers, body);
  // It may have died while the body came, or the client may have left.
  if (!parts.life.alive) throw unavailable('The engine is dead.');
  if (response.destroyed) return;
  generate(parts, endpoint, { request, response, body });
}

async function setFaults(
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  parts.faults.set(parsed(FaultConfig, await readJson(request)));
  sendFaults(parts, response);
}

function sendFaults({ faults, life }: ServerParts, response: ServerResponse): void {
  const view = { faults: faults.config, taken: faults.taken, alive: life.alive };
  sendJson(response, 200, JSON.stringify(view));
}

function listModels(models: readonly ServedModel[], created: number): string {
  const data = models.map(({ id, root, contextTokens }) => ({
    id,
    object: 'model',
    created,
    owned_by: 'vllm',
    root,
    parent: null,
    max_model_len: contextTokens,
    permission: [],
  }));
  return JSON.stringify({ object: 'list', data });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX)
      throw new EngineError(413, 'BadRequestError', 'The body is too large.');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw badRequest('JSON decode error');
  }
}
