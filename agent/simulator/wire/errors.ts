/** The errors of engines. Each dialect serializes them in its own way. */
import type { z } from 'zod';

export class EngineError extends Error {
  readonly status: number;
  /** The error's type on vLLM and SGLang. */
  readonly type: string;
  readonly param: string | null;

  constructor(status: number, type: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
  }
}

/** The context has no room for a prompt, alone or with its answer. */
export class ContextError extends EngineError {
  readonly promptTokens: number;
  readonly contextTokens: number;

  constructor(message: string, size: { promptTokens: number; contextTokens: number }) {
    super(400, 'BadRequestError', message, 'input_tokens');
    this.promptTokens = size.promptTokens;
    this.contextTokens = size.contextTokens;
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

export function tooMany(message: string): EngineError {
  return new EngineError(429, 'TooManyRequestsError', message);
}

export function unavailable(message: string): EngineError {
  return new EngineError(503, 'ServiceUnavailableError', message);
}

/** Parses a body. Throws a 400 that names the first field that is not valid. */
export function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw badRequest(`${path}: ${issue?.message ?? 'invalid request'}`, path === '' ? null : path);
}
