/** The simulator's HTTP server: the endpoints of its dialect, and its own under /sim. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../../shared/log.ts';
import type { RouteParts } from './dialect.ts';
import { FaultConfig } from './faults/schema.ts';
import { EngineError, notFound, parsed, serverError, unavailable } from './wire/errors.ts';
import { readJson } from './wire/read.ts';
import { sendJson } from './wire/send.ts';

export interface ServerParts extends RouteParts {
  readonly log: Log;
}

type Route = (
  parts: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/** These routes answer even while the engine is dead. */
const SIM_ROUTES: Readonly<Record<string, Route>> = {
  'GET /sim/faults': (parts, _request, response) => sendFaults(parts, response),
  'PUT /sim/faults': setFaults,
  'POST /sim/faults': setFaults,
  'DELETE /sim/faults': (parts, _request, response) => {
    parts.faults.set({});
    sendFaults(parts, response);
  },
  'GET /sim/requests': ({ engine, journal, page }, _request, response) => {
    const { running, waiting } = engine.scheduler;
    const view = {
      running: running.size,
      waiting: waiting.size,
      started: journal.started,
      finished: page.finishedCount,
      aborted: page.abortedCount,
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
    const simRoute = SIM_ROUTES[name];
    if (simRoute) return await simRoute(parts, request, response);
    if (!parts.life.alive) throw unavailable('The engine is dead.');
    if (parts.loading) throw unavailable('Loading model');
    const route = parts.dialect.routes[name];
    if (!route) throw notFound('Not Found');
    await route(parts, request, response);
  } catch (error) {
    if (error instanceof EngineError) return sendError(parts, response, error);
    // The client left while it sent its body, which is not an error of the simulator.
    if (response.destroyed || !request.complete) return;
    parts.log.error({ err: error }, 'request failed');
    sendError(parts, response, serverError('Internal server error'));
  }
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

function sendError({ dialect }: ServerParts, response: ServerResponse, error: EngineError): void {
  sendJson(response, error.status, dialect.errorBody(error));
}
