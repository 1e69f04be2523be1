/**
 * Checks a parsed body against its schema. Lists are counted first and then checked element by
 * element, up to the first fault: a schema of a whole list would collect a fault for each element.
 */
import type { z } from 'zod';
import {
  ChatRequest,
  CompletionRequest,
  Message,
  TextPart,
  Tool,
  ToolCall,
  UserPart,
} from '../../../shared/api/inference.ts';
import { nativeSwitch, notOffered } from '../../../shared/api/parameters.ts';
import { predicateOf } from '../../../shared/api/schema-messages.ts';
import { limits } from '../../../shared/limits.ts';
import type { Images } from '../../catalog/requested-features.ts';
import { faultAt, type Fault, isFault, schemaFault, tooMany } from './fault.ts';
import { ImageCount, isImagePart } from './images.ts';
import { type ArgumentsCheck, toolArguments } from './tool-arguments.ts';
import type { Path } from './well-formed.ts';

type Json = Readonly<Record<string, unknown>>;

export type CheckedChat = Readonly<{
  body: ChatRequest;
  toolNames: readonly string[];
  images: Images;
}>;

export function checkCompletion(object: Json): CompletionRequest | Fault {
  return (
    forbidden('completions', object) ??
    countStops(object) ??
    tooLong(object['prompt'], ['prompt'], 1, 'text; send a request for each') ??
    parse(CompletionRequest, object, [])
  );
}

export function checkChat(object: Json, argumentsCheck: ArgumentsCheck): CheckedChat | Fault {
  const early =
    forbidden('chat', object) ??
    countStops(object) ??
    tooLong(object['messages'], ['messages'], limits.messagesMax, 'messages') ??
    tooLong(object['tools'], ['tools'], limits.toolsMax, 'tools');
  if (early) return early;
  const body = parse(ChatRequest, object, []);
  if (isFault(body)) return body;
  const images = new ImageCount();
  let partsLeft = limits.partsMax;
  for (const [index, message] of body.messages.entries()) {
    const at = ['messages', index];
    const fault = checkMessage(message, at, images, argumentsCheck);
    if (fault) return fault;
    partsLeft -= partsOf(message).length;
    if (partsLeft < 0) return tooMany(['messages'], limits.partsMax, 'content parts in all');
  }
  const toolNames: string[] = [];
  for (const [index, value] of (body.tools ?? []).entries()) {
    const tool = parse(Tool, value, ['tools', index]);
    if (isFault(tool)) return tool;
    toolNames.push(tool.function.name);
  }
  return { body, toolNames, images: images.found() };
}

function checkMessage(
  raw: unknown,
  at: Path,
  images: ImageCount,
  argumentsCheck: ArgumentsCheck,
): Fault | null {
  const parts = partsOf(raw);
  if (parts.length > limits.partsPerMessageMax) {
    return tooMany([...at, 'content'], limits.partsPerMessageMax, 'content parts in a message');
  }
  const message = parse(Message, raw, at);
  if (isFault(message)) return message;
  const schema = message.role === 'user' ? UserPart : TextPart;
  for (const [index, value] of parts.entries()) {
    const path = [...at, 'content', index];
    const part = parse(schema, value, path);
    if (isFault(part)) return part;
    if (isImagePart(part)) images.add(part.image_url.url, path);
  }
  if (message.role !== 'assistant') return null;
  const calls = message.tool_calls ?? [];
  if (calls.length > limits.toolCallsPerMessageMax) {
    return tooMany([...at, 'tool_calls'], limits.toolCallsPerMessageMax, 'tool calls in a message');
  }
  for (const [index, value] of calls.entries()) {
    const path = [...at, 'tool_calls', index];
    const call = parse(ToolCall, value, path);
    if (isFault(call)) return call;
    const fault = toolArguments(call.function.arguments, path, argumentsCheck);
    if (fault) return fault;
  }
  return null;
}

function partsOf(message: unknown): readonly unknown[] {
  if (typeof message !== 'object' || message === null || !('content' in message)) return [];
  return Array.isArray(message.content) ? message.content : [];
}

function countStops(object: Json): Fault | null {
  return tooLong(object['stop'], ['stop'], limits.stopSequencesMax, 'stop sequences');
}

export function tooLong(value: unknown, path: Path, max: number, what: string): Fault | null {
  return Array.isArray(value) && value.length > max ? tooMany(path, max, what) : null;
}

function forbidden(endpoint: 'chat' | 'completions', object: Json): Fault | null {
  const native = nativeSwitch(object);
  const param = native ?? notOffered(endpoint, object);
  if (param === null) return null;
  const advice = native !== null && endpoint === 'chat' ? ': use the reasoning object' : '';
  return faultAt(
    'unsupported_parameter',
    [param],
    () => `${param} is not supported here${advice}.`,
  );
}

export function parse<T>(schema: z.ZodType<T>, value: unknown, at: Path): T | Fault {
  const parsed = schema.safeParse(value, { error: predicateOf });
  return parsed.success ? parsed.data : schemaFault(parsed.error, value, at);
}
