/** Translates a body of the Responses API to a chat. */
import {
  adviceFor,
  nativeSwitch,
  notHonoured,
  notOffered,
} from '../../../../shared/api/parameters.ts';
import { ResponsesRequest } from '../../../../shared/api/responses.ts';
import { SAMPLING_PARAMETERS } from '../../../../shared/catalog.ts';
import { parse } from '../check.ts';
import { type Fault, isFault, notSupported } from '../fault.ts';
import {
  given,
  type Json,
  MessageList,
  type ResponseSettings,
  type Translated,
} from './chat-draft.ts';
import { addItems } from './responses-input.ts';
import { toolsOf } from './responses-tools.ts';

/** The fields that have the same name and meaning in a chat. */
export const SAME = [
  'model',
  'stream',
  'usage',
  'parallel_tool_calls',
  ...SAMPLING_PARAMETERS.filter((name) => name !== 'max_tokens'),
] as const;

/** The members of `reasoning` in a chat: OpenAI's is `effort` alone. */
const REASONING = ['enabled', 'effort', 'max_tokens', 'exclude'] as const;

const LOGPROBS = 'message.output_text.logprobs';

export function translateResponses(object: Json): Translated | Fault {
  const early = refused(object);
  if (early) return early;
  const body = parse(ResponsesRequest, object, []);
  if (isFault(body)) return body;
  const list = new MessageList();
  if (body.instructions) list.addSystem(body.instructions, ['instructions']);
  const fault = addItems(list, body.input);
  if (fault) return fault;
  const offered = toolsOf(body.tools ?? []);
  if (isFault(offered)) return offered;
  const { list: tools, grouped, ignored } = offered;
  const { max_output_tokens: most, reasoning, text, tool_choice: choice } = body;
  const chat: Record<string, unknown> = { messages: list.messages, ...given(object, SAME) };
  if (most) chat['max_tokens'] = most;
  const asked = given(reasoning ?? {}, REASONING);
  if (Object.keys(asked).length > 0) chat['reasoning'] = asked;
  if (text?.format) chat['response_format'] = { type: text.format.type };
  if (tools.tools.length > 0) chat['tools'] = tools.tools;
  if (typeof choice === 'string') chat['tool_choice'] = choice;
  else if (choice) chat['tool_choice'] = { type: 'function', function: { name: choice.name } };
  return {
    chat,
    nameOf: (param) => list.nameIn('responses', tools.nameIn(param)),
    settings: settingsOf(object, body, grouped),
    ignored: [...notHonoured(object), ...ignored],
    requiresReasoning: true,
    argumentsCounted: false,
  };
}

function refused(object: Json): Fault | null {
  const native = nativeSwitch(object);
  if (native !== null) return notSupported([native], 'use the reasoning object');
  const field = notOffered('responses', object);
  if (field !== null) return notSupported([field], adviceFor(field));
  const { include } = object;
  if (!Array.isArray(include) || !include.includes(LOGPROBS)) return null;
  return notSupported(['include'], adviceFor('top_logprobs'));
}

/**
 * All that OpenAI's and Open Responses' answers have. Instructions, tools and the caller's own keys
 * can be long, so the answer does not repeat them. What the request leaves to the engine is null.
 */
function settingsOf(
  object: Json,
  body: ResponsesRequest,
  grouped: ResponseSettings['grouped'],
): ResponseSettings {
  const { max_output_tokens, metadata, reasoning, text, tool_choice: choice, include } = body;
  const repeated = {
    instructions: null,
    tools: [],
    tool_choice: typeof choice === 'object' && choice ? pickChoice(choice) : (choice ?? 'auto'),
    parallel_tool_calls: object['parallel_tool_calls'] ?? true,
    temperature: object['temperature'] ?? null,
    top_p: object['top_p'] ?? null,
    presence_penalty: object['presence_penalty'] ?? 0,
    frequency_penalty: object['frequency_penalty'] ?? 0,
    top_logprobs: 0,
    max_output_tokens: max_output_tokens ?? null,
    max_tool_calls: null,
    reasoning: { effort: reasoning?.effort ?? null, summary: null },
    text: { format: { type: text?.format?.type ?? 'text' } },
    truncation: 'disabled',
    service_tier: 'default',
    safety_identifier: null,
    prompt_cache_key: null,
    metadata: metadata ?? {},
    // Nothing is stored, whatever the request says.
    store: false,
  };
  return {
    members: JSON.stringify(repeated).slice(1, -1),
    returnsReasoning: include?.includes('reasoning.encrypted_content') ?? false,
    grouped,
  };
}

function pickChoice({ type, name }: Readonly<{ type: string; name: string }>) {
  return { type, name };
}
