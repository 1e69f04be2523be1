/**
 * The request bodies of the public data plane, as far as they do not depend on the model:
 * `router/catalog/rules.ts` holds the rest. An optional field that is `null` counts as absent.
 *
 * The elements of the long lists (messages, their parts and tool calls, tools) have schemas of
 * their own: `router/request/reading/check.ts` counts each list, then checks it element by element
 * up to the first error.
 */
import { z } from 'zod';
import { EFFORTS } from '../catalog.ts';
import { limits } from '../limits.ts';

export const TextPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const ImagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string() }),
});
/** A content part of a user's message. */
export const UserPart = z.discriminatedUnion('type', [TextPart, ImagePart]);

export const ToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const list = z.array(z.unknown());
const content = z.union([z.string(), list.nonempty()]);
const author = z.string().nullish();

/** A message, without checks of its content parts and tool calls. */
export const Message = z
  .discriminatedUnion('role', [
    z.looseObject({ role: z.literal('system'), content, name: author }),
    z.looseObject({ role: z.literal('user'), content, name: author }),
    z.looseObject({
      role: z.literal('assistant'),
      content: content.nullish(),
      tool_calls: list.nullish(),
      reasoning: z.string().nullish(),
      name: author,
    }),
    z.looseObject({ role: z.literal('tool'), content, tool_call_id: z.string(), name: author }),
  ])
  .refine(
    (message) =>
      message.role !== 'assistant' ||
      typeof message.content === 'string' ||
      Array.isArray(message.content) ||
      (message.tool_calls?.length ?? 0) > 0,
    { path: ['content'], error: 'an assistant message must have content or tool_calls' },
  );

export const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z0-9_-]{1,64}$/,
        'a function name must be 1 to 64 characters of A-Z a-z 0-9 _ -',
      ),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({ name: z.string() }),
  }),
]);

const stop = z
  .union([z.string(), z.array(z.string()).max(limits.stopSequencesMax)])
  .refine((value) => [value].flat().every((sequence) => sequence !== ''), {
    error: 'a stop sequence must not be empty',
  });

const sampling = {
  max_tokens: z.int().min(1).nullish(),
  /** A synonym of `max_tokens`. */
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).max(1024).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  stop: stop.nullish(),
  seed: z.int().nullish(),
};

const common = {
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'must be 1: only one choice is generated').nullish(),
  user: z.string().nullish(),
  store: z.literal(false, 'must be false: answers are never stored').nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
};

/** A chat, without checks of its messages and tools. */
export const ChatRequest = z.looseObject({
  ...common,
  ...sampling,
  messages: list.nonempty(),
  response_format: z
    .looseObject({
      type: z.enum(
        ['text', 'json_object'],
        'must be text or json_object; json_schema is not supported',
      ),
    })
    .nullish(),
  tools: list.nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  reasoning: z
    .strictObject({
      enabled: z.boolean().nullish(),
      effort: z.enum(EFFORTS).nullish(),
      max_tokens: z.int().min(1).nullish(),
    })
    .nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export const CompletionRequest = z.looseObject({
  ...common,
  ...sampling,
  prompt: z.string().min(1),
  logprobs: z.int().min(0).max(5).nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

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
export function nativeSwitch(body: Readonly<Record<string, unknown>>): string | null {
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
 * Returns the first parameter in a body that this endpoint does not support, or null. Parameters
 * that are null count as absent.
 */
export function notOffered(
  endpoint: 'chat' | 'completions',
  body: Readonly<Record<string, unknown>>,
): string | null {
  return NOT_OFFERED[endpoint].find((name) => (body[name] ?? null) !== null) ?? null;
}

/** Returns a field's path for an error message: `messages[0].content[1].image_url.url`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((so, step) => {
    if (typeof step === 'number') return `${so}[${step}]`;
    return so === '' ? String(step) : `${so}.${String(step)}`;
  }, '');
}
