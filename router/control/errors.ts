/** Turns failures in the control plane into responses in the shared error format. */
import type { FastifyError, FastifyReply } from 'fastify';
import { z } from 'zod';
import { fieldPath } from '../../shared/api/inference.ts';
import { sentenceOf } from '../../shared/api/schema-messages.ts';
import { Refusal } from '../../shared/refusals.ts';
import { StoreUnavailable } from '../store/errors.ts';
import { Refused } from './api.ts';

/** Fastify's own errors that a client can cause. */
const FASTIFY_FAULTS: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refusal('bad_request', {
    message: 'Send the body as application/json.',
  }),
  // A path that cannot be decoded, or that is longer than any id, matches no resource.
  FST_ERR_BAD_URL: new Refusal('not_found'),
  FST_ERR_MAX_PARAM_LENGTH: new Refusal('not_found'),
};

/** Returns the refusal for any thrown value. `internal_error` means a bug in this code. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof StoreUnavailable)
    return new Refusal('store_unavailable', { retryAfterS: 1 });
  const { code = '', statusCode } = error as Partial<FastifyError>;
  return FASTIFY_FAULTS[code] ?? new Refusal(statusCode === 400 ? 'bad_request' : 'internal_error');
}

/** Sends a refusal, in the same format as the data plane. */
export function refuse(reply: FastifyReply, refusal: Refusal, requestId: string): FastifyReply {
  if (refusal.retryAfterS !== null) reply.header('retry-after', refusal.retryAfterS);
  return reply.code(refusal.status).header('x-request-id', requestId).send(refusal.body(requestId));
}

/**
 * Builds Fastify's validator for one part of a request. The error names the first invalid field.
 */
export function checkPart(schema: z.ZodType, part: string | undefined) {
  // A query parameter that is repeated is one parameter.
  const placed = <Issue extends z.core.$ZodRawIssue | z.core.$ZodIssue>(issue: Issue): Issue =>
    part === 'querystring' ? { ...issue, path: issue.path?.slice(0, 1) } : issue;
  return (input: unknown): { value: unknown } | { error: Refused } => {
    const parsed = schema.safeParse(input, { error: (issue) => sentenceOf(placed(issue)) });
    if (parsed.success) {
      const param = fieldWithNul(input);
      if (param === undefined) return { value: parsed.data };
      return {
        error:
          part === 'params'
            ? new Refused('not_found')
            : new Refused('invalid_value', `${param} contains a NUL character.`, param),
      };
    }
    const [first] = parsed.error.issues;
    return { error: first ? faultOf(placed(first), part, input) : new Refused('invalid_value') };
  };
}

/**
 * Returns the top-level field that contains a NUL character at any depth, or undefined. Not every
 * store accepts NUL in text, and no legitimate client sends it.
 */
function fieldWithNul(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  return Object.entries(input).find(([, value]) => hasNul(value))?.[0];
}

function hasNul(value: unknown): boolean {
  // No recursion: a value that the schema does not inspect may be nested deeper than the call stack
  // allows.
  const rest = [value];
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one !== 'object' || one === null) continue;
    for (const inner of Object.values(one)) if (inner !== undefined) rest.push(inner);
  }
  return false;
}

function faultOf(issue: z.core.$ZodIssue, part: string | undefined, input: unknown): Refused {
  // A path parameter that is not a valid id of its kind cannot name anything.
  if (part === 'params') return new Refused('not_found');
  if (issue.code === 'unrecognized_keys') {
    const param = fieldPath([...issue.path, ...issue.keys.slice(0, 1)]);
    return new Refused('unsupported_parameter', `${param} is not a field of this request.`, param);
  }
  // The schema's own rule about the whole body: it is an object.
  if (issue.path.length === 0 && issue.code === 'custom') {
    return new Refused('invalid_value', issue.message);
  }
  if (issue.path.length === 0) {
    return new Refused('invalid_json', 'The body is not a JSON object.');
  }
  const param = fieldPath(issue.path);
  const missing = issue.path.reduce<unknown>(step, input) === undefined;
  return missing
    ? new Refused('missing_field', `${param} is required.`, param)
    : new Refused('invalid_value', issue.message, param);
}

function step(holder: unknown, key: PropertyKey): unknown {
  return (holder as Record<PropertyKey, unknown> | null | undefined)?.[key];
}
