/**
 * Builds an engine's request body from an allow-list of the client's fields. It never starts from
 * the client's body, so a field that is not named here does not reach the engine. That includes a
 * cache salt, a priority, and any field that engines add later.
 */
import { SAMPLING_PARAMETERS } from '../../shared/catalog.ts';
import type { Open } from '../../shared/wire/messages.ts';
import { engineMessages } from './conversation.ts';
import type { Dialect, Fields } from './dialects/dialect.ts';
import { inner, isObject, type JsonObject, list, pick } from './json.ts';
import { logprobsFields } from './logprobs.ts';
import type { ServedModel } from './models.ts';

/** `max_tokens` is left out, because the router sets the length and not the client. */
const SAMPLING = SAMPLING_PARAMETERS.filter((name) => name !== 'max_tokens');

const TOP_P_LEAST = 1e-6;

export type BodyParts = Readonly<{
  open: Open;
  /** The client's body, which the router has checked against the schema. */
  client: JsonObject;
  model: ServedModel;
  /** The id of the request at the engine. */
  id: string;
  dialect: Dialect;
  thinking: Fields;
}>;

/** Returns the engine's whole body, to be serialized as JSON. */
export function engineBody({ open, client, model, id, dialect, thinking }: BodyParts): Fields {
  const { served } = model;
  const body = promptBody({ endpoint: open.endpoint, client, served, dialect, thinking });
  Object.assign(body, pick(client, SAMPLING));
  // The public API allows 0, but engines accept only values above 0. Either way only the most
  // likely token remains.
  if (body['top_p'] === 0) body['top_p'] = TOP_P_LEAST;
  if (open.topLogprobs !== undefined) {
    Object.assign(body, logprobsFields(open.endpoint, open.topLogprobs));
  }
  const { contextLength } = model;
  const maxTokens = lengthWithin(contextLength, open.maxTokens);
  if (maxTokens !== null) body['max_tokens'] = maxTokens;
  const controlled = { ...open, maxTokens, id, contextLength };
  return Object.assign(body, { stream: true }, dialect.control(controlled));
}

/**
 * The context of an engine may be shorter than the catalog's. Engines refuse a prompt and a length
 * that exceed it together, so a length that leaves no room for any prompt is none. The grant bounds
 * the answer anyway.
 */
function lengthWithin(contextLength: number, maxTokens: number | null): number | null {
  return maxTokens !== null && maxTokens < contextLength ? maxTokens : null;
}

/** Returns the part of the engine's body that makes up the prompt. */
export function promptBody({
  endpoint,
  client,
  served,
  dialect,
  thinking,
}: Pick<BodyParts, 'client' | 'dialect' | 'thinking'> &
  Pick<ServedModel, 'served'> &
  Pick<Open, 'endpoint'>): Fields {
  if (endpoint === 'completions') {
    const { prompt } = client;
    // A list of one text is the text.
    return { model: served, prompt: list(prompt)[0] ?? prompt };
  }
  return { model: served, ...chatFields(client, dialect), ...thinking };
}

/**
 * Returns the fields of a body that determine the length of its prompt. They are sent to the
 * engine's tokenizer.
 */
export function promptFields(body: Fields): Fields {
  return pick(body, ['model', 'prompt', 'messages', 'tools', 'chat_template_kwargs']);
}

function chatFields(client: JsonObject, { reasoningField, jsonFormat }: Dialect): Fields {
  const fields: Fields = { messages: engineMessages(client['messages'], reasoningField) };
  const format = client['response_format'];
  if (isObject(format)) {
    fields['response_format'] =
      format['type'] === 'json_object' ? jsonFormat : pick(format, ['type']);
  }
  const tools = list(client['tools']).map(tool);
  // vLLM rejects an empty list of tools, and `tool_choice` or `parallel_tool_calls` without tools.
  if (tools.length > 0) {
    fields['tools'] = tools;
    Object.assign(fields, pick(client, ['parallel_tool_calls']), toolChoice(client));
  }
  return fields;
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
