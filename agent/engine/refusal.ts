/** Classifies an engine's error response. Its text is read here and not passed on. */
import type { End } from '../../shared/wire/end.ts';
import { count, type EngineChunk, text as textOf } from './chunk.ts';
import { isObject } from './json.ts';

export type FailureReason = Extract<End, { outcome: 'failed' }>['reason'];

/** Matches the error texts with which engines say that prompt and answer do not fit. */
const CONTEXT_LENGTH =
  /context.?(?:length|window|size)|max(?:imum)?.?model.?len|max_(?:completion_)?tokens|maximum.{0,40}tokens|too many (?:input )?tokens|prompt is too long/i;

/**
 * Matches the texts of a 500 that the request itself has caused: text that is not Unicode (vLLM,
 * transformers), JSON in the history of a tool call that does not parse, a chat template that
 * rejects the messages, an image for a model without eyes (llama.cpp).
 */
const REQUESTS_FAULT =
  /surrogates not allowed|codec can't (?:en|de)code|invalid UTF-8|TextEncodeInput|json\.exception\.|JSONDecodeError|failed to parse (?:messages|tool|input|grammar)|jinja exception|raise_exception|roles must alternate|initialize samplers|(?:image|audio|video) input is not supported|failed to load image/i;

/** Statuses with which an engine rejects the request itself, so that no worker could serve it. */
const REFUSES_REQUEST: readonly number[] = [400, 413, 422, 501];

/**
 * Returns the failure reason of an error response. `status` is null when there was no response at
 * all. A 404 is the engine's fault, because path and model name come from the agent. `busy` means
 * that the engine is full. `EngineStream` distinguishes that from an engine that does not work.
 */
export function failureReason(status: number | null, text: string): FailureReason {
  if (status === null) return 'engine';
  if (REFUSES_REQUEST.includes(status)) {
    return CONTEXT_LENGTH.test(text) ? 'context_length' : 'bad_request';
  }
  if (status === 503 || status === 429) return 'busy';
  return status === 500 && REQUESTS_FAULT.test(text) ? 'bad_request' : 'engine';
}

/**
 * Returns the failure reason of an error event. An engine sends one if it refuses a request after
 * its status 200.
 */
export function eventReason(chunk: EngineChunk): FailureReason {
  const error = isObject(chunk.error) ? chunk.error : chunk;
  return failureReason(count(error.code) ?? 500, textOf(error.message));
}

export function isError({ error, object }: EngineChunk): boolean {
  return Boolean(error) || object === 'error';
}
