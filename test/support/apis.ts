/**
 * How a client speaks each inference API: the path, the body of a plain request, and what an answer
 * says. Tests of what holds for all APIs go through this table.
 */
import type { Api } from '../../router/request/api.ts';

export type Asked = Readonly<{
  model: string;
  prompt: string;
  maxTokens: number | null;
  streamed: boolean;
}>;

export type ShownUsage = Readonly<{ prompt: number; cached: number; completion: number }>;

/** What a client knows of an answer by now. */
export type Answer = {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: 'stop' | 'length' | 'tool_calls' | null;
  usage: ShownUsage | null;
  /** Whether its end has arrived: `[DONE]`, `response.completed`, `message_stop`, or all of a body. */
  isComplete: boolean;
};

export function unanswered(): Answer {
  return { text: '', reasoning: '', calls: [], finish: null, usage: null, isComplete: false };
}

type Speech = Readonly<{
  /** The path after `/v1`. */
  path: string;
  body: (asked: Asked) => object;
  /** Whether an event has text and nothing else. Costs no parsing. */
  isText: (data: string) => boolean;
  /** Adds the event of a stream to the answer. */
  hear: (answer: Answer, data: string) => void;
  /** Reads a whole answer. */
  read: (body: string) => Answer;
}>;

type ChatMessage = {
  content?: string | null;
  reasoning?: string;
  tool_calls?: { index?: number; id?: string; function: { name?: string; arguments: string } }[];
};
type ChatAnswer = {
  choices?: {
    delta?: ChatMessage;
    message?: ChatMessage;
    text?: string;
    finish_reason: Answer['finish'];
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  };
};

function addChat(answer: Answer, { choices, usage }: ChatAnswer): void {
  const [choice] = choices ?? [];
  const { content, reasoning, tool_calls: calls } = choice?.delta ?? choice?.message ?? {};
  answer.text += content ?? choice?.text ?? '';
  answer.reasoning += reasoning ?? '';
  for (const [nth, { index = nth, id, function: called }] of (calls ?? []).entries()) {
    answer.calls[index] ??= { id: id ?? '', name: called.name ?? '', arguments: '' };
    answer.calls[index].arguments += called.arguments;
  }
  answer.finish = choice?.finish_reason ?? answer.finish;
  if (!usage) return;
  answer.usage = {
    prompt: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    completion: usage.completion_tokens,
  };
}

const ofChat: Pick<Speech, 'isText' | 'hear' | 'read'> = {
  isText: (data) => data.includes('"finish_reason":null'),
  hear(answer, data) {
    if (data === '[DONE]') answer.isComplete = true;
    else addChat(answer, JSON.parse(data) as ChatAnswer);
  },
  read(body) {
    const answer = unanswered();
    addChat(answer, JSON.parse(body) as ChatAnswer);
    answer.isComplete = true;
    return answer;
  },
};

const streamedChat = { stream: true, stream_options: { include_usage: true } };

type Item =
  | { type: 'message' | 'reasoning'; content: { text: string }[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string };
type ResponseAnswer = {
  status: string;
  output: Item[];
  usage: {
    input_tokens: number;
    output_tokens: number;
    input_tokens_details: { cached_tokens: number };
  };
};
/** The events with text, and the end, which repeats all of it. */
type ResponseEvent =
  | { type: 'response.output_text.delta' | 'response.reasoning_text.delta'; delta: string }
  | { type: 'response.completed' | 'response.incomplete'; response: ResponseAnswer };

function readResponse({ status, output, usage }: ResponseAnswer): Answer {
  const answer = unanswered();
  for (const item of output) {
    if (item.type === 'function_call') {
      const { call_id: id, name, arguments: text } = item;
      answer.calls.push({ id, name, arguments: text });
    } else {
      const text = item.content.map((part) => part.text).join('');
      answer[item.type === 'message' ? 'text' : 'reasoning'] += text;
    }
  }
  if (status === 'incomplete') answer.finish = 'length';
  else answer.finish = answer.calls.length > 0 ? 'tool_calls' : 'stop';
  answer.usage = {
    prompt: usage.input_tokens,
    cached: usage.input_tokens_details.cached_tokens,
    completion: usage.output_tokens,
  };
  answer.isComplete = true;
  return answer;
}

const responses: Speech = {
  path: '/responses',
  body: ({ model, prompt, maxTokens, streamed }) => ({
    model,
    input: prompt,
    stream: streamed,
    ...(maxTokens !== null && { max_output_tokens: maxTokens }),
  }),
  isText: (data) => data.startsWith('{"type":"response.output_text.delta"'),
  hear(answer, data) {
    const event = JSON.parse(data) as ResponseEvent;
    switch (event.type) {
      case 'response.output_text.delta':
        answer.text += event.delta;
        break;
      case 'response.reasoning_text.delta':
        answer.reasoning += event.delta;
        break;
      case 'response.completed':
      case 'response.incomplete':
        Object.assign(answer, readResponse(event.response));
    }
  },
  read: (body) => readResponse(JSON.parse(body) as ResponseAnswer),
};

type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; id: string; name: string; input: object };
type MessageUsage = {
  input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
};
type MessageAnswer = {
  content: Block[];
  stop_reason: keyof typeof FINISHES | null;
  usage: MessageUsage;
};
type MessageEvent =
  | { type: 'content_block_start'; content_block: Block }
  | {
      type: 'content_block_delta';
      delta: { text?: string; thinking?: string; partial_json?: string };
    }
  | {
      type: 'message_delta';
      delta: { stop_reason: keyof typeof FINISHES };
      usage: MessageUsage;
    }
  | { type: 'message_stop' };

const FINISHES = { end_turn: 'stop', max_tokens: 'length', tool_use: 'tool_calls' } as const;

function usageOf(usage: MessageUsage): ShownUsage {
  const { input_tokens: fresh, cache_read_input_tokens: cached, output_tokens } = usage;
  return { prompt: fresh + cached, cached, completion: output_tokens };
}

const messages: Speech = {
  path: '/messages',
  body: ({ model, prompt, maxTokens, streamed }) => ({
    model,
    messages: [{ role: 'user', content: prompt }],
    stream: streamed,
    ...(maxTokens !== null && { max_tokens: maxTokens }),
  }),
  isText: (data) => data.startsWith('{"type":"content_block_delta"'),
  hear(answer, data) {
    const event = JSON.parse(data) as MessageEvent;
    switch (event.type) {
      case 'content_block_start': {
        const { content_block: block } = event;
        if (block.type !== 'tool_use') break;
        answer.calls.push({ id: block.id, name: block.name, arguments: '' });
        break;
      }
      case 'content_block_delta': {
        const { text = '', thinking = '', partial_json: input = '' } = event.delta;
        answer.text += text;
        answer.reasoning += thinking;
        const call = answer.calls.at(-1);
        if (call) call.arguments += input;
        break;
      }
      case 'message_delta':
        answer.finish = FINISHES[event.delta.stop_reason];
        answer.usage = usageOf(event.usage);
        break;
      case 'message_stop':
        answer.isComplete = true;
    }
  },
  read(body) {
    const { content, stop_reason: reason, usage } = JSON.parse(body) as MessageAnswer;
    const answer = unanswered();
    for (const block of content) {
      if (block.type === 'text') answer.text += block.text;
      else if (block.type === 'thinking') answer.reasoning += block.thinking;
      else {
        const { id, name, input } = block;
        answer.calls.push({ id, name, arguments: JSON.stringify(input) });
      }
    }
    answer.finish = reason && FINISHES[reason];
    answer.usage = usageOf(usage);
    answer.isComplete = true;
    return answer;
  },
};

export const SPEECH: Readonly<Record<Api, Speech>> = {
  chat: {
    ...ofChat,
    path: '/chat/completions',
    body: ({ model, prompt, maxTokens, streamed }) => ({
      model,
      messages: [{ role: 'user', content: prompt }],
      ...(maxTokens !== null && { max_tokens: maxTokens }),
      ...(streamed && streamedChat),
    }),
  },
  completions: {
    ...ofChat,
    path: '/completions',
    body: ({ model, prompt, maxTokens, streamed }) => ({
      model,
      prompt,
      ...(maxTokens !== null && { max_tokens: maxTokens }),
      ...(streamed && streamedChat),
    }),
  },
  responses,
  messages,
};

export const APIS = ['chat', 'completions', 'responses', 'messages'] as const satisfies Api[];
