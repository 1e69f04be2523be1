/** The body of a request: bounded, parsed, and checked against the schema and its model. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import {
  ChatRequest,
  CompletionRequest,
  fieldPath,
  nativeSwitch,
  notOffered,
} from '../../shared/api/inference.ts';
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import type { LiveCatalog, ServedModel } from '../catalog/live.ts';
import {
  askedTokens,
  checkFeatures,
  checkImages,
  checkSampling,
  type Images,
} from '../catalog/rules.ts';
import type { PromptAsk } from '../fleet/forecasts.ts';
import { promptOf } from '../fleet/prompt.ts';
import { parseObject, readBody } from './body.ts';
import type { BodyLease } from './body-budget.ts';

export type Endpoint = 'chat' | 'completions';

/** A request that may be served: all that the later stations need to know of it. */
export type Ask = Readonly<{
  endpoint: Endpoint;
  model: ServedModel;
  streamed: boolean;
  includeUsage: boolean;
  /** Whether the model may think all the same though its thoughts are not wanted: then none are shown. */
  thoughtsWithheld: boolean;
  /** Completion tokens asked for; null: as many as the model gives. */
  maxTokens: number | null;
  /** The very bytes that came: the agent builds the engine's request from them. */
  raw: Buffer;
  /** What a worker is picked by: the prompt's hashes are bound to model and organization. */
  asking: PromptAsk;
  /** What the prompt is taken to cost before the engine has counted it. */
  promptTokensEstimate: number;
  /** The most that an engine may say the prompt has. */
  promptTokensMax: number;
}>;

export type ArriveParts = Readonly<{
  catalog: LiveCatalog;
  clock: Clock;
  /** Aborted once the router takes no new requests. */
  stopping: AbortSignal;
}>;

export async function arrive(
  { catalog, clock, stopping }: ArriveParts,
  request: IncomingMessage,
  endpoint: Endpoint,
  { salt, lease }: Readonly<{ salt: string; lease: BodyLease }>,
): Promise<Ask | Refusal> {
  const raw = await readBody(request, { clock, lease, stopping });
  if (isRefusal(raw)) return raw;
  const object = parseObject(raw);
  if (isRefusal(object)) return object;
  const forbidden = nativeSwitch(object) ?? notOffered(endpoint, object);
  if (forbidden !== null) return forbiddenParameter(forbidden);
  return endpoint === 'chat'
    ? arriveChat(catalog, { raw, object, salt })
    : arriveCompletion(catalog, { raw, object, salt });
}

type Arrived = Readonly<{ raw: Buffer; object: object; salt: string }>;

function arriveChat(catalog: LiveCatalog, { raw, object, salt }: Arrived): Ask | Refusal {
  const body = parse(ChatRequest, object);
  if (isRefusal(body)) return body;
  const model = find(catalog, body.model);
  if (isRefusal(model)) return model;
  const refusal = checkSampling(model.entry, body) ?? checkFeatures(model.entry, body);
  if (refusal) return refusal;
  const images = checkImages(model.entry, body);
  if (isRefusal(images)) return images;
  const turns = body.messages.length + (body.tools?.length ?? 0);
  const tokens = tokensOf(raw, turns, images);
  return {
    endpoint: 'chat',
    model,
    raw,
    asking: askingOf(model, salt, chatText(body, images), tokens.promptTokensEstimate),
    ...wishes(body, model.entry),
    ...tokens,
  };
}

function arriveCompletion(catalog: LiveCatalog, { raw, object, salt }: Arrived): Ask | Refusal {
  const body = parse(CompletionRequest, object);
  if (isRefusal(body)) return body;
  const model = find(catalog, body.model);
  if (isRefusal(model)) return model;
  const refusal = checkSampling(model.entry, body);
  if (refusal) return refusal;
  const tokens = tokensOf(raw, 0, { count: 0, bytes: 0 });
  return {
    endpoint: 'completions',
    model,
    raw,
    asking: askingOf(model, salt, body.prompt, tokens.promptTokensEstimate),
    ...wishes(body, model.entry),
    ...tokens,
  };
}

function askingOf(
  { entry }: ServedModel,
  salt: string,
  text: string,
  promptTokens: number,
): PromptAsk {
  return { model: entry.id, prompt: promptOf(`${entry.id}|${salt}`, text), promptTokens };
}

/** Text that continues the text of an earlier request exactly if its prompt does. */
function chatText({ tools, messages }: ChatRequest, images: Images): string {
  const text = JSON.stringify(messages, images.count > 0 ? imagesAsHashes : undefined);
  return JSON.stringify(tools ?? null) + text.slice(0, -1);
}

/** An image has few tokens for all its characters: as text it would pass for most of the prompt. */
function imagesAsHashes(key: string, value: unknown): unknown {
  if (key !== 'url' || typeof value !== 'string' || !value.startsWith('data:')) return value;
  return hash('sha1', value, 'base64');
}

/** Not every model can be told not to think. */
function thinksUnseen(body: ChatRequest | CompletionRequest, entry: ServedModel['entry']): boolean {
  if (entry.thinking === null || !('reasoning' in body)) return false;
  const asked = (body as ChatRequest).reasoning;
  return asked?.enabled === false || asked?.effort === 'none';
}

function wishes(body: ChatRequest | CompletionRequest, entry: ServedModel['entry']) {
  return {
    streamed: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    thoughtsWithheld: thinksUnseen(body, entry),
    maxTokens: askedTokens(body),
  };
}

/** Bytes bound tokens from above: a tokenizer never makes more tokens than there are bytes of text. */
function tokensOf(raw: Buffer, turns: number, images: Images) {
  const textBytes = raw.length - images.bytes;
  return {
    promptTokensEstimate:
      Math.ceil(textBytes / 3) + turns * 8 + 64 + images.count * limits.imageTokensEstimate,
    promptTokensMax:
      textBytes +
      limits.templateTokensMax +
      turns * limits.templateTokensPerPartMax +
      images.count * limits.imageTokensMax,
  };
}

function find(catalog: LiveCatalog, id: string): ServedModel | Refusal {
  return catalog.get(id) ?? new Refusal('model_not_found', { param: 'model' });
}

function forbiddenParameter(param: string): Refusal {
  const advice = /think|reason/.test(param) ? ': use the reasoning object' : '';
  return new Refusal('unsupported_parameter', {
    param,
    message: `${param} is not supported here${advice}.`,
  });
}

function parse<T>(schema: z.ZodType<T>, object: object): T | Refusal {
  const parsed = schema.safeParse(object);
  if (parsed.success) return parsed.data;
  const { path, message } = deepest(parsed.error.issues[0] as z.core.$ZodIssue);
  const param = fieldPath(path);
  const missing = path.length > 0 && path.reduce<unknown>(step, object) === undefined;
  return new Refusal(missing ? 'missing_field' : 'invalid_value', {
    param,
    message: missing ? `${param} is required.` : `${param}: ${message}`,
  });
}

function step(holder: unknown, key: PropertyKey): unknown {
  return (holder as Record<PropertyKey, unknown> | null | undefined)?.[key];
}

/** Of a union, the alternative that went furthest says best what is wrong. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  let best = { path: issue.path, message: issue.message };
  if (issue.code !== 'invalid_union') return best;
  for (const [first] of issue.errors) {
    if (!first) continue;
    const inner = deepest(first);
    if (inner.path.length > 0) {
      const path = [...issue.path, ...inner.path];
      if (path.length > best.path.length) best = { path, message: inner.message };
    }
  }
  return best;
}
