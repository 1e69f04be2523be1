/** What each field of a request of the Responses API means, and its default. */
import { COMMON, type Notes, SAMPLING } from './chat-notes.ts';

export const RESPONSES: Notes = {
  ...COMMON,
  ...SAMPLING,
  input: ['', "The user's text, or the items of the conversation, described below"],
  instructions: ['', 'A system message before the input'],
  max_output_tokens: [
    'what the context leaves',
    'The most tokens of the answer, with its reasoning',
  ],
  metadata: ['`{}`', 'At most 16 texts, which the response repeats'],
  reasoning: [
    '',
    'See [Reasoning](reasoning.md); also `enabled`, `max_tokens` and `exclude` of a chat',
  ],
  'reasoning.effort': ['by model', 'How much the model thinks; `none` turns thinking off'],
  text: ['', ''],
  'text.format': ['', 'See [JSON mode](json-mode.md)'],
  'text.format.type': ['`text`', '`text` or `json_object`'],
  include: ['', '`reasoning.encrypted_content`: reasoning items carry it, to be sent back'],
  store: ['`false`', 'Ignored: responses are never stored'],
  stop: ['none', 'The answer ends before any of these texts'],
  tools: ['none', 'Functions and groups of functions, described below'],
  tool_choice: ['`auto`', 'Whether the model must, may or may not call a function, or which one'],
  'tool_choice.type': ['', ''],
  'tool_choice.name': ['', 'The function that must be called'],
  parallel_tool_calls: ['`true`', 'Whether an answer may have several calls'],
};

const text: Notes = { type: ['', ''], text: ['', ''] };

export const RESPONSES_ELEMENTS: Readonly<Record<string, Notes>> = {
  message: {
    type: ['`message`', 'May be left out'],
    role: ['', ''],
    content: ['', 'A text, or parts'],
  },
  function_call: {
    type: ['', ''],
    call_id: ['', 'As the answer had it'],
    name: ['', ''],
    namespace: ['', 'The group of the function, if it has one'],
    arguments: ['', 'JSON, as the answer had it'],
  },
  function_call_output: {
    type: ['', ''],
    call_id: ['', 'The call that this is the result of'],
    output: ['', 'A text, or parts'],
  },
  reasoning: {
    type: ['', ''],
    content: ['', 'Parts of type `reasoning_text`'],
    encrypted_content: ['', 'As the answer had it; that of other providers is ignored'],
  },
  input_text: text,
  output_text: text,
  reasoning_text: text,
  refusal: { type: ['', ''], refusal: ['', ''] },
  input_image: { type: ['', ''], image_url: ['', 'The [image](images.md) as a data URL'] },
  function: {
    type: ['', ''],
    name: ['', '1 to 128 characters of `A-Z a-z 0-9 _ -`'],
    description: ['', 'When and why to call it'],
    parameters: ['', 'A JSON Schema of the arguments'],
    strict: ['', 'Passed to the engine'],
  },
  namespace: {
    type: ['', ''],
    name: ['', 'The name of the group'],
    tools: ['', 'Functions, which the model knows as `group__function`'],
  },
};
