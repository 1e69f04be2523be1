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
export const UserPart = z.discriminatedUnion('type', [TextPart, ImagePart], {
  error: ({ code }) => (code === 'invalid_union' ? 'must be text or image_url' : undefined),
});

export const ToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const list = z.array(z.unknown());
const CONTENT = 'must be a text or a list of content parts';
const content = z.union([z.string(), list.nonempty()], CONTENT);
/** Clients leave out the content of a message that has no text, or send it as null or []. */
const contentIfAny = z.union([z.string(), list], CONTENT).nullish();
const author = z.string().nullish();

/** A message, without checks of its content parts and tool calls. */
export const Message = z.discriminatedUnion(
  'role',
  [
    // `developer` is OpenAI's newer name of `system`.
    z.looseObject({ role: z.enum(['system', 'developer']), content, name: author }),
    z.looseObject({ role: z.literal('user'), content, name: author }),
    z.looseObject({
      role: z.literal('assistant'),
      content: contentIfAny,
      tool_calls: list.nullish(),
      // Earlier reasoning, which clients send back under one of three names.
      reasoning: z.string().nullish(),
      reasoning_content: z.string().nullish(),
      reasoning_details: list.nullish(),
      name: author,
    }),
    z.looseObject({
      role: z.literal('tool'),
      content: contentIfAny,
      tool_call_id: z.string(),
      name: author,
    }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be system, developer, user, assistant or tool' : undefined,
  },
);

/** As Anthropic's: coding agents prefix the names of tools with those of plugins and servers. */
const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,128}$/;

export const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z
      .string()
      .regex(FUNCTION_NAME, 'a function name must be 1 to 128 characters of A-Z a-z 0-9 _ -'),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const ToolChoice = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    z.looseObject({
      type: z.literal('function'),
      function: z.looseObject({ name: z.string() }),
    }),
  ],
  'must be none, auto, required, or {"type": "function", "function": {"name": "…"}}',
);

const stop = z
  .union(
    [z.string(), z.array(z.string()).max(limits.stopSequencesMax)],
    `must be a text or a list of at most ${limits.stopSequencesMax} texts`,
  )
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
  /** Asks for the usage with its cost in USD, as OpenRouter has it. */
  usage: z.looseObject({ include: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'must be 1: only one choice is generated').nullish(),
  user: z.string().nullish(),
  /** Answers are never stored, whatever the value. */
  store: z.boolean().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
};

/** LangChain knows this wording of OpenAI's, and advises its user what to do instead. */
const NO_JSON_SCHEMA =
  "'response_format' of type 'json_schema' is not supported with this model; use json_object or a tool";

/** A chat, without checks of its messages and tools. */
export const ChatRequest = z.looseObject({
  ...common,
  ...sampling,
  messages: list.nonempty(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object'], {
        error: ({ input }) =>
          input === 'json_schema' ? NO_JSON_SCHEMA : 'must be text or json_object',
      }),
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
      /** Whether the answer leaves out the text of the reasoning. It is charged all the same. */
      exclude: z.boolean().nullish(),
    })
    .nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

const promptText = z.string().min(1);

export const CompletionRequest = z.looseObject({
  ...common,
  ...sampling,
  prompt: z.union(
    [promptText, z.tuple([promptText]).transform(([only]) => only)],
    'must be a text or a list of one text',
  ),
  logprobs: z.int().min(0).max(5).nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

type AskedReasoning = Readonly<{ enabled?: unknown; effort?: unknown; exclude?: unknown }>;

/** Whether a request turns thinking off. */
export function declinesThinking(reasoning: AskedReasoning | null | undefined): boolean {
  return reasoning?.enabled === false || reasoning?.effort === 'none';
}

/**
 * Why the answer to a request has no text of reasoning, even if the model reasons: the request
 * excludes it, or turns thinking off. Null: the text is shown.
 */
export function hiddenReasoning(
  reasoning: AskedReasoning | null | undefined,
): 'excluded' | 'declined' | null {
  if (declinesThinking(reasoning)) return 'declined';
  return reasoning?.exclude === true ? 'excluded' : null;
}

/** Returns a field's path for an error message: `messages[0].content[1].image_url.url`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((so, step) => {
    if (typeof step === 'number') return `${so}[${step}]`;
    return so === '' ? String(step) : `${so}.${String(step)}`;
  }, '');
}
