/**
 * Parameters of the public data plane that are not in the schemas of `inference.ts`: those that are
 * refused, and those that are ignored although they would change the answer.
 */

type Body = Readonly<Record<string, unknown>>;

/**
 * Reasoning switches of single engines and providers. A body with one of these keys is refused,
 * even if the value is null.
 */
const NATIVE_SWITCHES = [
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
const NOT_OFFERED: Readonly<Record<'chat' | 'completions', readonly string[]>> = {
  chat: ['best_of', 'echo', 'functions', 'function_call', 'audio', 'prediction'],
  completions: ['best_of', 'echo', 'suffix', 'reasoning', 'tools', 'response_format'],
};

/**
 * Parameters that would change the text of the answer and are not honoured. They are accepted,
 * because many clients set them without need, and the answer names them in a header.
 */
const NOT_HONOURED: readonly string[] = [
  'ignore_eos',
  'min_tokens',
  'repetition_penalty',
  'logit_bias',
  'stop_token_ids',
  'bad_words',
  'structured_outputs',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
];

/** Values that change nothing, for parameters where those of `isAsked` are not all. */
const NEUTRAL: Readonly<Record<string, unknown>> = {
  best_of: 1,
  function_call: 'none',
  min_tokens: 0,
  repetition_penalty: 1,
};

/** Whether a request with this parameter asks for something that one without it does not. */
function isAsked(body: Body, name: string): boolean {
  const value = body[name] ?? null;
  if (value === null || value === false || value === '' || value === NEUTRAL[name]) return false;
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** Returns the first parameter in a body that this endpoint does not support, or null. */
export function notOffered(endpoint: 'chat' | 'completions', body: Body): string | null {
  return NOT_OFFERED[endpoint].find((name) => isAsked(body, name)) ?? null;
}

/**
 * Returns the parameters in a body that are ignored although they would change the answer. The
 * names are ours, so a header can carry them.
 */
export function notHonoured(body: Body & Readonly<{ stream_options?: Body | null | undefined }>) {
  const ignored: string[] = NOT_HONOURED.filter((name) => isAsked(body, name));
  const { stream_options: options } = body;
  if (options && isAsked(options, 'continuous_usage_stats')) {
    ignored.push('stream_options.continuous_usage_stats');
  }
  return ignored;
}
