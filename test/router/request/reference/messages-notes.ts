/** What each field of a request of the Messages API means, and its default. */
import { COMMON, type Notes, SAMPLING } from './chat-notes.ts';

export const MESSAGES: Notes = {
  ...COMMON,
  ...SAMPLING,
  messages: ['', 'The conversation: at most 8,192 messages. It ends with one of the user'],
  system: ['', 'The instructions: a text, or blocks of type `text`'],
  max_tokens: ['what the context leaves', 'The most tokens of the answer, with its thinking'],
  stop_sequences: ['none', 'The answer ends before any of these texts: at most 4'],
  thinking: ['`disabled`', 'See [Reasoning](reasoning.md)'],
  'thinking.type': ['', 'All but `disabled` turn thinking on, where the model thinks'],
  'thinking.budget_tokens': ['by model', 'The most tokens of thinking, unless an effort is given'],
  output_config: ['', ''],
  'output_config.effort': ['by model', 'How much the model thinks, if thinking is on'],
  tools: ['none', 'Functions, described below'],
  tool_choice: ['`auto`', 'Whether the model must, may or may not call a function, or which one'],
  'tool_choice.type': ['', '`any`: it must call one'],
  'tool_choice.name': ['', 'Of the type `tool`: the function that must be called'],
  'tool_choice.disable_parallel_tool_use': ['`false`', 'Whether an answer has at most one call'],
};

export const MESSAGES_ELEMENTS: Readonly<Record<string, Notes>> = {
  message: { role: ['', ''], content: ['', 'A text, or content blocks'] },
  text: { type: ['', ''], text: ['', ''] },
  image: {
    type: ['', ''],
    source: ['', 'See [Images](images.md)'],
    'source.type': ['', ''],
    'source.media_type': ['', '`image/png`, `image/jpeg`, `image/webp` or `image/gif`'],
    'source.data': ['', 'The image in base64'],
  },
  thinking: { type: ['', ''], thinking: ['', 'Earlier thinking, as the answer had it'] },
  tool_use: {
    type: ['', ''],
    id: ['', 'As the answer had it'],
    name: ['', ''],
    input: ['', 'As the answer had it'],
  },
  tool_reference: {
    type: ['', ''],
    tool_name: ['', "Of a result: a tool that the client's search has found"],
  },
  tool_result: {
    type: ['', ''],
    tool_use_id: ['', 'The call that this is the result of'],
    content: ['empty', 'A text, or blocks of type `text`, `image` or `tool_reference`'],
    is_error: ['`false`', 'The model is told that the call failed'],
  },
  tool: {
    type: ['`custom`', 'There are no hosted tools'],
    name: ['', '1 to 128 characters of `A-Z a-z 0-9 _ -`'],
    description: ['', 'When and why to call it'],
    input_schema: ['', 'A JSON Schema of the input'],
    strict: ['', 'Passed to the engine'],
    defer_loading: ['`false`', 'The model does not know the tool before a result names it'],
  },
};
