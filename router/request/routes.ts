/**
 * The routes of the data plane. Clients join a base URL and a path in different ways, so doubled
 * and trailing slashes are ignored.
 */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../shared/refusals.ts';
import type { Api } from './api.ts';

export type Route =
  | Readonly<{ kind: 'inference'; api: Api }>
  /** Counts the tokens of a prompt. */
  | Readonly<{ kind: 'count'; api: 'messages' }>
  | Readonly<{ kind: 'models' }>
  | Readonly<{ kind: 'model'; id: string }>
  /** The limits of the calling key, and what is left of them. */
  | Readonly<{ kind: 'key' }>
  /** Says that the router takes requests. Needs no key. */
  | Readonly<{ kind: 'health' }>;

type Listed = Readonly<{ method: 'GET' | 'POST'; route: Route }>;

const HEALTH: Listed = { method: 'GET', route: { kind: 'health' } };

export const INFERENCE_PATHS = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
} as const satisfies Record<Api, string>;

function inference(api: Api): [string, Listed] {
  return [INFERENCE_PATHS[api], { method: 'POST', route: { kind: 'inference', api } }];
}

/** By path. `GET /v1/models/{id}` is the only other route. */
export const ROUTES: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  inference('chat'),
  inference('completions'),
  inference('responses'),
  inference('messages'),
  ['/v1/messages/count_tokens', { method: 'POST', route: { kind: 'count', api: 'messages' } }],
  ['/v1/models', { method: 'GET', route: { kind: 'models' } }],
  ['/v1/key', { method: 'GET', route: { kind: 'key' } }],
  ['/v1/health', HEALTH],
  ['/health', HEALTH],
]);

const MODEL = '/v1/models/';

const ENDPOINT_PATHS: ReadonlyMap<string, string> = new Map(
  [...ROUTES].map(([path, { route }]) => [keyOf(route), path]),
);

function keyOf(route: Route): string {
  return 'api' in route ? `${route.kind} ${route.api}` : route.kind;
}

/**
 * Whether a URL is the data plane's. Paths of its endpoints without `/v1` are as well: they get a
 * hint.
 */
export function isOfDataPlane(url: string): boolean {
  if (url.startsWith('/v1/')) return true;
  const path = pathOf(url);
  return (
    path === '/v1' || path.startsWith('/v1/') || ROUTES.has(path) || find(`/v1${path}`) !== null
  );
}

/**
 * The route of a request, or the refusal that says which request there is instead. A refusal is in
 * the format of the API that the client meant.
 */
export type Routed = Readonly<{ route: Route | Refusal; api: Api | null }>;

export function routeOf({ method, url = '' }: IncomingMessage): Routed {
  const path = pathOf(url);
  const found = find(path);
  if (found) {
    const api = apiOf(found);
    if (found.method === method) return { route: found.route, api };
    const known = ROUTES.has(path) ? path : `${MODEL}{id}`;
    return { route: notFound(`${known} takes ${found.method}.`), api };
  }
  // A base URL has no /v1, or has it although the client adds it.
  const meant = path.startsWith('/v1/v1/') ? path.slice('/v1'.length) : `/v1${path}`;
  const nearest = find(meant);
  if (!nearest) return { route: notFound(), api: null };
  const api = apiOf(nearest);
  const hint =
    api === 'messages'
      ? `The path is ${meant}: clients of this API add /v1 to a base URL without it.`
      : 'The base URL ends in /v1, once: its paths are /v1/….';
  return { route: notFound(hint), api };
}

/** The path under which lists show an endpoint. It has nothing of what a client wrote. */
export function endpointOf(route: Route): string {
  if (route.kind === 'model') return `${MODEL}{id}`;
  return ENDPOINT_PATHS.get(keyOf(route)) ?? '';
}

function apiOf({ route }: Listed): Api | null {
  return 'api' in route ? route.api : null;
}

function find(path: string): Listed | null {
  const listed = ROUTES.get(path);
  if (listed) return listed;
  const id = path.startsWith(MODEL) ? decoded(path.slice(MODEL.length)) : null;
  return id === null ? null : { method: 'GET', route: { kind: 'model', id } };
}

/** Returns null for a path with a `%` that escapes nothing. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

function notFound(hint: string | null = null): Refusal {
  return new Refusal('not_found', hint === null ? {} : { message: hint });
}
