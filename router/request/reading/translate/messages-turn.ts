/**
 * Translates one message of the Messages API. A message of the user with results of tools becomes a
 * message of each tool, and one of the user with the rest.
 */
import { Blocks, Turn } from '../../../../shared/api/messages.ts';
import { parse } from '../check.ts';
import { type Fault, isFault, notSupported } from '../fault.ts';
import type { Path } from '../well-formed.ts';
import {
  contentOf,
  imagePart,
  type Json,
  type MessageList,
  partsOf,
  type PlacedPart,
  textPart,
  typeOf,
} from './chat-draft.ts';

const TYPE_NAME = /^[a-z_]{1,32}$/;

/** Adds the messages of one turn. Returns the first fault. */
export function addTurn(list: MessageList, value: unknown, at: Path): Fault | null {
  const turn = parse(Turn, value, at);
  if (isFault(turn)) return turn;
  const { content, role } = turn;
  const path = [...at, 'content'];
  switch (role) {
    case 'user':
      return addUser(list, content, path);
    case 'assistant':
      return addAssistant(list, content, path);
    case 'system': {
      const parts = partsOf(content, path, partOf);
      if (isFault(parts)) return parts;
      const text = contentOf(parts, '\n');
      if (typeof text !== 'string') return notSupported(path, 'instructions are text');
      list.addSystem(text, at);
      return null;
    }
  }
}

function addUser(
  list: MessageList,
  content: string | readonly unknown[],
  path: Path,
): Fault | null {
  if (typeof content === 'string') {
    list.add({ role: 'user', content }, { at: path });
    return null;
  }
  const parts: PlacedPart[] = [];
  let hasResults = false;
  for (const [index, value] of content.entries()) {
    const at = [...path, index];
    if (typeOf(value) === 'tool_result') {
      const images = addResult(list, value, at);
      if (isFault(images)) return images;
      for (const image of images) parts.push(image);
      hasResults = true;
    } else {
      const part = partOf(value, at);
      if (isFault(part)) return part;
      parts.push(part);
    }
  }
  if (parts.length > 0 || !hasResults) {
    const origin = { at: path, parts: parts.map((part) => part.at) };
    list.add({ role: 'user', content: contentOf(parts, '\n') }, origin);
  }
  return null;
}

/** Adds the message of a tool. Returns the images of the result, for the message of the user. */
function addResult(list: MessageList, value: unknown, at: Path): PlacedPart[] | Fault {
  const block = parse(Blocks.tool_result, value, at);
  if (isFault(block)) return block;
  const parts = partsOf(block.content ?? '', [...at, 'content'], (part, place) =>
    resultPart(list, part, place),
  );
  if (isFault(parts)) return parts;
  // A chat has no field for it.
  if (block.is_error) parts.unshift(textPart('Error:', at));
  return list.addResult(block.tool_use_id, parts, at);
}

/**
 * A part of a result. Results stay in the conversation, so a part that cannot be shown is replaced:
 * a refusal would end the conversation.
 */
function resultPart(list: MessageList, value: unknown, at: Path): PlacedPart | Fault {
  const type = typeOf(value);
  switch (type) {
    case 'text':
    case 'image':
      return partOf(value, at);
    case 'tool_reference':
      return referencePart(list, value, at);
    default: {
      const name = typeof type === 'string' && TYPE_NAME.test(type) ? type : 'unknown';
      return textPart(`[A part of the type ${name} is left out: it is no text or image.]`, at);
    }
  }
}

function addAssistant(
  list: MessageList,
  content: string | readonly unknown[],
  path: Path,
): Fault | null {
  if (typeof content === 'string') {
    list.add({ role: 'assistant', content }, { at: path });
    return null;
  }
  const said = { text: '', reasoning: '' };
  const [calls, paths]: [Json[], Path[]] = [[], []];
  for (const [index, value] of content.entries()) {
    const at = [...path, index];
    switch (typeOf(value)) {
      case 'text': {
        const block = parse(Blocks.text, value, at);
        if (isFault(block)) return block;
        said.text += block.text;
        break;
      }
      case 'thinking': {
        const block = parse(Blocks.thinking, value, at);
        if (isFault(block)) return block;
        said.reasoning += block.thinking;
        break;
      }
      case 'redacted_thinking':
        // Only the provider that wrote it can read it.
        break;
      case 'tool_use': {
        const block = parse(Blocks.tool_use, value, at);
        if (isFault(block)) return block;
        const { id, name } = block;
        // The schema's copy has no key `__proto__`.
        const { input } = value as Json;
        calls.push({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        });
        paths.push(at);
        break;
      }
      default:
        return notSupported([...at, 'type'], 'send text, thinking or tool_use');
    }
  }
  const message = {
    role: 'assistant',
    ...((said.text !== '' || calls.length === 0) && { content: said.text }),
    ...(said.reasoning !== '' && { reasoning: said.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  list.add(message, { at: path, calls: paths });
  return null;
}

/** A search for tools by the client returns the names of those that it found. */
function referencePart(list: MessageList, value: unknown, at: Path): PlacedPart | Fault {
  const block = parse(Blocks.tool_reference, value, at);
  if (isFault(block)) return block;
  list.toolsFound.add(block.tool_name);
  return textPart(`The tool ${block.tool_name} is available now.`, at);
}

/** A text or an image. */
function partOf(value: unknown, at: Path): PlacedPart | Fault {
  switch (typeOf(value)) {
    case 'text': {
      const block = parse(Blocks.text, value, at);
      return isFault(block) ? block : textPart(block.text, at);
    }
    case 'image': {
      const block = parse(Blocks.image, value, at);
      if (isFault(block)) return block;
      const { media_type: type, data } = block.source;
      return imagePart(`data:${type};base64,${data}`, [...at, 'source']);
    }
    default:
      return notSupported([...at, 'type'], 'send text or image, and of a document its text');
  }
}
