/** Events as engines write them, and what the agent reads of them. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type EngineChunk, parseChunk } from '../../../agent/engine/chunk.ts';

const PARENTS = [
  'choices.0',
  'choices.0.delta',
  'usage',
  'usage.prompt_tokens_details',
  'usage.completion_tokens_details',
  'timings',
];
const FIELDS = [
  'object',
  'error',
  'message',
  'code',
  ...['content', 'reasoning', 'reasoning_content', 'tool_calls'].map(
    (of) => `choices.0.delta.${of}`,
  ),
  ...['text', 'logprobs', 'finish_reason', 'stop_reason', 'matched_stop'].map(
    (of) => `choices.0.${of}`,
  ),
  ...['prompt_tokens', 'completion_tokens', 'reasoning_tokens'].map((of) => `usage.${of}`),
  'usage.prompt_tokens_details.cached_tokens',
  'usage.completion_tokens_details.reasoning_tokens',
  ...['cache_n', 'prompt_n', 'predicted_n'].map((of) => `timings.${of}`),
].map((path) => path.split('.'));
const PARENT_PATHS = PARENTS.map((path) => path.split('.'));

function valueAt(chunk: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, name) => (value as Record<string, unknown>)?.[name], chunk);
}

/** Everything that the agent reads of a chunk. */
function fieldsOf(chunk: EngineChunk | null): unknown[] | null {
  if (chunk === null) return null;
  const values = FIELDS.map((path) => valueAt(chunk, path));
  const parents = PARENT_PATHS.map((path) => {
    const parent = valueAt(chunk, path);
    return typeof parent === 'object' && parent !== null ? 'an object' : parent;
  });
  return [...values, ...parents];
}

/** Expects that an event was read as JSON.parse reads it. */
export function expectSame(read: EngineChunk | null, event: string): void {
  const [own, right] = [fieldsOf(read), fieldsOf(parseChunk(event))];
  if (!isDeepStrictEqual(own, right)) expect(own, event).toEqual(right);
}

/** Whether a chunk was read by a form. It then has all fields, if only as undefined. */
export function isByForm(chunk: EngineChunk | null): boolean {
  return chunk !== null && 'code' in chunk && 'timings' in chunk;
}

const HEAD =
  '"id":"chatcmpl-4f","object":"chat.completion.chunk","created":1795434840,"model":"Qwen/Q"';
export const USAGE = '"usage":{"prompt_tokens":12,"total_tokens":14,"completion_tokens":2}';

/** Events as other engines and other versions write them. */
export const WRITTEN: Record<string, string> = {
  'vLLM without counts': `{${HEAD},"choices":[{"index":0,"delta":{"content":" when"},"logprobs":null,"finish_reason":null}]}`,
  'vLLM with counts': `{${HEAD},"choices":[{"index":0,"delta":{"content":" when"},"logprobs":null,"finish_reason":null,"token_ids":null}],${USAGE}}`,
  'vLLM before `reasoning`': `{${HEAD},"choices":[{"index":0,"delta":{"reasoning_content":"Let"},"logprobs":null,"finish_reason":null}],${USAGE}}`,
  Ollama: `{${HEAD},"system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Let"},"finish_reason":null}]}`,
  'a writer with blanks': `{"id": "c", "choices": [ {"index": 0, "delta": {"content": "a"}, "finish_reason": null} ],\t"usage" : {"prompt_tokens": 7, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 0}}}`,
  'a role without text': `{${HEAD},"choices":[{"index":0,"delta":{"role":"assistant","content":null},"logprobs":null,"finish_reason":null}],"usage":null}`,
  'an end with text': `{${HEAD},"choices":[{"index":0,"delta":{"content":"."},"logprobs":null,"finish_reason":"length","stop_reason":null}],${USAGE}}`,
  'an end by a stop sequence': `{${HEAD},"choices":[{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":"stop","stop_reason":"\\n\\n"}],${USAGE}}`,
  'an end by a token': `{${HEAD},"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop","stop_reason":151645}]}`,
  'an end that SGLang matched': `{${HEAD},"choices":[{"index":0,"delta":{"role":null,"content":null,"reasoning_content":null,"tool_calls":null},"logprobs":null,"finish_reason":"stop","matched_stop":"END"}],"usage":null}`,
  'counts alone': `{${HEAD},"choices":[],${USAGE}}`,
  'counts without choices': `{${HEAD},${USAGE}}`,
  'counts whose choices are null': `{${HEAD},"choices":null,${USAGE}}`,
  'counts without details': `{${HEAD},"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2,"prompt_tokens_details":null,"completion_tokens_details":null,"reasoning_tokens":0}}`,
  'counts with details': `{${HEAD},"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":1}}}`,
  'counts with empty details': `{${HEAD},"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":null}}}`,
  'neither text nor counts': `{${HEAD},"choices":[]}`,
  'an error': `{${HEAD},"error":{"message":"no","code":400}}`,
  'an error without its object': `{"object":"error","message":"no","code":400}`,
  'llama.cpp': `{"choices":[{"finish_reason":null,"index":0,"delta":{"content":" tok"}}],"created":1795434840,"id":"x","model":"m","object":"chat.completion.chunk","timings":{"cache_n":0,"prompt_n":12,"prompt_ms":83.521,"predicted_n":3,"predicted_ms":1.5e-3,"predicted_per_second":-0.5}}`,
};
