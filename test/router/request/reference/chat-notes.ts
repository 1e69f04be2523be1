/** What each field of a chat completion and of a completion means, and its default. */

/** By field: the default, which is empty where a field has none, and the meaning. */
export type Notes = Readonly<Record<string, readonly [byDefault: string, meaning: string]>>;

const OF_MODEL = "the engine's own";
/** Where the meaning is the same in every API. */
export const SAMPLING = {
  temperature: [OF_MODEL, 'How random the choice of tokens is. 0: the most probable one'],
  top_p: [OF_MODEL, 'Only the most probable tokens that together have this probability'],
  top_k: [OF_MODEL, 'Only so many of the most probable tokens; 0: all'],
  min_p: [OF_MODEL, 'Only tokens with this share of the probability of the most probable one'],
  frequency_penalty: ['0', 'Lowers the probability of a token each time it has occurred'],
  presence_penalty: ['0', 'Lowers the probability of tokens that have occurred'],
  seed: ['random', 'The same seed and request give the same answer as far as the engine can'],
} as const satisfies Notes;

export const COMMON = {
  model: ['', 'The id of a [model](models.md)'],
  stream: ['`false`', 'Whether the answer comes as [server-sent events](streaming.md)'],
  usage: ['', 'What the usage has besides counts'],
  'usage.include': ['`false`', 'The usage has its `cost` in USD; in a stream, the usage is sent'],
} as const satisfies Notes;

const SHARED = {
  ...COMMON,
  ...SAMPLING,
  stream_options: ['', 'Only with `stream`'],
  'stream_options.include_usage': [
    '`false`',
    'One more chunk, with the usage, comes before the end',
  ],
  n: ['1', 'Only one choice is generated'],
  user: ['', 'Ignored'],
  store: ['`false`', 'Ignored: answers are never stored'],
  metadata: ['', 'Ignored'],
  max_tokens: ['what the context leaves', 'The most tokens of the answer, with its reasoning'],
  max_completion_tokens: [
    '',
    'Another name of `max_tokens`; if both are given, `max_tokens` counts',
  ],
  stop: ['none', 'The answer ends before any of these texts, which must not be empty'],
} as const satisfies Notes;

export const CHAT: Notes = {
  ...SHARED,
  messages: ['', 'The conversation: at most 8,192 messages, described below'],
  response_format: ['', 'See [JSON mode](json-mode.md)'],
  'response_format.type': ['`text`', '`json_object` needs a model with the feature `json_mode`'],
  tools: ['none', 'At most 1,024 [functions](tools.md), described below'],
  tool_choice: ['`auto`', 'Whether the model must, may or may not call a function, or which one'],
  'tool_choice.type': ['', ''],
  'tool_choice.function': ['', ''],
  'tool_choice.function.name': ['', 'The function that must be called'],
  parallel_tool_calls: ['`true`', 'Whether an answer may have several calls'],
  logprobs: ['`false`', 'The probability of each token, where the model lists it'],
  top_logprobs: ['0', 'So many alternatives of each token; needs `logprobs`'],
  reasoning: ['', 'See [Reasoning](reasoning.md); unknown members are refused'],
  'reasoning.enabled': ['by model', 'Whether the model thinks first'],
  'reasoning.effort': ['by model', 'How much it thinks; `none` turns thinking off'],
  'reasoning.max_tokens': ['by model', 'The most tokens of thinking, where the model has a budget'],
  'reasoning.exclude': ['`false`', 'The answer leaves out the text of the reasoning'],
};

export const COMPLETION: Notes = {
  ...SHARED,
  prompt: ['', 'The text that the model continues, without a chat template'],
  logprobs: [
    'none',
    'The probability of each token with so many alternatives, where the model lists it',
  ],
};

export const CHAT_ELEMENTS: Readonly<Record<string, Notes>> = {
  message: {
    role: ['', '`developer` is another name of `system`'],
    content: ['', 'A text, or parts; images only of a `user`; may be left out beside tool calls'],
    name: ['', 'The name of the author'],
    tool_calls: ['', 'Of the assistant: the calls that it made, at most 256'],
    tool_call_id: ['', 'Of a `tool`: the call that this is the result of'],
    reasoning: ['', 'Of the assistant: its earlier reasoning, under one of three names'],
    reasoning_content: ['', 'The same as `reasoning`'],
    reasoning_details: ['', 'The same as `reasoning`, in the form of OpenRouter'],
  },
  part: {
    type: ['', ''],
    text: ['', 'Of a `text`'],
    image_url: ['', 'Of an [image](images.md)'],
    'image_url.url': ['', 'The image as a data URL'],
  },
  'tool call': {
    id: ['', 'As the answer had it'],
    type: ['', ''],
    function: ['', ''],
    'function.name': ['', ''],
    'function.arguments': ['', 'JSON, as the answer had it'],
  },
  tool: {
    type: ['', ''],
    function: ['', ''],
    'function.name': ['', '1 to 128 characters of `A-Z a-z 0-9 _ -`'],
    'function.description': ['', 'When and why to call it'],
    'function.parameters': ['', 'A JSON Schema of the arguments'],
    'function.strict': ['', 'Passed to the engine'],
  },
};
