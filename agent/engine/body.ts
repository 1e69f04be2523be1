/**
 * The body an engine gets: picked, field by field, from what the client sent. Never made by deletion: what is
 * not named here does not exist for the engine, be it a cache salt, a priority or a key of tomorrow.
 */
import { SAMPLING_PARAMETERS } from '../../shared/catalog.ts';
import type { Open } from '../../shared/wire/messages.ts';
import type { Dialect, Fields } from './dialects/dialect.ts';
import { isObject, type JsonObject } from './json.ts';
import type { ServedModel } from './models.ts';

/** The length is the router's word, not the client's. */
const SAMPLING = SAMPLING_PARAMETERS.filter((name) => name !== 'max_tokens');

const TOP_P_LEAST = 1e-6;

export type BodyParts = Readonly<{
  open: Open;
  /** What the client sent; the router has checked it against the schema. */
  client: JsonObject;
  model: ServedModel;
  /** What the engine calls the request. */
  id: string;
  dialect: Dialect;
  thinking: Fields;
}>;

/** The engine's body, ready to be written as JSON. */
export function engineBody({ open, client, model, id, dialect, thinking }: BodyParts): Fields {
  const { served } = model;
  const body = promptBody({ endpoint: open.endpoint, client, served, thinking });
  Object.assign(body, pick(client, SAMPLING));
  // Our surface goes from 0, engines take what is above it: the likeliest token alone, either way.
  if (body['top_p'] === 0) body['top_p'] = TOP_P_LEAST;
  if (open.maxTokens !== null) body['max_tokens'] = open.maxTokens;
  const { contextLength } = model.model;
  return Object.assign(body, { stream: true }, dialect.control({ ...open, id, contextLength }));
}

/** As much of the engine's body as its prompt is made of. */
export function promptBody({
  endpoint,
  client,
  served,
  thinking,
}: Pick<BodyParts, 'client' | 'thinking'> &
  Pick<ServedModel, 'served'> &
  Pick<Open, 'endpoint'>): Fields {
  if (endpoint === 'completions') return { model: served, prompt: client['prompt'] };
  return { model: served, ...chatFields(client), ...thinking };
}

/** What of a body decides the length of its prompt: what the engine's tokenizer is asked. */
export function promptFields(body: Fields): Fields {
  return pick(body, ['model', 'prompt', 'messages', 'tools', 'chat_template_kwargs']);
}

function chatFields(client: JsonObject): Fields {
  const fields: Fields = { messages: list(client['messages']).map(message) };
  const format = client['response_format'];
  if (isObject(format)) fields['response_format'] = pick(format, ['type']);
  const tools = list(client['tools']).map(tool);
  // vLLM refuses an empty list, and a choice or a switch without tools.
  if (tools.length > 0) {
    fields['tools'] = tools;
    Object.assign(fields, pick(client, ['parallel_tool_calls']), toolChoice(client));
  }
  return fields;
}

function message(value: unknown): Fields {
  const from = isObject(value) ? value : {};
  const to = pick(from, ['role', 'name', 'tool_call_id', 'reasoning']);
  const { content } = from;
  if (typeof content === 'string') to['content'] = content;
  else if (Array.isArray(content)) to['content'] = content.flatMap(part);
  const calls = list(from['tool_calls']).map(toolCall);
  if (calls.length > 0) to['tool_calls'] = calls;
  return to;
}

function part(value: unknown): Fields[] {
  const from = isObject(value) ? value : {};
  if (from['type'] === 'text') return [pick(from, ['type', 'text'])];
  if (from['type'] !== 'image_url') return [];
  return [{ type: 'image_url', image_url: pick(inner(from, 'image_url'), ['url']) }];
}

function toolCall(value: unknown): Fields {
  const from = isObject(value) ? value : {};
  const called = inner(from, 'function');
  const call = pick(called, ['name', 'arguments']);
  // Engines write no text for a call without arguments, and some fail on it when it comes back.
  if (typeof call['arguments'] === 'string' && call['arguments'].trim() === '') {
    call['arguments'] = '{}';
  }
  return { ...pick(from, ['id', 'type']), function: call };
}

function tool(value: unknown): Fields {
  const from = isObject(value) ? value : {};
  const offered = inner(from, 'function');
  return {
    ...pick(from, ['type']),
    function: pick(offered, ['name', 'description', 'parameters', 'strict']),
  };
}

function toolChoice(client: JsonObject): Fields {
  const choice = client['tool_choice'];
  if (typeof choice === 'string') return { tool_choice: choice };
  if (!isObject(choice)) return {};
  const called = pick(inner(choice, 'function'), ['name']);
  return { tool_choice: { ...pick(choice, ['type']), function: called } };
}

/** The named fields that are there and not null. */
function pick(from: JsonObject, names: readonly string[]): Fields {
  const to: Fields = {};
  for (const name of names) {
    if (Object.hasOwn(from, name) && (from[name] ?? null) !== null) to[name] = from[name];
  }
  return to;
}

function inner(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isObject(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
