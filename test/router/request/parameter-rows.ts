/**
 * Every parameter of a chat completion in the APIs of OpenAI, vLLM and OpenRouter, with a value that
 * asks for something. Compiling fails when OpenAI's types have a parameter that is not here.
 */
import type OpenAI from 'openai';
import { ChatRequest } from '../../../shared/api/inference.ts';
import { NATIVE_SWITCHES, NOT_HONOURED, NOT_OFFERED } from '../../../shared/api/parameters.ts';
import { SEEING } from './rig.ts';

type OfOpenAi = Record<
  keyof OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming,
  object | string | number | boolean
>;

const TOOL = { type: 'function', function: { name: 'read', parameters: { type: 'object' } } };

const OPENAI = {
  messages: [{ role: 'user', content: 'Another text.' }],
  model: SEEING,
  audio: { format: 'wav', voice: 'alloy' },
  frequency_penalty: 0.5,
  function_call: 'auto',
  functions: [{ name: 'read' }],
  logit_bias: { '50256': -100 },
  logprobs: true,
  max_completion_tokens: 7,
  max_tokens: 7,
  metadata: { team: 'a' },
  modalities: ['text', 'audio'],
  moderation: { model: 'm' },
  n: 1,
  parallel_tool_calls: false,
  prediction: { type: 'content', content: 'x' },
  presence_penalty: 0.5,
  prompt_cache_key: 'k',
  prompt_cache_options: { mode: 'explicit' },
  prompt_cache_retention: '24h',
  reasoning_effort: 'low',
  response_format: { type: 'json_object' },
  safety_identifier: 'u',
  seed: 7,
  service_tier: 'flex',
  stop: ['END'],
  store: true,
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.5,
  tool_choice: 'required',
  tools: [TOOL],
  top_logprobs: 2,
  top_p: 0.5,
  user: 'u',
  verbosity: 'low',
  web_search_options: { search_context_size: 'low' },
} as const satisfies OfOpenAi;

/** The parameters of vLLM's request that OpenAI's has not. */
const VLLM: Readonly<Record<string, unknown>> = {
  thinking_token_budget: 100,
  include_reasoning: false,
  use_beam_search: true,
  top_k: 5,
  min_p: 0.1,
  repetition_penalty: 1.1,
  watermarking: true,
  length_penalty: 0.5,
  stop_token_ids: [1],
  include_stop_str_in_output: true,
  ignore_eos: true,
  min_tokens: 5,
  skip_special_tokens: false,
  spaces_between_special_tokens: false,
  truncate_prompt_tokens: 100,
  truncation_side: 'left',
  prompt_logprobs: 1,
  logprob_token_ids: [1],
  allowed_token_ids: [1],
  bad_words: ['bad'],
  echo: true,
  add_generation_prompt: false,
  continue_final_message: true,
  add_special_tokens: true,
  documents: [{ title: 't', text: 'x' }],
  chat_template: '{{ messages }}',
  chat_template_kwargs: { language: 'en' },
  media_io_kwargs: { image: { size: 1 } },
  mm_processor_kwargs: { size: 1 },
  structured_outputs: { choice: ['a'] },
  priority: 5,
  request_id: 'r',
  session_id: 's',
  return_tokens_as_token_ids: true,
  return_token_ids: true,
  routed_experts_prompt_start: 1,
  return_token_offsets: true,
  return_prompt_text: true,
  return_mm_kwargs: false,
  cache_salt: 'mine',
  kv_transfer_params: { a: 1 },
  ec_transfer_params: { a: 1 },
  vllm_xargs: { a: 1 },
  repetition_detection: { max_pattern_size: 5 },
  stream_interval: 5,
};

/** What vLLM's older versions took in place of `structured_outputs`. */
const OLDER_VLLM: Readonly<Record<string, unknown>> = {
  guided_json: { type: 'object' },
  guided_regex: 'a+',
  guided_choice: ['a'],
  guided_grammar: 'root ::= "a"',
};

/** The parameters of OpenRouter's request that OpenAI's has not. */
const OPENROUTER: Readonly<Record<string, unknown>> = {
  reasoning: { enabled: false },
  usage: { include: true },
  include_reasoning: true,
  top_k: 5,
  min_p: 0.1,
  top_a: 0.5,
  repetition_penalty: 1.1,
  structured_outputs: true,
  models: ['other/model'],
  route: 'fallback',
  provider: { order: ['one'] },
  plugins: [{ id: 'web' }],
  transforms: ['middle-out'],
  preset: 'p',
  session_id: 's',
  trace: { trace_id: 't' },
  debug: { echo_upstream_body: true },
  image_config: { aspect_ratio: '1:1' },
  cache_control: { type: 'ephemeral' },
};

/** OpenAI's parameters that the two others leave out. */
const NOT_IN_VLLM: readonly string[] = [
  'audio',
  'function_call',
  'functions',
  'metadata',
  'modalities',
  'moderation',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'verbosity',
  'web_search_options',
];
const NOT_IN_OPENROUTER: readonly string[] = [
  'audio',
  'function_call',
  'functions',
  'moderation',
  'n',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'store',
];

/** What becomes of a parameter. `told`: ignored, and named in a header of the answer. */
export type Fate = 'engine' | 'router' | 'told' | 'ignored' | 'refused';

/** Parameters with a schema that the router acts on, or that have no effect. */
const BY_ROUTER: readonly string[] = ['model', 'n', 'stream', 'stream_options', 'usage'];
const WITHOUT_EFFECT: readonly string[] = ['metadata', 'store', 'user'];
/** The shipped catalog lists them for no model, so each is refused as one that its model does not support. */
const LISTED_BY_NO_MODEL: readonly string[] = ['logprobs', 'top_logprobs'];
const REFUSED: readonly string[] = [...NATIVE_SWITCHES, ...NOT_OFFERED.chat, ...LISTED_BY_NO_MODEL];

function fateOf(name: string): Fate {
  if (REFUSED.includes(name)) return 'refused';
  if (NOT_HONOURED.includes(name)) return 'told';
  if (!Object.hasOwn(ChatRequest.shape, name) || WITHOUT_EFFECT.includes(name)) return 'ignored';
  return BY_ROUTER.includes(name) ? 'router' : 'engine';
}

/** Other parameters without which a parameter is not taken. */
const WITH: Readonly<Record<string, object>> = {
  parallel_tool_calls: { tools: [TOOL] },
  tool_choice: { tools: [TOOL] },
};

export type Row = Readonly<{
  name: string;
  openai: boolean;
  vllm: boolean;
  openrouter: boolean;
  fate: Fate;
  /** The rest of a request that asks for it, and the parameter itself. */
  base: object;
  asked: object;
}>;

function rowOf(name: string): Row {
  const openai = Object.hasOwn(OPENAI, name);
  const samples: Readonly<Record<string, unknown>> = {
    ...OPENROUTER,
    ...OLDER_VLLM,
    ...VLLM,
    ...OPENAI,
  };
  return {
    name,
    openai,
    vllm:
      (openai && !NOT_IN_VLLM.includes(name)) || Object.hasOwn({ ...VLLM, ...OLDER_VLLM }, name),
    openrouter: (openai && !NOT_IN_OPENROUTER.includes(name)) || Object.hasOwn(OPENROUTER, name),
    fate: fateOf(name),
    base: WITH[name] ?? {},
    asked: { [name]: samples[name] },
  };
}

const NAMES = [OPENAI, VLLM, OLDER_VLLM, OPENROUTER].flatMap((of) => Object.keys(of));
export const ROWS: readonly Row[] = [...new Set(NAMES)].toSorted().map(rowOf);
