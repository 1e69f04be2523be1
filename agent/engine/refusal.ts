/** What an engine's refusal means. Its text is looked at here and goes no further. */
import type { End } from '../../shared/wire/messages.ts';
import { count, type EngineChunk, text as textOf } from './chunk.ts';
import { isObject } from './json.ts';

export type FailureReason = Extract<End, { outcome: 'failed' }>['reason'];

/** How engines put it that prompt and answer do not fit. */
const CONTEXT_LENGTH =
  /context.?(?:length|window|size)|max(?:imum)?.?model.?len|max_(?:completion_)?tokens|maximum.{0,40}tokens|too many (?:input )?tokens|prompt is too long/i;

/** `status`: null when there was no answer at all. */
export function failureReason(status: number | null, text: string): FailureReason {
  if (status === 400 && CONTEXT_LENGTH.test(text)) return 'context_length';
  if (status === 400 || status === 422) return 'bad_request';
  if (status === 503 || status === 429) return 'busy';
  return 'engine';
}

/** What an event says that is an error: an engine that refuses only once it has said 200 says why in one. */
export function eventReason(chunk: EngineChunk): FailureReason {
  const error = isObject(chunk.error) ? chunk.error : chunk;
  return failureReason(count(error.code) ?? 500, textOf(error.message));
}

export function isError({ error, object }: EngineChunk): boolean {
  return Boolean(error) || object === 'error';
}
