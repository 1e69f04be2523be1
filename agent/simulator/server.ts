/** The simulator's HTTP server: the endpoints of its dialect, and its own under /sim. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Route, RouteParts, Routes } from './dialect.ts';
import { FaultConfig } from './faults/schema.ts';
import { EngineError, notFound, parsed, serverError, unavailable } from './wire/errors.ts';
import { readJson } from './wire/read.ts';
import { sendJson } from './wire/send.ts';

/** These routes answer even while the engine is dead. */
const SIM_ROUTES: Routes = {
  'GET /sim/faults': faultsView,
  'PUT /sim/faults': setFaults,
  'POST /sim/faults': setFaults,
  'DELETE /sim/faults': (parts) => {
    parts.faults.set({});
    return faultsView(parts);
  },
  'GET /sim/requests': ({ engine, journal, page }) => ({
    running: engine.scheduler.running.size,
    waiting: engine.scheduler.waiting.size,
    started: journal.started,
    finished: page.finishedCount,
    aborted: page.abortedCount,
    last: journal.last,
  }),
};

export function makeServer(parts: RouteParts): Server {
  return createServer((request, response) => {
    void answer(parts, request, response);
  });
}

async function answer(
  parts: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const [path] = (request.url ?? '/').split('?');
    const name = `${request.method} ${path}`;
    const body = await routeOf(name, parts)(parts, request, response);
    if (body) sendJson(response, 200, JSON.stringify(body));
  } catch (error) {
    if (error instanceof EngineError) return sendError(parts, response, error);
    // The client left while it sent its body, which is not an error of the simulator.
    if (response.destroyed || !request.complete) return;
    parts.log.error({ err: error }, 'request failed');
    sendError(parts, response, serverError('Internal server error'));
  }
}

/** Throws EngineError when the engine cannot answer, or has no such route. */
function routeOf(name: string, { dialect, life, loading }: RouteParts): Route {
  const simRoute = SIM_ROUTES[name];
  if (simRoute) return simRoute;
  if (!life.alive) throw unavailable('The engine is dead.');
  if (loading) throw unavailable('Loading model');
  const route = dialect.routes[name];
  if (!route) throw notFound('Not Found');
  return route;
}

async function setFaults(parts: RouteParts, request: IncomingMessage): Promise<object> {
  parts.faults.set(parsed(FaultConfig, await readJson(request)));
  return faultsView(parts);
}

function faultsView({ faults, life }: RouteParts): object {
  return { faults: faults.config, taken: faults.taken, alive: life.alive };
}

function sendError({ dialect }: RouteParts, response: ServerResponse, error: EngineError): void {
  sendJson(response, error.status, dialect.errorBody(error));
}
