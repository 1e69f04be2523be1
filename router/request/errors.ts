/** Error answers in the format of each API. The Messages API has a shape and statuses of its own. */
import type { Refusal, RefusalCode } from '../../shared/refusals.ts';
import type { Api } from './api.ts';

export type ErrorAnswer = Readonly<{ status: number; body: object }>;

export function errorAnswer(api: Api | null, refusal: Refusal, requestId: string): ErrorAnswer {
  if (api === 'messages') return messagesError(refusal, requestId);
  return { status: refusal.status, body: refusal.body(requestId) };
}

/** The statuses of the Messages API that differ from those of `REFUSALS`. */
const STATUSES: Readonly<Partial<Record<RefusalCode, number>>> = {
  body_too_large: 413,
  overloaded: 529,
  no_worker: 529,
};

/** The types of errors by their status. Any other status has the type `api_error`. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** This shape has no place for the field at fault, so the message names it. */
function messagesError({ code, status: usual, message, param }: Refusal, id: string): ErrorAnswer {
  const status = STATUSES[code] ?? usual;
  const isNamed = param === null || message.includes(param);
  const error = {
    type: TYPES[status] ?? 'api_error',
    message: isNamed ? message : `${param}: ${message}`,
    details: { error_code: code },
  };
  return { status, body: { type: 'error', error, request_id: id } };
}
