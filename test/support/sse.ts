/**
 * Reads a server-sent event stream and records everything that the client received. The money tests
 * compare charges with this record.
 */
import { createParser } from 'eventsource-parser';

export type Chunk = {
  id: string;
  choices: {
    delta: { content?: string; reasoning?: string; role?: string; tool_calls?: unknown[] };
    logprobs?: { content?: { bytes: number[] }[] } | null;
    finish_reason: string | null;
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  };
};

export type Seen = {
  requestId: string | null;
  status: number;
  raw: string;
  chunks: Chunk[];
  text: string;
  finish: string | null;
  done: boolean;
  usage: Chunk['usage'] | null;
  /**
   * `end`: the HTTP response was complete. `cut`: the connection broke before the response ended.
   */
  ended: 'end' | 'cut';
};

/** Reads a stream until it ends or breaks. `onChunk` is called for each chunk as it arrives. */
export async function readStream(
  response: Response,
  onChunk: (chunk: Chunk) => void = () => {},
): Promise<Seen> {
  const seen: Seen = {
    requestId: response.headers.get('x-request-id'),
    status: response.status,
    raw: '',
    chunks: [],
    text: '',
    finish: null,
    done: false,
    usage: null,
    ended: 'end',
  };
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') {
        seen.done = true;
        return;
      }
      const chunk = JSON.parse(data) as Chunk;
      seen.chunks.push(chunk);
      seen.text += chunk.choices?.[0]?.delta?.content ?? '';
      seen.finish = chunk.choices?.[0]?.finish_reason ?? seen.finish;
      seen.usage = chunk.usage ?? seen.usage;
      onChunk(chunk);
    },
  });
  try {
    const decoder = new TextDecoder();
    for await (const piece of response.body as ReadableStream<Uint8Array>) {
      const text = decoder.decode(piece, { stream: true });
      seen.raw += text;
      parser.feed(text);
    }
  } catch {
    seen.ended = 'cut';
  }
  return seen;
}
