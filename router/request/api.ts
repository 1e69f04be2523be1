/**
 * The inference APIs that clients speak. They are spellings of one request: `reading/` translates a
 * body of the Responses API and of the Messages API to a chat, and `answers/` writes the answer in
 * the format of the API. Everything between the two is the same for all.
 */

export type Api = 'chat' | 'completions' | 'responses' | 'messages';

/** The request that an agent gets: a chat, or a raw prompt. */
export type Endpoint = 'chat' | 'completions';

export const ENDPOINTS = {
  chat: 'chat',
  completions: 'completions',
  responses: 'chat',
  messages: 'chat',
} as const satisfies Record<Api, Endpoint>;

/**
 * The fields of a chat that have another name in the API of the client, most specific first. The
 * translators in `reading/` find the names of single messages and tools.
 */
const FIELD_NAMES: Readonly<Partial<Record<Api, readonly (readonly [string, string])[]>>> = {
  responses: [
    ['max_tokens', 'max_output_tokens'],
    ['messages', 'input'],
    ['response_format', 'text.format'],
    ['tool_choice.function', 'tool_choice'],
  ],
  messages: [
    ['reasoning.effort', 'output_config.effort'],
    ['reasoning.max_tokens', 'thinking.budget_tokens'],
    ['reasoning', 'thinking'],
    ['stop', 'stop_sequences'],
    ['tool_choice.function', 'tool_choice'],
  ],
};

/** Returns the name that a field of a chat has in an API. */
export function fieldName(api: Api, param: string): string {
  for (const [chat, name] of FIELD_NAMES[api] ?? []) {
    if (param === chat) return name;
    if (param.startsWith(chat) && /^[.[]/.test(param.slice(chat.length))) {
      return name + param.slice(chat.length);
    }
  }
  return param;
}

/** The field of the prompt. */
export function promptField(api: Api): string {
  return api === 'completions' ? 'prompt' : fieldName(api, 'messages');
}
