/** Sends one streamed request and times it as its client sees it. */
import { createParser } from 'eventsource-parser';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../../shared/clock.ts';

export type Target = Readonly<{ url: string; key: string; model: string; dispatcher: Dispatcher }>;

export type Seen = Readonly<{
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
}>;

export type Observer = Readonly<{
  firstToken: (ms: number) => void;
  interToken: (ms: number) => void;
}>;

type Chunk = {
  choices: { finish_reason: string | null }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  };
};

/** Matches a chunk that has text. */
const TOKEN = /"(?:content|reasoning)": ?"[^"]/;

/**
 * Sends one chat request and returns its usage. Throws if the status is not 200, or if the stream
 * is incomplete.
 */
export async function chat(
  target: Target,
  body: { prompt: string; maxTokens: number },
  clock: Clock,
  observe: Observer,
): Promise<Seen> {
  const start = clock.monotonic();
  const response = await request(`${target.url}/chat/completions`, {
    method: 'POST',
    dispatcher: target.dispatcher,
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: target.model,
      messages: [{ role: 'user', content: body.prompt }],
      max_tokens: body.maxTokens,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (response.statusCode !== 200) {
    throw new Error(`${response.statusCode} ${(await response.body.text()).slice(0, 200)}`);
  }
  return await readStream(response.body, start, clock, observe);
}

async function readStream(
  body: AsyncIterable<Buffer>,
  start: number,
  clock: Clock,
  observe: Observer,
): Promise<Seen> {
  let last = 0;
  let seen: Seen | null = null;
  let finished = false;
  let done = false;
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') {
        done = true;
        return;
      }
      if (TOKEN.test(data)) {
        const now = clock.monotonic();
        if (last === 0) observe.firstToken(now - start);
        else observe.interToken(now - last);
        last = now;
      }
      // Only the last chunks are parsed. The others are needed only for the time of their token.
      if (data.includes('"finish_reason":null')) return;
      const { choices, usage } = JSON.parse(data) as Chunk;
      if (choices[0]?.finish_reason) finished = true;
      if (usage) {
        seen = {
          promptTokens: usage.prompt_tokens,
          cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
          completionTokens: usage.completion_tokens,
        };
      }
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of body) parser.feed(decoder.decode(piece, { stream: true }));
  if (!finished || !done || !seen) throw new Error('the stream ended early');
  return seen;
}
