/**
 * Builds the messages of an engine's body, from the same kind of allow-list as the rest of it
 * (`body.ts`). Clients write one conversation in several ways, and chat templates know only one of
 * them.
 */
import { reasoningOf, text } from './chunk.ts';
import type { Dialect, Fields } from './dialects/dialect.ts';
import { inner, isObject, type JsonObject, list, pick } from './json.ts';

export function engineMessages(
  messages: unknown,
  reasoningField: Dialect['reasoningField'],
): readonly Fields[] {
  return withOneSystemMessage(list(messages).map((one) => message(one, reasoningField)));
}

/**
 * Some chat templates take only one system message, at the start. Those at the start are joined.
 * What a later one says is put into the user's message before it or after it, at its place: before
 * the conversation, it would change the prompt of all earlier turns, which are cached.
 */
function withOneSystemMessage(messages: readonly Fields[]): readonly Fields[] {
  const other = messages.findIndex(({ role }) => role !== 'system');
  const count = other < 0 ? messages.length : other;
  const later = messages.slice(count);
  const first = messages.slice(0, count);
  const rest = later.some(({ role }) => role === 'system')
    ? withoutSystem(afterResults(later))
    : later;
  if (count < 2) return [...first, ...rest];
  return [{ role: 'system', content: first.map(textOf).join('\n\n') }, ...rest];
}

/**
 * The results of tools must follow their calls at once. So a system message among them comes after
 * the last one.
 */
function afterResults(messages: readonly Fields[]): Fields[] {
  const made: Fields[] = [];
  const held: Fields[] = [];
  let isCalling = false;
  for (const one of messages) {
    const role = one['role'];
    if (isCalling && role === 'system') {
      held.push(one);
      continue;
    }
    if (role !== 'tool') {
      for (const system of held.splice(0)) made.push(system);
      isCalling = 'tool_calls' in one;
    }
    made.push(one);
  }
  for (const system of held) made.push(system);
  return made;
}

function withoutSystem(messages: readonly Fields[]): Fields[] {
  const made: Fields[] = [];
  /** Whether the last message is what a system message said, and may go into the user's next. */
  let isOpen = false;
  for (const one of messages) {
    const last = made.at(-1);
    const isSystem = one['role'] === 'system';
    const isUser = one['role'] === 'user';
    if (last?.['role'] === 'user' && (isSystem || (isUser && isOpen))) {
      made[made.length - 1] = { ...last, content: joined(last['content'], one['content']) };
      isOpen &&= isSystem;
      continue;
    }
    made.push(isSystem ? { role: 'user', content: textOf(one) } : one);
    isOpen = isSystem;
  }
  return made;
}

/** Joins the contents of two messages: two texts, or their parts. */
function joined(before: unknown, after: unknown): unknown {
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`;
  return [...partsOf(before), ...partsOf(after)];
}

function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
}

function textOf({ content }: Fields): string {
  if (typeof content === 'string') return content;
  const parts = list(content).filter(isObject);
  return parts.map((one) => text(one['text'])).join('\n');
}

function message(value: unknown, reasoningField: Dialect['reasoningField']): Fields {
  const from = isObject(value) ? value : {};
  const to = pick(from, ['role', 'name', 'tool_call_id']);
  // Chat templates do not know OpenAI's newer name.
  if (to['role'] === 'developer') to['role'] = 'system';
  const calls = list(from['tool_calls']).map(toolCall);
  const { content } = from;
  if (typeof content === 'string') to['content'] = content;
  else if (Array.isArray(content) && content.length > 0) to['content'] = content.flatMap(part);
  // Engines reject a message that has neither content nor calls.
  else if (calls.length === 0) to['content'] = '';
  const reasoning = to['role'] === 'assistant' ? earlierReasoning(from) : '';
  if (reasoning !== '') to[reasoningField] = reasoning;
  if (calls.length > 0) to['tool_calls'] = calls;
  return to;
}

/** The reasoning that a client sends back: as text, or as the list that OpenRouter's clients make. */
function earlierReasoning(from: JsonObject): string {
  const written = reasoningOf(from);
  if (written !== '') return written;
  const details = list(from['reasoning_details']).filter(isObject);
  return details.map((one) => text(one['text']) || text(one['summary'])).join('');
}

function part(value: unknown): Fields[] {
  const from = isObject(value) ? value : {};
  if (from['type'] === 'text') return [pick(from, ['type', 'text'])];
  if (from['type'] !== 'image_url') return [];
  const image = pick(inner(from, 'image_url'), ['url']);
  // Base64 may be in lines, and engines reject line breaks in it.
  if (typeof image['url'] === 'string') image['url'] = image['url'].replaceAll(/[\r\n]+/g, '');
  return [{ type: 'image_url', image_url: image }];
}

function toolCall(value: unknown): Fields {
  const from = isObject(value) ? value : {};
  const called = inner(from, 'function');
  const call = pick(called, ['name', 'arguments']);
  // Engines write empty text for a call without arguments, and some reject it in the history.
  if (typeof call['arguments'] === 'string' && call['arguments'].trim() === '') {
    call['arguments'] = '{}';
  }
  return { ...pick(from, ['id', 'type']), function: call };
}
