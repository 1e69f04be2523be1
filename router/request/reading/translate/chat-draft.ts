/**
 * A chat that is translated from a body of another API, with the place from which each of its parts
 * came: the checks of a chat then name the fields that the client sent.
 */
import { fieldPath } from '../../../../shared/api/inference.ts';
import { type Api, fieldName } from '../../api.ts';
import { type Fault, isFault } from '../fault.ts';
import type { Path } from '../well-formed.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The settings of a request of the Responses API that its response repeats, or is written by. */
export type ResponseSettings = Readonly<{
  /** Members of a JSON object, without braces. */
  members: string;
  /** Whether reasoning items carry `encrypted_content`, for the client to send back. */
  returnsReasoning: boolean;
  /** The functions of groups, by their names in the chat. */
  grouped: ReadonlyMap<string, GroupedFunction>;
}>;

/** A function of a group, as the client named both. */
export type GroupedFunction = Readonly<{ namespace: string; name: string }>;

export type Translated = Readonly<{
  chat: Json;
  /** Returns the name that a field of the chat has in the body of the client. */
  nameOf: (param: string) => string;
  settings: ResponseSettings | null;
  /** Parts of the request that are left out although they would change the answer. */
  ignored: readonly string[];
  /** Whether models that do not reason refuse a request for reasoning. */
  requiresReasoning: boolean;
  /** Whether the arguments of tool calls were parsed and counted with the body. */
  argumentsCounted: boolean;
}>;

/** Where a message came from, and where its content parts and its tool calls came from. */
export type Origin = Readonly<{ at: Path; parts?: readonly Path[]; calls?: readonly Path[] }>;

/** A content part of a message, and where it came from. */
export type PlacedPart = Readonly<{ part: Json; at: Path }>;

const OF_MESSAGE = /^messages\[(\d+)\](?:\.(content|tool_calls)\[(\d+)\])?/;
const OF_TOOL = /^tools\[(\d+)\](?:\.function(?=\.|$))?/;

export class MessageList {
  readonly messages: Json[] = [];
  /** Names of tools that a search of the client found. */
  readonly toolsFound = new Set<string>();
  readonly #origins: Origin[] = [];

  add(message: Json, origin: Origin): void {
    this.messages.push(message);
    this.#origins.push(origin);
  }

  addSystem(text: string, at: Path): void {
    this.add({ role: 'system', content: text }, { at });
  }

  /**
   * Adds the result of a tool. Returns its images: in a chat, only a message of the user may have
   * images.
   */
  addResult(call: string, parts: readonly PlacedPart[], at: Path): PlacedPart[] {
    const isText = ({ part }: PlacedPart) => part['type'] === 'text';
    const content = contentOf(parts.filter(isText), '\n');
    this.add({ role: 'tool', tool_call_id: call, content }, { at });
    return parts.filter((part) => !isText(part));
  }

  nameIn(api: Api, param: string): string {
    const found = OF_MESSAGE.exec(param);
    const origin = found && this.#origins[Number(found[1])];
    if (!origin) return fieldName(api, param);
    const inner = found[2] === 'content' ? origin.parts : origin.calls;
    const path = found[2] === undefined ? undefined : inner?.[Number(found[3])];
    const isArguments = found[2] === 'tool_calls' && param.endsWith('.arguments');
    const field = api === 'messages' ? 'input' : 'arguments';
    return fieldPath([...(path ?? origin.at), ...(isArguments ? [field] : [])]);
  }
}

/** The tools of a chat. A client may group them, or send some that the chat does not have. */
export class ToolList {
  readonly tools: Json[] = [];
  readonly #origins: Path[] = [];

  add(fn: Json, at: Path): void {
    this.tools.push({ type: 'function', function: fn });
    this.#origins.push(at);
  }

  /** Returns the name of a field as the client knows it, if it is a tool's. */
  nameIn(param: string): string {
    return param.replace(OF_TOOL, (found: string, index: string) => {
      const at = this.#origins[Number(index)];
      return at ? fieldPath(at) : found;
    });
  }
}

/** The parts of a content, as `partOf` translates them. A text is a part of its own. */
export function partsOf(
  content: string | readonly unknown[],
  path: Path,
  partOf: (value: unknown, at: Path) => PlacedPart | Fault,
): PlacedPart[] | Fault {
  if (typeof content === 'string') return [textPart(content, path)];
  const parts: PlacedPart[] = [];
  for (const [index, value] of content.entries()) {
    const part = partOf(value, [...path, index]);
    if (isFault(part)) return part;
    parts.push(part);
  }
  return parts;
}

/** The content of a message: its only text, or its parts. */
export function contentOf(parts: readonly PlacedPart[], separator: string): string | Json[] {
  if (parts.some(({ part }) => part['type'] !== 'text')) return parts.map(({ part }) => part);
  return parts.map(({ part }) => part['text']).join(separator);
}

export function textPart(text: string, at: Path): PlacedPart {
  return { part: { type: 'text', text }, at };
}

export function imagePart(url: string, at: Path): PlacedPart {
  return { part: { type: 'image_url', image_url: { url } }, at };
}

/** The fields that an object has. Null counts as absent, which engines do not know. */
export function given(object: Json, names: readonly string[]): Record<string, unknown> {
  const fields = names.map((name) => [name, object[name] ?? null] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}

export function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as Json)['type'] : undefined;
}
