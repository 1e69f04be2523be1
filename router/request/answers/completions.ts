/** Hot path. Text completions: `text_completion` objects, streamed or whole. Deltas are content. */
import type { Content, Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { Pieces } from '../reply.ts';
import { type LogprobLists, logprobsOf, TextLogprobs } from './logprobs.ts';
import {
  type Ending,
  type Events,
  type EventsParts,
  type ResponseEncoder,
  type Gathered,
  headOf,
  type Heading,
  type Sink,
} from './response-encoder.ts';
import { usageJson } from './usage.ts';

const OBJECT = 'text_completion';
const OPEN = ',"finish_reason":null}]}\n\n';
const TAIL = Buffer.from(`","logprobs":null${OPEN}`);

class TextEvents implements Events {
  readonly #sink: Sink;
  readonly #start: string;
  readonly #head: Buffer;
  readonly #logprobs: LogprobLists | null;

  constructor({ heading, sink, logprobs }: EventsParts) {
    this.#sink = sink;
    this.#logprobs = logprobs;
    this.#start = `data: ${headOf(heading, OBJECT)}`;
    this.#head = Buffer.from(`${this.#start},"choices":[{"index":0,"text":"`);
  }

  add(delta: Delta): Failure | null {
    if (delta.kind === 'content') this.#sink.writeEvent(this.#head, delta.text, this.#tail(delta));
    return null;
  }

  end({ finish, usage }: Ending, includeUsage: boolean): Pieces {
    const counts = includeUsage
      ? `${this.#start},"choices":[],"usage":${usageJson(usage)}}\n\n`
      : '';
    return [
      `${this.#start},"choices":[{"index":0,"text":"","logprobs":null,` +
        `"finish_reason":"${finish}"}]}\n\n${counts}data: [DONE]\n\n`,
    ];
  }

  #tail(delta: Content): Buffer {
    const logprobs = this.#logprobs && logprobsOf(this.#logprobs, delta);
    return logprobs === null ? TAIL : Buffer.from(`","logprobs":${logprobs}${OPEN}`);
  }
}

function wholeText(
  heading: Heading,
  { content, logprobs }: Gathered,
  { finish, usage }: Ending,
): Pieces {
  return [
    `${headOf(heading, OBJECT)},"choices":[{"index":0,"text":"`,
    ...content,
    '","logprobs":',
    ...(logprobs ?? ['null']),
    `,"finish_reason":"${finish}"}],"usage":${usageJson(usage)}}`,
  ];
}

export const completions: ResponseEncoder = {
  logprobs: () => new TextLogprobs(),
  events: (parts) => new TextEvents(parts),
  whole: wholeText,
};
