/** Calls to the management API, of the same origin: the session is the cookie, which scripts never see. */
import type { z } from 'zod';

/** What the API refused, as docs/errors.md has it. `status` 0: it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field that is at fault, if one is. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(
    status: number,
    fault: Readonly<{ message: string; code: string; param: string | null }>,
    id: string | null,
  ) {
    super(fault.message);
    this.status = status;
    this.code = fault.code;
    this.param = fault.param;
    this.requestId = id;
  }
}

/** What is sent of a schema, and what comes back. */
export type Sent<Schema extends z.ZodType> = z.input<Schema>;

export type Page<Item> = Readonly<{
  data: readonly Item[];
  has_more: boolean;
  next: string | null;
}>;

type Query = Readonly<Record<string, string | number | undefined | null>>;

/** `path` below `/api/v1`, with its query; what is undefined, null or empty is left out. */
export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string | number] =>
      pair[1] !== undefined && pair[1] !== null && pair[1] !== '',
  );
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `/api/v1${path}${search === '' ? '' : `?${search}`}`;
}

/** Throws ApiError. */
export async function get<Answer>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return (await request('GET', pathOf(path, query), undefined, { signal })) as Answer;
}

/** `key`: an Idempotency-Key. Throws ApiError. */
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
        ? 'The service could not be reached. Check the connection and try again.'
        : 'The service could not be reached, and whether this was done is not known. Look before you try again.';
    throw new ApiError(0, { message, code: 'unreachable', param: null }, null);
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response, answer);
  return answer;
}

type Refused = {
  error: { message: string; code: string; param: string | null };
  request_id: string;
};

function errorOf(response: Response, answer: unknown): ApiError {
  const refused = answer as Refused | null;
  if (!refused?.error) {
    const message = `The service answered with status ${response.status}.`;
    return new ApiError(response.status, { message, code: 'unknown', param: null }, null);
  }
  return new ApiError(response.status, refused.error, refused.request_id);
}
