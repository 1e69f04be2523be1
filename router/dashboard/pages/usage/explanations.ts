/** Why a request was refused or failed, and what helps, by its error code. */
import {
  KEY_EXPIRED,
  LIMITED_TO,
  REFUSALS,
  type RefusalCode,
} from '../../../../shared/refusals.ts';

/** Codes of the management API alone, and of requests that belong to no organization. */
type OtherCode =
  | 'account_locked'
  | 'conflict'
  | 'forbidden'
  | 'changes_not_allowed'
  | 'foreign_origin'
  | 'invalid_credentials'
  | 'invalid_passkey'
  | 'invalid_token'
  | 'missing_api_key'
  | 'not_signed_in'
  | 'provider_failed'
  | 'second_factor_required';

export type Explanation = Readonly<{
  cause: string;
  cure: string;
  /** The page that helps. */
  page?: 'billing' | 'keys' | 'members' | 'models';
  /** Another link that confirms the person's email helps. */
  resends?: true;
}>;

const RETRY = 'Send the request again. If it keeps failing, send the request ID to support.';

const EXPLANATIONS: Readonly<Record<Exclude<RefusalCode, OtherCode>, Explanation>> = {
  invalid_json: {
    cause: 'The body of the request is not valid JSON.',
    cure: 'Let a JSON library write the body. Look for a cut body, a trailing comma or unescaped quotes.',
  },
  invalid_value: {
    cause: 'A field of the request has a value that is not allowed.',
    cure: 'Correct it as the message says.',
  },
  missing_field: {
    cause: 'The request lacks a field that is required.',
    cure: 'Add the field that the message names.',
  },
  unsupported_parameter: {
    cause: 'The model does not support a parameter of the request.',
    cure: 'Remove the parameter, or choose a model that supports it.',
    page: 'models',
  },
  context_length_exceeded: {
    cause:
      'The prompt and the requested response together are longer than the context of the model.',
    cure: 'Shorten the prompt, or lower max_tokens.',
  },
  token_limit_exceeded: {
    cause: 'The prompt has more tokens than the organization or the key may send in a minute.',
    cure: 'Send a shorter prompt. The limit of a key can be changed on the page API keys, that of the organization only by support.',
    page: 'keys',
  },
  bad_request: {
    cause: 'The request is not well-formed HTTP, or its body did not arrive in time.',
    cure: 'Check the connection and the proxies between your program and the base URL, then send it again.',
  },
  body_too_large: {
    cause: 'The body of the request is larger than 32 MiB.',
    cure: 'Send fewer or smaller images, or a shorter prompt.',
  },
  idempotency_key_reused: {
    cause: 'Your program sent this Idempotency-Key before, with a different body.',
    cure: 'Use a new key for each new request, and the same key only to repeat one.',
  },
  already_answered: {
    cause:
      'A request with this Idempotency-Key was answered and charged, and its answer is no longer kept.',
    cure: 'Use a new Idempotency-Key if you want another answer. It will be charged.',
  },
  unsupported_encoding: {
    cause: 'The body of the request is compressed.',
    cure: 'Send plain JSON, without the header Content-Encoding.',
  },
  invalid_api_key: {
    cause: 'The API key was revoked or deleted, or has expired.',
    cure: 'Create a new key and put it into your program.',
    page: 'keys',
  },
  organization_suspended: {
    cause: 'The organization was suspended. Your key is not at fault.',
    cure: 'Contact support. A new key would be refused, too.',
  },
  model_not_allowed: {
    cause: 'The API key may call only some models, and this one is not among them.',
    cure: 'Choose another model, use another key, or allow the model in the settings of the key.',
    page: 'keys',
  },
  wrong_region: {
    cause: 'The request went to the base URL of another region.',
    cure: "Use the base URL of your organization's region. It is shown beside your keys.",
    page: 'keys',
  },
  insufficient_credit: {
    cause: 'The credit did not cover the request: its prompt and the first part of its response.',
    cure: 'Add credit, or turn on auto-recharge. Running requests hold credit until they end.',
    page: 'billing',
  },
  not_found: {
    cause: 'No endpoint has the requested path and method.',
    cure: 'Check the base URL in your program: it ends in /v1, and the client adds the rest.',
    page: 'keys',
  },
  model_not_found: {
    cause: 'No model has this name.',
    cure: "Copy the model's ID from the list of models.",
    page: 'models',
  },
  rate_limited: {
    cause:
      'The organization or the key sent more requests or tokens in a minute than its limit allows, its requests in progress were too many or too large together, or too many of them waited for a busy model.',
    cure: 'Send requests more slowly, and wait as long as the header retry-after says. The limit of a key can be changed on the page API keys, that of the organization only by support.',
    page: 'keys',
  },
  key_limit_reached: {
    cause:
      'The request could have cost more than what was left of a monthly or daily cap: that of the key, or that of the member who created the key.',
    cure: 'Set a smaller max_tokens, raise the cap of the key or, on the page of members, that of the member, or use another key. A cap starts again with the next month or day (UTC).',
    page: 'keys',
  },
  internal_error: { cause: 'Something failed on our side. Nothing was charged.', cure: RETRY },
  engine_failed: {
    cause: 'The inference engine failed. Nothing was charged.',
    cure: RETRY,
  },
  worker_lost: {
    cause:
      'The connection to the GPU host was lost before the response was complete. Nothing was charged.',
    cure: RETRY,
  },
  no_worker: {
    cause: 'The model is unavailable: no GPU host serves it at the moment.',
    cure: 'Try again in some minutes, or choose another model.',
    page: 'models',
  },
  workers_died: {
    cause: 'Two inference engines died while they had this request, so no third one was tried.',
    cure: 'Change the request before you send it again, since it may be what made them fail. Tell support the request ID.',
  },
  overloaded: {
    cause: 'All GPU hosts of this model were busy, or too many requests were under way.',
    cure: 'Try again after the time in the header retry-after, with longer waits each time.',
  },
  store_unavailable: {
    cause: 'Our database could not be reached for a moment.',
    cure: RETRY,
  },
  shutting_down: {
    cause: 'This router was shutting down.',
    cure: 'Send the request again. Another router takes it.',
  },
  first_byte_timeout: {
    cause: 'No response began within the time allowed. Nothing was charged.',
    cure: 'Try again, or send a shorter prompt.',
  },
  idle_timeout: { cause: 'The response stopped coming.', cure: RETRY },
  deadline_exceeded: {
    cause: 'The response took longer than allowed.',
    cure: 'Set a lower max_tokens, so that the response ends in time.',
  },
};

/** The codes that a request of an organization may have. */
export const EXPLAINED_CODES = Object.keys(EXPLANATIONS);

/** What the message tells about a key that was refused. */
const OF_KEY: Readonly<Record<string, Explanation>> = {
  [REFUSALS.invalid_api_key.message]: {
    cause: 'The API key was revoked or deleted.',
    cure: 'Create a new key and put it into your program.',
    page: 'keys',
  },
  // An earlier version refused these requests with the code of an invalid key.
  [REFUSALS.organization_suspended.message]: EXPLANATIONS.organization_suspended,
  [KEY_EXPIRED]: {
    cause: 'The API key had expired.',
    cure: 'Create a new key and put it into your program.',
    page: 'keys',
  },
};

const AWAITS_WELCOME: Explanation = {
  cause: 'The organization had no credit. It gets its free credit when you confirm your email.',
  cure: 'Open the link in the email that we sent you, then send the request again.',
  resends: true,
};

const LONGER_CONTEXT: Explanation = {
  ...EXPLANATIONS.context_length_exceeded,
  cure: 'Shorten the prompt, lower max_tokens, or choose a model with a longer context.',
  page: 'models',
};

/** Null when the message names no limit. */
function limitReached(message: string, keyName: string | null): Explanation | null {
  const [named = ''] = message.split(':');
  if (named.startsWith(LIMITED_TO.key)) {
    const limit = named.slice(LIMITED_TO.key.length);
    return {
      cause: `${keyName === null ? 'The API key' : `The API key "${keyName}"`} is limited to${limit}.`,
      cure: 'Send requests more slowly, wait as long as the header retry-after says, or raise the limit of the key.',
      page: 'keys',
    };
  }
  if (!named.startsWith(LIMITED_TO.organization)) return null;
  const limit = named.slice(LIMITED_TO.organization.length);
  return {
    cause: `The organization is limited to${limit}, for all keys together.`,
    cure: 'Send requests more slowly, and wait as long as the header retry-after says. Support can raise the limit.',
  };
}

const CAP = /\b(monthly|daily) cap of (this key|the member who created this key)\b/;

/** Null when the message names no cap. */
function capReached(message: string, keyName: string | null): Explanation | null {
  const [, window, whose] = CAP.exec(message) ?? [];
  if (window === undefined) return null;
  const key = keyName === null ? 'the API key' : `the API key "${keyName}"`;
  const isOfKey = whose === 'this key';
  const cap = `the ${window} cap of ${isOfKey ? key : `the member who created ${key}`}`;
  return {
    cause: `The request could have cost more than what was left of ${cap}.`,
    cure: `Set a smaller max_tokens, raise the cap, or use another key${isOfKey ? '' : ' that somebody else created'}.`,
    page: isOfKey ? 'keys' : 'members',
  };
}

type Circumstances = Readonly<{
  /** Whether the organization gets credit when the person confirms their email. */
  awaitsWelcome: boolean;
  /** What the client was told. Null when only the code is stored. */
  message: string | null;
  /** The name of its key. Null when it is not known. */
  keyName?: string | null;
  /** Whether another model has a longer context. */
  hasLonger?: boolean;
}>;

/** Null for a code of which nothing more is known. */
export function explanationOf(
  code: string,
  { awaitsWelcome, message, keyName = null, hasLonger = false }: Circumstances,
): Explanation | null {
  if (code === 'context_length_exceeded' && hasLonger) return LONGER_CONTEXT;
  if (code === 'insufficient_credit' && awaitsWelcome) return AWAITS_WELCOME;
  const ofKey = message === null ? undefined : OF_KEY[message];
  if (code === 'invalid_api_key' && ofKey) return ofKey;
  const cap = message === null ? null : capReached(message, keyName);
  if (code === 'key_limit_reached' && cap) return cap;
  const limit = message === null ? null : limitReached(message, keyName);
  if (code === 'rate_limited' && limit) return limit;
  const known = EXPLANATIONS as Readonly<Record<string, Explanation>>;
  return Object.hasOwn(known, code) ? (known[code] ?? null) : null;
}
