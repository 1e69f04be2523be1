/**
 * One conversation with tools, thoughts and an image, as a client sends it in each API, and the
 * answer to it, piece by piece.
 */
import type Anthropic from '@anthropic-ai/sdk';
import { createParser } from 'eventsource-parser';
import type OpenAI from 'openai';
import type { Api } from '../../../router/request/api.ts';
import { type Answer, SPEECH, unanswered } from '../../support/apis.ts';
import { readStream } from '../../support/sse.ts';
import { type Customer, SEEING } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';
import { rig } from './shared-rig.ts';

export const MODEL = SEEING;
/** The price of `MODEL`, in pico-USD per token. */
export const PRICE = { prompt: 600_000n, completion: 3_600_000n, cached: 150_000n } as const;
/** The tokens of the conversation, as the engine counts them. */
export const PROMPT = 2_000;

const INSTRUCTIONS = `Be kind. ${'word '.repeat(1_200)}`;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE = `data:image/png;base64,${PIXEL}`;
const PARAMETERS = { type: 'object' as const, properties: { file: { type: 'string' } } };
const TOOL = { name: 'read', description: 'Reads a file' } as const;
const COMMON = { model: MODEL, temperature: 0.5 };

type ChatParams = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Thought = OpenAI.ChatCompletionAssistantMessageParam & { reasoning: string };

/** Each conversation is a request of the official client. Its type of a chat has no thoughts. */
type Requests = {
  chat: Omit<ChatParams, 'messages'> & {
    messages: (OpenAI.ChatCompletionMessageParam | Thought)[];
    reasoning: object;
  };
  completions: OpenAI.CompletionCreateParamsNonStreaming;
  responses: OpenAI.Responses.ResponseCreateParamsNonStreaming;
  messages: Anthropic.MessageCreateParamsNonStreaming;
};

export const CONVERSATION = {
  chat: {
    ...COMMON,
    max_tokens: 100,
    reasoning: { effort: 'low' },
    tools: [{ type: 'function', function: { ...TOOL, parameters: PARAMETERS } }],
    messages: [
      { role: 'system', content: INSTRUCTIONS },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: IMAGE } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning: 'It asks for a file.',
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"file":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'a dam' },
      { role: 'user', content: 'Go on.' },
    ],
  },
  completions: { ...COMMON, max_tokens: 100, prompt: INSTRUCTIONS },
  responses: {
    ...COMMON,
    max_output_tokens: 100,
    reasoning: { effort: 'low' },
    instructions: INSTRUCTIONS,
    tools: [{ type: 'function', ...TOOL, parameters: PARAMETERS, strict: null }],
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', detail: 'auto', image_url: IMAGE },
        ],
      },
      {
        type: 'reasoning',
        id: 'rs_0',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'It asks for a file.' }],
      },
      {
        type: 'message',
        id: 'msg_0',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'call_0', name: 'read', arguments: '{"file":"b"}' },
      { type: 'function_call_output', call_id: 'call_0', output: 'a dam' },
      { role: 'user', content: 'Go on.' },
    ],
  },
  messages: {
    ...COMMON,
    max_tokens: 100,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' },
    system: INSTRUCTIONS,
    tools: [{ ...TOOL, input_schema: PARAMETERS }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'It asks for a file.', signature: '' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_0', name: 'read', input: { file: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_0', content: 'a dam' },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ],
  },
} satisfies Requests;

type Piece = Readonly<{ kind: 'reasoning' | 'content' | 'call' | 'arguments'; text: string }>;

const WORDS: readonly Piece[] = [
  { kind: 'reasoning', text: 'hm ' },
  { kind: 'content', text: 'I “' },
  { kind: 'content', text: 'read”\n' },
];
const CALL: readonly Piece[] = [
  { kind: 'call', text: 'read' },
  { kind: 'arguments', text: '{"file"' },
  { kind: 'arguments', text: ':"a"}' },
];

type Finish = NonNullable<Answer['finish']>;

/** How an answer may end. */
export function finishesOf(api: Api): readonly Finish[] {
  return api === 'completions' ? ['stop', 'length'] : ['stop', 'length', 'tool_calls'];
}

/** The pieces of an answer. Each is one token. A text completion has text alone. */
export function piecesOf(api: Api, finish: Finish): readonly Piece[] {
  const pieces = finish === 'tool_calls' ? [...WORDS, ...CALL] : WORDS;
  if (api !== 'completions') return pieces;
  return pieces.map(({ text }) => ({ kind: 'content', text }));
}

export function say(stream: AgentStream, pieces: readonly Piece[]): void {
  for (const [nth, { kind, text }] of pieces.entries()) {
    const completion = nth + 1;
    if (kind === 'content') stream.content(PROMPT, completion, text);
    else if (kind === 'reasoning') stream.reasoning(PROMPT, completion, text);
    else if (kind === 'call') stream.call(PROMPT, completion, 0, 'call_1', text);
    else stream.arguments(PROMPT, completion, 0, text);
  }
}

/** What the client knows once all pieces have arrived, besides the end. */
export function saidBy(pieces: readonly Piece[]): Pick<Answer, 'text' | 'reasoning' | 'calls'> {
  const textOf = (of: Piece['kind']) =>
    pieces.map(({ kind, text }) => (kind === of ? text : '')).join('');
  const calls = pieces.filter(({ kind }) => kind === 'call');
  return {
    text: textOf('content'),
    reasoning: textOf('reasoning'),
    calls: calls.map(({ text: name }) => ({ id: 'call_1', name, arguments: textOf('arguments') })),
  };
}

type Fields = Readonly<{ stream?: boolean }> & Readonly<Record<string, unknown>>;

/** The path and the body of the conversation. */
export function requestOf(api: Api, fields: Fields): { path: string; body: string } {
  const isOfChat = api === 'chat' || api === 'completions';
  const usage = isOfChat && fields.stream ? { stream_options: { include_usage: true } } : {};
  const body = JSON.stringify({ ...CONVERSATION[api], ...usage, ...fields });
  return { path: `/v1${SPEECH[api].path}`, body };
}

export function ask(
  api: Api,
  customer: Customer,
  fields: Fields,
  init: RequestInit = {},
): Promise<Response> {
  const { path, body } = requestOf(api, fields);
  return rig.post(customer, {}, { body, ...init }, path);
}

/** What a client has of a response when it has ended or was cut. */
export type Heard = Readonly<{ status: number; raw: string; isCut: boolean; answer: Answer }>;

export async function heard(api: Api, response: Response): Promise<Heard> {
  const { status, raw, ended } = await readStream(response);
  const { hear, read } = SPEECH[api];
  const answer = unanswered();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream) createParser({ onEvent: ({ data }) => hear(answer, data) }).feed(raw);
  const isWhole = !isStream && status === 200;
  return { status, raw, isCut: ended === 'cut', answer: isWhole ? read(raw) : answer };
}
