/** Hot path. Chat completions: `chat.completion.chunk` events, or one `chat.completion`. */
import type { Content, Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { Pieces } from '../reply.ts';
import { ChatLogprobs, type LogprobLists, logprobsOf } from './logprobs.ts';
import {
  type Ending,
  type Events,
  type EventsParts,
  type ResponseEncoder,
  type Gathered,
  type GatheredCall,
  headOf,
  type Heading,
  type Sink,
} from './response-encoder.ts';
import { usageJson } from './usage.ts';

const OPEN = ',"finish_reason":null}]}\n\n';
const NOT_FINISHED = `,"logprobs":null${OPEN}`;
const TEXT_TAIL = Buffer.from(`"}${NOT_FINISHED}`);
const CALL_TAIL = Buffer.from(`","arguments":""}}]}${NOT_FINISHED}`);
const ARGUMENTS_TAIL = Buffer.from(`"}}]}${NOT_FINISHED}`);
const ROLE = '{"role":"assistant","content":"","refusal":null}';

class ChatEvents implements Events {
  readonly #sink: Sink;
  /** The start of each event, up to its choices. */
  readonly #start: string;
  readonly #heads: Readonly<Record<'content' | 'reasoning', Buffer>>;
  /** The event with the role. It is sent together with the first delta, and is empty after that. */
  #role: string;
  /** The head of `arguments` events, and the index of the call that it is for. */
  #arguments: { index: number; head: Buffer } | null = null;
  readonly #logprobs: LogprobLists | null;

  constructor({ heading, sink, logprobs }: EventsParts) {
    this.#sink = sink;
    this.#logprobs = logprobs;
    this.#start = `data: ${headOf(heading, 'chat.completion.chunk')}`;
    this.#heads = {
      content: Buffer.from(`${this.#delta}{"content":"`),
      reasoning: Buffer.from(`${this.#delta}{"reasoning":"`),
    };
    this.#role = this.#delta + ROLE + NOT_FINISHED;
  }

  get #delta(): string {
    return `${this.#start},"choices":[{"index":0,"delta":`;
  }

  add(delta: Delta): Failure | null {
    this.#add(delta);
    return null;
  }

  #add(delta: Delta): void {
    switch (delta.kind) {
      case 'content':
        return this.#write(this.#heads.content, delta.text, this.#contentTail(delta));
      case 'reasoning':
        return this.#write(this.#heads.reasoning, delta.text, TEXT_TAIL);
      case 'call': {
        const { index, id, name } = delta;
        const head =
          `${this.#delta}{"tool_calls":[{"index":${index},"id":"${id.toString()}",` +
          `"type":"function","function":{"name":"`;
        return this.#write(Buffer.from(head), name, CALL_TAIL);
      }
      case 'arguments':
        return this.#write(this.#argumentsHead(delta.index), delta.text, ARGUMENTS_TAIL);
    }
  }

  end({ finish, usage }: Ending, includeUsage: boolean): Pieces {
    const last = `${this.#delta}{},"logprobs":null,"finish_reason":"${finish}"}]}\n\n`;
    const counts = includeUsage
      ? `${this.#start},"choices":[],"usage":${usageJson(usage)}}\n\n`
      : '';
    return [`${this.#role}${last}${counts}data: [DONE]\n\n`];
  }

  #contentTail(delta: Content): Buffer {
    const logprobs = this.#logprobs && logprobsOf(this.#logprobs, delta);
    return logprobs === null ? TEXT_TAIL : Buffer.from(`"},"logprobs":${logprobs}${OPEN}`);
  }

  #write(head: Buffer, text: Buffer, tail: Buffer): void {
    if (this.#role === '') return this.#sink.writeEvent(head, text, tail);
    const first = Buffer.concat([Buffer.from(this.#role), head]);
    this.#role = '';
    this.#sink.writeEvent(first, text, tail);
  }

  #argumentsHead(index: number): Buffer {
    if (this.#arguments?.index === index) return this.#arguments.head;
    const head = Buffer.from(
      `${this.#delta}{"tool_calls":[{"index":${index},"function":{"arguments":"`,
    );
    this.#arguments = { index, head };
    return head;
  }
}

function wholeChat(
  heading: Heading,
  { content, reasoning, calls, logprobs }: Gathered,
  { finish, usage }: Ending,
): Pieces {
  const hasContent = content.length > 0 || calls.length === 0;
  return [
    `${headOf(heading, 'chat.completion')},"choices":[{"index":0,"message":{"role":"assistant",`,
    ...(hasContent ? ['"content":"', ...content, '"'] : ['"content":null']),
    ',"refusal":null',
    ...(reasoning.length > 0 ? [',"reasoning":"', ...reasoning, '"'] : []),
    ...callPieces(calls),
    '},"logprobs":',
    ...(logprobs ?? ['null']),
    `,"finish_reason":"${finish}"}],"usage":${usageJson(usage)}}`,
  ];
}

function callPieces(calls: readonly GatheredCall[]): Pieces {
  if (calls.length === 0) return [];
  const pieces = calls.flatMap((call, index) => [
    `${index === 0 ? '' : ','}{"id":"`,
    call.id,
    '","type":"function","function":{"name":"',
    call.name,
    '","arguments":"',
    ...call.arguments,
    '"}}',
  ]);
  return [',"tool_calls":[', ...pieces, ']'];
}

export const chat: ResponseEncoder = {
  logprobs: () => new ChatLogprobs(),
  events: (parts) => new ChatEvents(parts),
  whole: wholeChat,
};
