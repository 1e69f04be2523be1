/**
 * Calls to the management API of the same origin, with the session cookie, which scripts cannot
 * read.
 */
import type { z } from 'zod';
import type { BlockingOrganization } from '../../../shared/refusals.ts';

type ApiFault = Readonly<{
  message: string;
  code: string;
  param: string | null;
  organizations?: readonly BlockingOrganization[];
}>;

/**
 * An error answer of the API. `code` is one of those in docs/errors.md, `unknown` when the answer
 * is not an error of the API, or `unreachable`, with `status` 0, when the service could not be
 * reached.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The name of the invalid field; null when the error is not about a single field. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** The organizations that must change before the request can succeed. */
  readonly organizations: readonly BlockingOrganization[];

  constructor(status: number, fault: ApiFault, id: string | null) {
    super(fault.message);
    this.status = status;
    this.code = fault.code;
    this.param = fault.param;
    this.requestId = id;
    this.organizations = fault.organizations ?? [];
  }
}

/** For support. Null for an error that no router has answered. */
export function requestIdOf(error: Error): string | null {
  return error instanceof ApiError ? error.requestId : null;
}

/** The type of a request body that `Schema` accepts. */
export type Sent<Schema extends z.ZodType> = z.input<Schema>;

export type Page<Item> = Readonly<{
  data: readonly Item[];
  has_more: boolean;
  next: string | null;
}>;

type Value = string | number | undefined | null;
export type Query = Readonly<Record<string, Value | readonly string[]>>;

/**
 * Returns `path` below `/api/v1` with its query, without undefined, null and empty parameters. A
 * parameter with several values is repeated.
 */
export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .filter((pair) => pair[1] !== undefined && pair[1] !== null && pair[1] !== '');
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `/api/v1${path}${search === '' ? '' : `?${search}`}`;
}

/** Throws ApiError, or the error of `fetch` when `signal` has been aborted. */
export async function get<Answer>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return (await request('GET', pathOf(path, query), undefined, { signal })) as Answer;
}

/** `key` is sent as the Idempotency-Key. Throws ApiError. */
export async function send<Answer>(
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  key?: string,
): Promise<Answer> {
  return (await request(method, pathOf(path), body, { key })) as Answer;
}

async function request(
  method: string,
  url: string,
  body: unknown,
  { key, signal }: Readonly<{ key?: string | undefined; signal?: AbortSignal | undefined }>,
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    const message =
      method === 'GET'
        ? 'Could not reach the service. Check your connection and try again.'
        : 'Could not reach the service. It is unknown whether your request took effect. Check before you try again.';
    throw new ApiError(0, { message, code: 'unreachable', param: null }, null);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response, answer);
  return answer;
}

type Refused = Readonly<{ error: ApiFault; request_id: string }>;

function errorOf(response: Response, answer: unknown): ApiError {
  const refused = answer as Refused | null;
  if (!refused?.error) {
    const message = `The service returned an unexpected response with status ${response.status}. Try again later.`;
    return new ApiError(response.status, { message, code: 'unknown', param: null }, null);
  }
  return new ApiError(response.status, refused.error, refused.request_id);
}
