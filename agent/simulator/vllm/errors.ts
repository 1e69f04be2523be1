/** Errors in vLLM's shape: `{"error": {message, type, param, code: <int>}}`. */
import type { z } from 'zod';

export class EngineError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, type: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
  }

  get json(): string {
    const { message, type, param, status: code } = this;
    return JSON.stringify({ error: { message, type, param, code } });
  }
}

export function badRequest(message: string, param: string | null = null): EngineError {
  return new EngineError(400, 'BadRequestError', message, param);
}

export function notFound(message: string, param: string | null = null): EngineError {
  return new EngineError(404, 'NotFoundError', message, param);
}

export function serverError(message: string): EngineError {
  return new EngineError(500, 'InternalServerError', message);
}

export function unavailable(message: string): EngineError {
  return new EngineError(503, 'ServiceUnavailableError', message);
}

/** What `schema` makes of a body, or a 400 that names the first field at fault. */
export function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw badRequest(`${path}: ${issue?.message ?? 'invalid request'}`, path === '' ? null : path);
}
