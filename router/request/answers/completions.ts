/** Hot path. Text completions: `text_completion` objects, streamed or whole. Deltas are content. */
import type { Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { Pieces } from '../reply.ts';
import { TextLogprobs, logprobsOf } from './logprobs.ts';
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

  constructor({ heading, sink }: EventsParts) {
    this.#sink = sink;
    this.#start = `data: ${headOf(heading, OBJECT)}`;
    this.#head = Buffer.from(`${this.#start},"choices":[{"index":0,"text":"`);
  }

  add(delta: Delta): Failure | null {
    if (delta.kind === 'content') this.writeText(delta.text, TAIL);
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

  protected writeText(text: Buffer, tail: Buffer): void {
    this.#sink.writeEvent(this.#head, text, tail);
  }
}

class TextEventsWithLogprobs extends TextEvents {
  readonly #format = new TextLogprobs();

  override add(delta: Delta): Failure | null {
    const logprobs = logprobsOf(this.#format, delta);
    if (delta.kind !== 'content' || logprobs === null) return super.add(delta);
    const tail = Buffer.from(`","logprobs":${logprobs}${OPEN}`);
    this.writeText(delta.text, tail);
    return null;
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
  events: (parts) => (parts.logprobs ? new TextEventsWithLogprobs(parts) : new TextEvents(parts)),
  whole: wholeText,
};
