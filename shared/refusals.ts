/**
 * The closed table of every refusal of a request. `docs/errors.md` is generated from it. Messages
 * say what is wrong and what helps. They never quote a key, a prompt or a host.
 */

type Row = Readonly<{
  status: number;
  type: string;
  /** Whether the same request may succeed later. */
  retry: boolean;
  message: string;
}>;

export const REFUSALS = {
  invalid_json: row(400, 'invalid_request_error', false, 'The body is not valid JSON.'),
  invalid_value: row(
    400,
    'invalid_request_error',
    false,
    'A field has a value that is not allowed.',
  ),
  missing_field: row(400, 'invalid_request_error', false, 'A required field is missing.'),
  unsupported_parameter: row(400, 'invalid_request_error', false, 'A parameter is not supported.'),
  context_length_exceeded: row(
    400,
    'invalid_request_error',
    false,
    'Prompt and response together exceed the context length of the model.',
  ),
  token_limit_exceeded: row(
    400,
    'invalid_request_error',
    false,
    'The prompt has more tokens than a limit allows in a minute.',
  ),
  body_too_large: row(400, 'invalid_request_error', false, 'The body is larger than 32 MiB.'),
  idempotency_key_reused: row(
    400,
    'invalid_request_error',
    false,
    'This Idempotency-Key was used with a different request: use a new one.',
  ),
  already_answered: row(
    400,
    'invalid_request_error',
    false,
    'Another request with this Idempotency-Key was charged.',
  ),
  unsupported_encoding: row(
    400,
    'invalid_request_error',
    false,
    'The body is compressed: send plain JSON, without the header "Content-Encoding".',
  ),
  bad_request: row(400, 'invalid_request_error', false, 'The request is not well-formed HTTP.'),
  missing_api_key: row(
    401,
    'authentication_error',
    false,
    'No API key: send the header "Authorization: Bearer <API_KEY>".',
  ),
  invalid_api_key: row(401, 'authentication_error', false, 'The API key is invalid or revoked.'),
  not_signed_in: row(
    401,
    'authentication_error',
    false,
    'Sign in, or send a token: the header "Authorization: Bearer <TOKEN>".',
  ),
  invalid_token: row(
    401,
    'authentication_error',
    false,
    'The token is invalid, expired or revoked.',
  ),
  invalid_credentials: row(
    401,
    'authentication_error',
    false,
    'The email address, the password or the code is wrong.',
  ),
  second_factor_required: row(
    401,
    'authentication_error',
    false,
    'Send the code of your authenticator as well, or a recovery code.',
  ),
  invalid_passkey: row(
    401,
    'authentication_error',
    false,
    'The passkey is not known here, or its answer is not valid or came too late: try again, or sign in with your password.',
  ),
  wrong_region: row(
    401,
    'authentication_error',
    false,
    "This endpoint does not serve the organization's region.",
  ),
  insufficient_credit: row(
    402,
    'insufficient_credit',
    false,
    'The credit does not cover this request: add credit, then retry.',
  ),
  organization_suspended: row(403, 'permission_error', false, 'The organization is suspended.'),
  forbidden: row(
    403,
    'permission_error',
    false,
    'The management API does not allow you to do this.',
  ),
  changes_not_allowed: row(
    403,
    'permission_error',
    false,
    'You act as operator in this organization, which begins read-only: allow changes first.',
  ),
  account_locked: row(
    403,
    'permission_error',
    false,
    'This account is locked: contact support to unlock it.',
  ),
  foreign_origin: row(
    403,
    'permission_error',
    false,
    'The request came from a page of another origin.',
  ),
  model_not_allowed: row(403, 'permission_error', false, 'The API key may not use this model.'),
  not_found: row(404, 'not_found_error', false, 'There is nothing here for this path and method.'),
  model_not_found: row(404, 'not_found_error', false, 'No such model: see GET /v1/models.'),
  conflict: row(409, 'conflict_error', false, 'This does not fit the present state.'),
  rate_limited: row(429, 'rate_limit_error', true, 'Too many requests: slow down, then retry.'),
  key_limit_reached: row(
    429,
    'rate_limit_error',
    false,
    'A cap of spend of the key, or of the member who created it, does not cover this request.',
  ),
  internal_error: row(500, 'server_error', true, 'Something failed on our side.'),
  engine_failed: row(502, 'server_error', true, 'The engine failed to answer.'),
  worker_lost: row(502, 'server_error', true, 'The worker was lost before it answered.'),
  provider_failed: row(
    502,
    'server_error',
    true,
    'The payment provider did not answer: nothing was charged.',
  ),
  no_worker: row(
    503,
    'server_error',
    true,
    'The model is unavailable: no worker serves it at the moment.',
  ),
  workers_died: row(
    503,
    'server_error',
    false,
    'Two workers died while they had this request: it is not tried on a third.',
  ),
  overloaded: row(503, 'server_error', true, 'All workers of this model are busy.'),
  store_unavailable: row(503, 'server_error', true, 'The ledger cannot be reached at the moment.'),
  shutting_down: row(503, 'server_error', true, 'This router is shutting down.'),
  first_byte_timeout: row(504, 'server_error', true, 'No answer began within the time allowed.'),
  idle_timeout: row(504, 'server_error', true, 'The answer stopped coming.'),
  deadline_exceeded: row(504, 'server_error', true, 'The answer took longer than allowed.'),
} as const satisfies Record<string, Row>;

function row(status: number, type: string, retry: boolean, message: string): Row {
  return { status, type, retry, message };
}

/** The message of `invalid_api_key` if the key has expired. Its own message is that of a revoked key. */
export const KEY_EXPIRED = 'The API key has expired.';

/**
 * How a message of `rate_limited` begins if it names a limit. The limit follows, then a colon and
 * what to do.
 */
export const LIMITED_TO = {
  key: 'This API key is limited to',
  organization: 'This organization is limited to',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/**
 * Why an organization keeps an account from being deleted: the person is its last administrator, or
 * it owes something.
 */
export const BLOCKING_REASONS = ['last_admin', 'owing'] as const;

/** An organization that must change before the request can succeed. */
export type BlockingOrganization = Readonly<{
  id: string;
  name: string;
  reason: (typeof BLOCKING_REASONS)[number];
  /** What must change, in a sentence with the name. */
  message: string;
}>;

/** The body of every error answer, on both planes. */
export type ErrorBody = Readonly<{
  error: {
    message: string;
    type: string;
    param: string | null;
    code: RefusalCode;
    /** Left out if there are none. */
    organizations?: readonly BlockingOrganization[];
  };
  request_id: string;
}>;

/** A refusal as a value: a stage returns it, and only `handle` turns it into an answer. */
export class Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  /** The field at fault, as a path: `messages[0].content`. */
  readonly param: string | null;
  readonly retryAfterS: number | null;
  readonly organizations: readonly BlockingOrganization[];

  constructor(
    code: RefusalCode,
    options: {
      message?: string;
      param?: string | null;
      retryAfterS?: number;
      organizations?: readonly BlockingOrganization[];
    } = {},
  ) {
    this.code = code;
    this.message = options.message ?? REFUSALS[code].message;
    this.param = options.param ?? null;
    this.retryAfterS = options.retryAfterS ?? null;
    this.organizations = options.organizations ?? [];
  }

  get status(): number {
    return REFUSALS[this.code].status;
  }

  body(requestId: string): ErrorBody {
    const { code, message, param, organizations } = this;
    const blocked = organizations.length === 0 ? {} : { organizations };
    const error = { message, type: REFUSALS[code].type, param, code, ...blocked };
    return { error, request_id: requestId };
  }
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal;
}
