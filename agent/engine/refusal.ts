/** What an engine's refusal means. Its text is looked at here and goes no further. */
import type { End } from '../../shared/wire/messages.ts';
import { count, type EngineChunk, text as textOf } from './chunk.ts';
import { isObject } from './json.ts';

export type FailureReason = Extract<End, { outcome: 'failed' }>['reason'];

/** How engines put it that prompt and answer do not fit. */
const CONTEXT_LENGTH =
  /context.?(?:length|window|size)|max(?:imum)?.?model.?len|max_(?:completion_)?tokens|maximum.{0,40}tokens|too many (?:input )?tokens|prompt is too long/i;

/**
 * How engines put it in a 500 that the request itself has made them raise: text that is no Unicode (vLLM, transformers),
 * JSON in the history of a tool call that does not parse, a chat template that refuses the messages (llama.cpp).
 */
const REQUESTS_FAULT =
  /surrogates not allowed|codec can't (?:en|de)code|invalid UTF-8|TextEncodeInput|json\.exception\.|JSONDecodeError|failed to parse (?:messages|tool|input|grammar)|jinja exception|raise_exception|roles must alternate|initialize samplers/i;

/** Statuses that say of the request itself that it cannot be served, here or anywhere. */
const REFUSES_REQUEST: readonly number[] = [400, 413, 422, 501];

/**
 * `status`: null when there was no answer at all. 404 is the engine's: path and model name are the agent's own. `busy` is
 * said of an engine that is full, which is to be told from one that does not work (`EngineStream`).
 */
export function failureReason(status: number | null, text: string): FailureReason {
  if (status === null) return 'engine';
  if (REFUSES_REQUEST.includes(status)) {
    return CONTEXT_LENGTH.test(text) ? 'context_length' : 'bad_request';
  }
  if (status === 503 || status === 429) return 'busy';
  return status === 500 && REQUESTS_FAULT.test(text) ? 'bad_request' : 'engine';
}

/** What an event says that is an error: an engine that refuses only once it has said 200 says why in one. */
export function eventReason(chunk: EngineChunk): FailureReason {
  const error = isObject(chunk.error) ? chunk.error : chunk;
  return failureReason(count(error.code) ?? 500, textOf(error.message));
}

export function isError({ error, object }: EngineChunk): boolean {
  return Boolean(error) || object === 'error';
}
