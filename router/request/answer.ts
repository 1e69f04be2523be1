/** The last bytes of an answer, which the router itself writes from the committed figures (MONEY 12). */
import type { Ask } from './arrive.ts';

/** What the answer says was used: exactly what was charged. */
export type ShownUsage = Readonly<{
  promptTokens: number;
  completionTokens: number;
  /** Null: the worker does not say. */
  cachedTokens: number | null;
  reasoningTokens: number | null;
}>;

export type Ending = Readonly<{
  completionId: string;
  created: number;
  finish: string;
  /** Streamed: the last delta, or the last text, in JSON. */
  last: string;
  fingerprint: string | null;
  usage: ShownUsage;
}>;

function usageJson(usage: ShownUsage): string {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage;
  return JSON.stringify({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens === null ? {} : { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens === null
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  });
}

/** The members that every object of an answer begins with, without the closing brace. */
function head(ask: Ask, ending: Ending, object: string): string {
  const { completionId: id, created, fingerprint } = ending;
  const model = ask.model.entry.id;
  return JSON.stringify({
    id,
    object,
    created,
    model,
    ...(fingerprint === null ? {} : { system_fingerprint: fingerprint }),
  }).slice(0, -1);
}

/** The finish chunk, the usage chunk if it was asked for, and the sentinel. */
export function streamEnding(ask: Ask, ending: Ending): string {
  const chat = ask.endpoint === 'chat';
  const start = `data: ${head(ask, ending, chat ? 'chat.completion.chunk' : 'text_completion')}`;
  const finish = JSON.stringify(ending.finish);
  const part = chat ? `"delta":${ending.last}` : `"text":${ending.last}`;
  const usage = ask.includeUsage
    ? `${start},"choices":[],"usage":${usageJson(ending.usage)}}\n\n`
    : '';
  return (
    `${start},"choices":[{"index":0,${part},"logprobs":null,"finish_reason":${finish}}]}\n\n` +
    `${usage}data: [DONE]\n\n`
  );
}

/** A whole answer; `choice` is the head of its one choice, as the agent wrote it. */
export function wholeAnswer(ask: Ask, ending: Ending, choice: Buffer): string {
  const object = ask.endpoint === 'chat' ? 'chat.completion' : 'text_completion';
  return (
    `${head(ask, ending, object)},"choices":[${choice.toString('utf8')},` +
    `"finish_reason":${JSON.stringify(ending.finish)}}],"usage":${usageJson(ending.usage)}}`
  );
}
