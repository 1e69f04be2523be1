/**
 * The errors that operations can return: the closed table of refusals, limited to the management
 * API.
 */
import { z } from 'zod';
import { BLOCKING_REASONS, REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { COMPONENT } from './schemas.ts';

const REQUEST_ID = 'req_01kap5zr4w8q2m6t9v3x7c1d5f';

/** Errors that only the data plane returns. */
const DATA_PLANE: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'context_length_exceeded',
  'unsupported_encoding',
  'idempotency_key_reused',
  'already_answered',
  'missing_api_key',
  'invalid_api_key',
  'wrong_region',
  'insufficient_credit',
  'organization_suspended',
  'model_not_allowed',
  'key_limit_reached',
  'engine_failed',
  'worker_lost',
  'no_worker',
  'workers_died',
  'overloaded',
  'shutting_down',
  'first_byte_timeout',
  'idle_timeout',
  'deadline_exceeded',
]);

/** The management API's error codes by HTTP status. */
const CODES: ReadonlyMap<number, readonly RefusalCode[]> = Map.groupBy(
  (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => !DATA_PLANE.has(code)),
  (code) => REFUSALS[code].status,
);

const ALL = [...CODES.values()].flat();

const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      message: z.string().describe('What is wrong, and how to fix it.'),
      type: z.enum(ALL.map((code) => REFUSALS[code].type)),
      param: z.string().nullable().describe('The path of the field that caused the error.'),
      code: z.enum(ALL),
      organizations: z
        .array(
          z.strictObject({
            id: z.string(),
            name: z.string(),
            reason: z
              .enum(BLOCKING_REASONS)
              .describe(
                '`last_admin`: you are its last administrator, and it has other members. `owing`: it would be ' +
                  'deleted with your account, but owes something, or its running requests may.',
              ),
            message: z.string().describe('What must change, in a sentence with the name.'),
          }),
        )
        .optional()
        .describe(
          'When your account cannot be deleted: the organizations that must change first. Otherwise absent.',
        ),
    }),
    request_id: z.string().describe('The id of the request, as in the header `x-request-id`.'),
  })
  .describe('The shape of every error, in the management API and on the data plane.');

const HEADERS = {
  'x-request-id': { description: 'The id of the request.', schema: { type: 'string' } },
} as const;
const HEADERS_OF_RETRIES = {
  ...HEADERS,
  'retry-after': {
    description: 'How many seconds to wait before a retry, when a retry can help.',
    schema: { type: 'integer' },
  },
} as const;

/** Where the message of the table is about the data plane. */
const MESSAGES: Partial<Readonly<Record<RefusalCode, string>>> = {
  body_too_large: 'The body is larger than 1 MiB.',
};

const messageOf = (code: RefusalCode) => MESSAGES[code] ?? REFUSALS[code].message;

/** What the errors of all operations refer to: their schema, and a response for each status. */
export function errorComponents() {
  const responses = [...CODES].map(([status, codes]) => [
    `Error${status}`,
    {
      description: codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join('\n\n'),
      headers: codes.some((code) => REFUSALS[code].retry) ? HEADERS_OF_RETRIES : HEADERS,
      content: {
        'application/json': {
          schema: { $ref: `${COMPONENT}Error` },
          examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    },
  ]);
  return {
    schemas: { Error: z.toJSONSchema(ErrorBody) as object },
    responses: Object.fromEntries(responses),
  };
}

function exampleOf(code: RefusalCode) {
  const { type } = REFUSALS[code];
  return { error: { message: messageOf(code), type, param: null, code }, request_id: REQUEST_ID };
}

/**
 * Refers to the error responses of an operation. A public read never returns 401 or 403, and no
 * read returns 402, 409, 429 or 502. A read without a path parameter never returns 404.
 */
export function errorReferences(method: string, path: string, isPublic: boolean) {
  const never = new Set<number>();
  if (method === 'get') {
    for (const status of [402, 409, 429, 502]) never.add(status);
    if (isPublic) for (const status of [401, 403]) never.add(status);
    if (!path.includes('{')) never.add(404);
  }
  const statuses = [...CODES.keys()].filter((status) => !never.has(status));
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
