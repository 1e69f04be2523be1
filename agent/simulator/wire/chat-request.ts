/** POST /v1/chat/completions: parses a body into the job that the engine runs. */
import { z } from 'zod';
import { answerRandom, planChat } from '../answer/plan.ts';
import { nextStep } from '../answer/steps.ts';
import type { Tool, ToolChoice } from '../answer/tool-calls.ts';
import type { ServedModel } from '../models.ts';
import { renderChat, type TemplateMessage } from '../text/chat-template.ts';
import { badRequest, parsed } from './errors.ts';
import type { Job } from './job.ts';
import type { RequestRules } from './rules.ts';
import { type SamplingFields, samplingFields } from './sampling-fields.ts';
import { samplingOf } from './sampling.ts';

const Part = z.object({
  type: z.string().nullish(),
  text: z.string().nullish(),
  image_url: z.object({ url: z.string() }).nullish(),
});

const Message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z
    .array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))
    .nullish(),
});

const NO_TOOLS =
  '`tools` must not be an empty array. ' +
  'Either provide at least one tool or omit the field entirely.';

const NO_TOOL_PARSER =
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';

const ToolParam = z.object({
  type: z.literal('function').default('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.json()).nullish(),
  }),
});

/** The fields that determine the prompt. /tokenize takes the same fields. */
export const promptFields = {
  messages: z.array(Message).min(1),
  tools: z.array(ToolParam).nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  add_generation_prompt: z.boolean().default(true),
};

const ChatBody = z.object({
  ...samplingFields,
  ...promptFields,
  max_completion_tokens: z.int().min(1).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.object({ function: z.object({ name: z.string().min(1) }) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  response_format: z.object({ type: z.enum(['text', 'json_object']) }).nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  thinking_token_budget: z.int().nonnegative().nullish(),
  include_reasoning: z.boolean().default(true),
});
type ChatBody = z.infer<typeof ChatBody>;
export type PromptFields = Pick<ChatBody, keyof typeof promptFields>;

export interface PlanParts {
  readonly model: ServedModel;
  /** The engine's own seed. */
  readonly seed: number;
  readonly rules: RequestRules;
  /** Whether the engine finds tool calls in what a model writes. If not, it refuses tools. */
  readonly parsesTools: boolean;
}

export function chatJob(body: unknown, { model, seed, rules, parsesTools }: PlanParts): Job {
  const given: ChatBody & SamplingFields = parsed(ChatBody, body);
  if (rules.strict) assertTools(given);
  // An engine that accepts an empty list of tools treats it as no tools.
  const fields = given.tools?.length === 0 ? { ...given, tools: null, tool_choice: null } : given;
  const choice = toolChoice(fields);
  if (!parsesTools && choice.kind === 'auto') throw badRequest(NO_TOOL_PARSER);
  const prompt = chatPrompt(fields, model);
  const sampling = samplingOf(fields, {
    model,
    rules,
    promptTokens: prompt.length,
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens ?? null,
    logprobs: fields.logprobs ? (fields.top_logprobs ?? 0) : null,
  });
  const said = lastOfUser(fields.messages);
  const script = planChat(
    {
      prompt: said,
      length: sampling.length,
      json: fields.response_format?.type === 'json_object',
      tools: {
        tools: (fields.tools ?? []).map((tool) => toolOf(tool.function)),
        choice,
        parallel: fields.parallel_tool_calls ?? true,
        prompt: said,
        answersTool: fields.messages.at(-1)?.role === 'tool',
      },
      step: nextStep(
        fields.messages.map(({ role, content }) => ({ role, text: textOf(content) })),
        (fields.tools ?? []).map((tool) => tool.function.name),
      ),
      profile: model.thinking,
      thinking: {
        kwargs: fields.chat_template_kwargs ?? {},
        effort: fields.reasoning_effort ?? null,
        budget: fields.thinking_token_budget ?? null,
      },
    },
    answerRandom(seed, sampling.seed, prompt),
  );
  return {
    model,
    prompt,
    script,
    sampling,
    namedTool: choice.kind === 'named',
    forcedTool: choice.kind === 'named' || choice.kind === 'required',
    parsed: model.thinking !== null || fields.tools != null,
    hideReasoning: !fields.include_reasoning,
  };
}

/** Throws a 400 for an empty list of tools, as vLLM does. */
export function assertTools({ tools }: PromptFields): void {
  if (tools?.length === 0) throw badRequest(`tools: ${NO_TOOLS}`, 'tools');
}

export function chatPrompt(fields: PromptFields, model: ServedModel): Int32Array {
  return renderChat(messagesOf(fields, model), fields.tools ?? [], fields.add_generation_prompt);
}

export function messagesOf(fields: PromptFields, model: ServedModel): TemplateMessage[] {
  return fields.messages.map((message) => templateMessage(message, model));
}

function toolOf(given: z.infer<typeof ToolParam>['function']): Tool {
  const { name, description, parameters } = given;
  return { name, description: description ?? '', parameters: parameters ?? null };
}

/** Returns the tool choice. If it is absent and there are tools, it is `auto`. */
function toolChoice({ tool_choice: choice, tools }: ChatBody): ToolChoice {
  if (choice == null) return { kind: tools ? 'auto' : 'none' };
  if (choice === 'none') return { kind: 'none' };
  if (!tools) throw badRequest('When using `tool_choice`, `tools` must be set.', 'tool_choice');
  if (typeof choice === 'string') return { kind: choice };
  const { name } = choice.function;
  if (!tools.some((tool) => tool.function.name === name)) {
    throw badRequest(
      'The tool specified in `tool_choice` does not match any of the specified `tools`',
      'tool_choice',
    );
  }
  return { kind: 'named', name };
}

function templateMessage(message: z.infer<typeof Message>, model: ServedModel): TemplateMessage {
  const { content } = message;
  const given = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const parts = given.map((part) => {
    const url = 'image_url' in part ? part.image_url?.url : undefined;
    if (url !== undefined) assertImage(url, model);
    return { text: part.text ?? undefined, imageUrl: url };
  });
  return {
    role: message.role,
    parts,
    calls: (message.tool_calls ?? []).map((call) => call.function),
  };
}

function assertImage(url: string, model: ServedModel): void {
  if (!model.images) throw badRequest(`${model.id} is not a multimodal model`, 'messages');
  if (!/^data:[^,]*;base64,/.test(url)) {
    throw badRequest('Only base64 data URIs are accepted as image_url.', 'messages');
  }
}

function lastOfUser(messages: ChatBody['messages']): string {
  return textOf(messages.findLast(({ role }) => role === 'user')?.content);
}

function textOf(content: z.infer<typeof Message>['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join(' ');
}
