/**
 * Turns the bytes of a body into the facts that the later stages need. This is a pure function: it
 * runs on the event loop for a small body and on a thread for a large one, and never returns the
 * parsed body.
 *
 * Cheap checks come first: JSON values are counted before the text is parsed, lists are counted
 * before a schema checks them, and the first fault ends the work.
 */
import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import {
  type ChatRequest,
  type CompletionRequest,
  declinesThinking,
  hiddenReasoning,
} from '../../../shared/api/inference.ts';
import { notHonoured } from '../../../shared/api/parameters.ts';
import { scan } from '../../../shared/bounds/json-scan.ts';
import { type ListedParameter, SAMPLING_PARAMETERS } from '../../../shared/catalog.ts';
import { limits } from '../../../shared/limits.ts';
import type { RequestedFeatures } from '../../catalog/requested-features.ts';
import { type Prompt, promptOf } from '../../routing/prompt.ts';
import type { Api } from '../api.ts';
import { type CheckedChat, checkChat, checkCompletion } from './check.ts';
import { Fault, illFormed, invalidJson, isFault } from './fault.ts';
import { imagesAsHashes } from './images.ts';
import type { Json, ResponseSettings, Translated } from './translate/chat-draft.ts';
import { translateMessages } from './translate/messages.ts';
import { translateResponses } from './translate/responses.ts';
import { findIllFormed } from './well-formed.ts';

/** `salt` is the organization's. The hashes of the prompt depend on it and on the model. */
export type Reading = Readonly<{
  bytes: Uint8Array<ArrayBuffer>;
  api: Api;
  salt: string;
  /** Whether a repeat of the request is to be recognized, if it is not streamed. */
  wantsDigest?: boolean;
}>;

/** The body for the agent: the bytes as received, or those of the chat that they were translated to. */
export type ReadRequest = Readonly<{ facts: Facts; bytes: Uint8Array<ArrayBuffer> }>;

export type Facts = Readonly<{
  asked: RequestedFeatures;
  streamed: boolean;
  includeUsage: boolean;
  /** Whether the usage tells its cost. */
  includeCost: boolean;
  /** Parameters that are ignored although they would change the answer. */
  ignored: readonly string[];
  /** Messages and tools; the chat template adds tokens to each. */
  turns: number;
  prompt: Prompt;
  /** What a response of the Responses API needs of its request. Null for the other APIs. */
  settings: ResponseSettings | null;
  /** A digest of the body as received, under the salt. Null unless it is wanted, and for a stream. */
  bodyDigest: string | null;
}>;

export function readRequest(reading: Reading): ReadRequest | Fault {
  const read = readAs(reading);
  if (isFault(read) || !reading.wantsDigest || read.facts.streamed) return read;
  const bodyDigest = createHmac('sha256', reading.salt).update(reading.bytes).digest('hex');
  return { ...read, facts: { ...read.facts, bodyDigest } };
}

function readAs({ bytes, api, salt }: Reading): ReadRequest | Fault {
  const read = parseObject(bytes);
  if (isFault(read)) return read;
  const result = readObject(read, { bytes, api, salt });
  return isFault(result) ? result.ofModel(read.object['model']) : result;
}

function readObject(
  { object, text, nodesLeft }: Parsed,
  { bytes, api, salt }: Reading,
): ReadRequest | Fault {
  switch (api) {
    case 'chat': {
      const facts = readChat(object, nodesLeft, salt);
      return isFault(facts) ? facts : { facts, bytes };
    }
    case 'completions': {
      const body = checkCompletion(object);
      const facts = isFault(body) ? body : completionFacts(body, salt);
      return isFault(facts) ? facts : { facts, bytes };
    }
    case 'responses':
    case 'messages': {
      const translated = TRANSLATORS[api](object, text);
      return isFault(translated) ? translated : readTranslated(translated, nodesLeft, salt);
    }
  }
}

const TRANSLATORS = { responses: translateResponses, messages: translateMessages } as const;

function readChat(object: Json, nodesLeft: number, salt: string): Facts | Fault {
  const checked = checkChat(object, { nodesLeft, depthMax: limits.jsonDepthMax });
  return isFault(checked) ? checked : chatFacts(checked, salt);
}

/** A translated body passes the checks of a chat, and its faults get the names of its own API. */
function readTranslated(
  { chat, nameOf, settings, ignored, requiresReasoning, argumentsCounted }: Translated,
  nodesLeft: number,
  salt: string,
): ReadRequest | Fault {
  // A translation may be longer: an input of tools, which is an object, becomes escaped text.
  const bytes = new TextEncoder().encode(JSON.stringify(chat));
  if (bytes.length > limits.bodyBytesMax) {
    const message = 'As the chat that it is translated to, the body is larger than 32 MiB.';
    return new Fault('body_too_large', null, message);
  }
  const left = argumentsCounted ? limits.jsonNodesMax : nodesLeft;
  const facts = readChat(chat, left, salt);
  if (isFault(facts)) return facts.renamed(nameOf);
  const asked = renamed(facts.asked, nameOf);
  const wanted = { wantsReasoning: asked.wantsReasoning && requiresReasoning };
  return { facts: { ...facts, asked: { ...asked, ...wanted }, settings, ignored }, bytes };
}

function renamed(
  { images, toolChoice, ...asked }: RequestedFeatures,
  nameOf: Translated['nameOf'],
): RequestedFeatures {
  const first = images.first === null ? null : nameOf(images.first);
  const notTaken = images.notTaken === null ? null : nameOf(images.notTaken);
  return {
    ...asked,
    images: { ...images, first, notTaken },
    toolChoice: toolChoice && { ...toolChoice, param: nameOf(toolChoice.param) },
  };
}

type Parsed = Readonly<{ object: Json; text: string; nodesLeft: number }>;

function parseObject(bytes: Uint8Array): Parsed | Fault {
  if (bytes.length === 0) return invalidJson('The body is empty: send a JSON object.');
  const { jsonDepthMax: depthMax, jsonNodesMax: nodesMax } = limits;
  const scanned = scan(bytes, { depthMax, nodesMax });
  if (scanned.exceeded === 'depth') {
    return invalidJson(`The body is nested more than ${depthMax} levels deep.`);
  }
  if (scanned.exceeded) return invalidJson(`The body has more than ${nodesMax} JSON values.`);
  if (!isUtf8(bytes)) return invalidJson('The body is not valid UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch {
    return invalidJson();
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return invalidJson('The body is not a JSON object.');
  }
  const path = scanned.hasLoneSurrogate ? findIllFormed(object) : null;
  if (path) return illFormed(path);
  return { object: object as Json, text, nodesLeft: nodesMax - scanned.nodes };
}

function chatFacts({ body, toolNames, images }: CheckedChat, salt: string): Facts | Fault {
  const asked = commonAsked(body);
  if (isFault(asked)) return asked;
  return {
    asked: {
      ...asked,
      isChat: true,
      wantsJson: body.response_format?.type === 'json_object',
      wantsReasoning: wantsReasoning(body.reasoning),
      hiddenReasoning: hiddenReasoning(body.reasoning),
      reasoningTokens: body.reasoning?.max_tokens ?? null,
      listed: [...asked.listed, ...chatLogprobs(body)],
      topLogprobs: body.logprobs ? (body.top_logprobs ?? 0) : null,
      tools: toolNames.length,
      toolChoice: toolChoiceFault(toolNames, body.tool_choice),
      images,
    },
    ...streaming(body),
    turns: body.messages.length + toolNames.length,
    prompt: promptOf(
      `${body.model}|${salt}`,
      chatText(body, images.count > 0),
      templateSettings(body),
    ),
    settings: null,
    bodyDigest: null,
  };
}

function completionFacts(body: CompletionRequest, salt: string): Facts | Fault {
  const asked = commonAsked(body);
  if (isFault(asked)) return asked;
  return {
    asked: {
      ...asked,
      isChat: false,
      wantsJson: false,
      wantsReasoning: false,
      hiddenReasoning: null,
      reasoningTokens: null,
      // Even 0 asks for the probability of the token itself.
      listed: (body.logprobs ?? null) === null ? asked.listed : [...asked.listed, 'logprobs'],
      topLogprobs: body.logprobs ?? null,
      tools: 0,
      toolChoice: null,
      images: { count: 0, bytes: 0, first: null, notTaken: null },
    },
    ...streaming(body),
    turns: 0,
    prompt: promptOf(`${body.model}|${salt}`, body.prompt),
    settings: null,
    bodyDigest: null,
  };
}

function commonAsked(body: ChatRequest | CompletionRequest) {
  // No catalog has such a long name, and the facts must stay small.
  if (body.model.length > limits.modelIdCharsMax) {
    return new Fault('model_not_found', 'model');
  }
  return {
    model: body.model,
    listed: SAMPLING_PARAMETERS.filter((name) => (body[name] ?? null) !== null),
    maxTokens: body.max_tokens ?? body.max_completion_tokens ?? null,
    maxTokensField:
      (body.max_tokens ?? null) === null
        ? ('max_completion_tokens' as const)
        : ('max_tokens' as const),
  };
}

function streaming(body: ChatRequest | CompletionRequest) {
  const includeCost = body.usage?.include ?? false;
  return {
    streamed: body.stream ?? false,
    includeUsage: includeCost || (body.stream_options?.include_usage ?? false),
    includeCost,
    ignored: notHonoured(body),
  };
}

/** A model that does not reason serves a request that asks it not to. */
function wantsReasoning(reasoning: ChatRequest['reasoning']): boolean {
  const { enabled, effort, max_tokens: tokens } = reasoning ?? {};
  if (declinesThinking(reasoning)) return false;
  return enabled === true || (effort ?? null) !== null || (tokens ?? null) !== null;
}

function chatLogprobs({ logprobs, top_logprobs: top }: ChatRequest): ListedParameter[] {
  return [...(logprobs ? ['logprobs' as const] : []), ...(top ? ['top_logprobs' as const] : [])];
}

function toolChoiceFault(
  names: readonly string[],
  choice: ChatRequest['tool_choice'],
): RequestedFeatures['toolChoice'] {
  if (choice === 'required' && names.length === 0) {
    const message = 'tool_choice is required, but there are no tools.';
    return { param: 'tool_choice', message };
  }
  if (typeof choice !== 'object' || choice === null) return null;
  if (names.includes(choice.function.name)) return null;
  const message = 'tool_choice names a function that is not among the tools.';
  return { param: 'tool_choice.function.name', message };
}

/** The settings that a chat template may write into the prompt, in a line of text. */
function templateSettings({ reasoning, tool_choice, response_format }: ChatRequest): string {
  return JSON.stringify([reasoning, tool_choice, response_format]);
}

/** What an engine gets of a message, so that two spellings of it have one text. */
function canonical(message: unknown): readonly unknown[] {
  const { role, content, name, tool_call_id, tool_calls, reasoning, ...others } = message as Json;
  return [
    role === 'developer' ? 'system' : role,
    onlyText(content) ?? content,
    name,
    tool_call_id,
    tool_calls,
    reasoning ?? others['reasoning_content'],
    others['reasoning_details'],
  ];
}

/** The text of a content that has a single part. */
function onlyText(content: unknown): unknown {
  return Array.isArray(content) && content.length === 1 ? (content[0] as Json)['text'] : null;
}

/** The canonical text of a chat. One text is a prefix of another exactly if the prompts are. */
function chatText({ tools, messages }: ChatRequest, hasImages: boolean): string {
  const text = JSON.stringify(messages.map(canonical), hasImages ? imagesAsHashes : undefined);
  return JSON.stringify(tools ?? null) + text.slice(0, -1);
}
