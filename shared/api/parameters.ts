/**
 * Parameters of the public data plane that are not in the schemas of `inference.ts`: those that are
 * refused, and those that are ignored although they would change the answer.
 * `docs/inference/parameters.md` lists what becomes of every parameter, and is generated from here.
 */

type Body = Readonly<Record<string, unknown>>;

/**
 * Reasoning switches of single engines and providers. A body with one of these keys is refused,
 * even if the value is null.
 */
export const NATIVE_SWITCHES = [
  'reasoning_effort',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'thinking_token_budget',
  'thinking_effort',
  'thinking_config',
  'include_reasoning',
  'include_thoughts',
  'reasoning_budget',
  'reasoning_format',
  'reasoning_split',
  'separate_reasoning',
] as const;

/** Returns the path of the first provider-native reasoning switch in a body, or null. */
export function nativeSwitch(body: Body): string | null {
  const present = (holder: object) => NATIVE_SWITCHES.find((name) => Object.hasOwn(holder, name));
  const top = present(body);
  if (top) return top;
  const template = body['chat_template_kwargs'];
  if (typeof template !== 'object' || template === null) return null;
  const inner = present(template);
  return inner ? `chat_template_kwargs.${inner}` : null;
}

/**
 * Parameters that would change the shape of the answer and are not supported. They are refused,
 * because a client would otherwise assume that they took effect.
 */
export const NOT_OFFERED: Readonly<
  Record<'chat' | 'completions' | 'responses' | 'messages', readonly string[]>
> = {
  chat: ['best_of', 'echo', 'functions', 'function_call', 'audio', 'prediction'],
  completions: ['best_of', 'echo', 'suffix', 'reasoning', 'tools', 'response_format'],
  responses: [
    'previous_response_id',
    'conversation',
    'prompt',
    'background',
    'top_logprobs',
    'n',
    'best_of',
    'echo',
  ],
  messages: ['mcp_servers', 'container', 'output_format', 'n', 'best_of', 'echo'],
};

/** What to do instead, for the parameters of the Responses API and the Messages API. */
const ADVICE: Readonly<Record<string, string>> = {
  previous_response_id: 'answers are not stored: send the whole conversation as input',
  conversation: 'conversations are not stored: send the whole conversation as input',
  prompt: 'prompts are not stored: send instructions and input',
  background: 'answers are not stored: wait for the answer, or stream it',
  top_logprobs: 'chat completions have log probabilities, where the model lists them',
  mcp_servers: 'call MCP servers from the client, and offer their tools as tools',
  container: 'there are no hosted tools: leave it out',
  output_format: 'structured outputs are not available: say in the prompt what to write',
};

/**
 * Parameters that would change the text of the answer and are not honoured. They are accepted,
 * because many clients set them without need, and the answer names them in a header.
 */
export const NOT_HONOURED: readonly string[] = [
  'ignore_eos',
  'min_tokens',
  'repetition_penalty',
  'logit_bias',
  'stop_token_ids',
  'bad_words',
  'allowed_token_ids',
  'top_a',
  'length_penalty',
  'use_beam_search',
  'include_stop_str_in_output',
  'skip_special_tokens',
  'spaces_between_special_tokens',
  'truncate_prompt_tokens',
  'repetition_detection',
  'prompt_logprobs',
  'logprob_token_ids',
  'return_token_ids',
  'return_tokens_as_token_ids',
  'return_prompt_text',
  'add_generation_prompt',
  'continue_final_message',
  'add_special_tokens',
  'documents',
  'chat_template',
  'chat_template_kwargs',
  'mm_processor_kwargs',
  'media_io_kwargs',
  'vllm_xargs',
  'verbosity',
  'modalities',
  'web_search_options',
  'plugins',
  'transforms',
  'structured_outputs',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
];

/**
 * Values that change nothing, for parameters where those of `isAsked` are not all. Where `true`
 * changes nothing, `false` does. A list of the value alone is the value.
 */
const NEUTRAL: Readonly<Record<string, unknown>> = {
  n: 1,
  best_of: 1,
  top_logprobs: 0,
  function_call: 'none',
  min_tokens: 0,
  repetition_penalty: 1,
  length_penalty: 1,
  top_a: 0,
  skip_special_tokens: true,
  spaces_between_special_tokens: true,
  add_generation_prompt: true,
  verbosity: 'medium',
  modalities: 'text',
};

/** Whether a request with this parameter asks for something that one without it does not. */
export function isAsked(body: Body, name: string): boolean {
  const value = body[name] ?? null;
  const neutral = NEUTRAL[name];
  if (value === null || value === '' || value === neutral) return false;
  if (value === false) return neutral === true;
  if (typeof value !== 'object') return true;
  if (!Array.isArray(value)) return Object.keys(value).length > 0;
  return value.length > 1 || (value.length === 1 && value[0] !== neutral);
}

/** Returns the first parameter in a body that this endpoint does not support, or null. */
export function notOffered(api: keyof typeof NOT_OFFERED, body: Body): string | null {
  return NOT_OFFERED[api].find((name) => isAsked(body, name)) ?? null;
}

/** What a client does instead of sending a parameter that is not offered. */
export function adviceFor(name: string): string {
  return ADVICE[name] ?? 'one answer is generated: leave it out';
}

/**
 * Returns the parameters in a body that are ignored although they would change the answer. The
 * names are ours, so a header can carry them.
 */
export function notHonoured(body: Body): readonly string[] {
  const ignored: string[] = NOT_HONOURED.filter((name) => isAsked(body, name));
  const { stream_options: options } = body;
  if (typeof options === 'object' && options && isAsked({ ...options }, 'continuous_usage_stats')) {
    ignored.push('stream_options.continuous_usage_stats');
  }
  return ignored;
}
