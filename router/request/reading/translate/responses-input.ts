/**
 * Translates the input items of the Responses API to messages. The assistant's items of one turn
 * (reasoning, message, function calls) become one message, as the chat templates expect it.
 */
import { Items, Parts } from '../../../../shared/api/responses.ts';
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
import { joinedName } from './responses-tools.ts';

/**
 * Begins the `encrypted_content` of our reasoning items. It is the text of the reasoning: it tells
 * the client nothing new, and clients that keep no reasoning text (Codex) send it back, so that the
 * model has its thoughts between tool calls. The content of other providers is unreadable here.
 */
export const REASONING_MARK = 'reasoning:';

/** Adds the messages of an input. Returns the first fault. */
export function addItems(list: MessageList, input: string | readonly unknown[]): Fault | null {
  if (typeof input === 'string') {
    list.add({ role: 'user', content: input }, { at: ['input'] });
    return null;
  }
  const conversation = new Conversation(list);
  for (const [index, item] of input.entries()) {
    const fault = conversation.add(item, ['input', index]);
    if (fault) return fault;
  }
  conversation.end();
  return null;
}

/** A message of the assistant that more items may be added to. */
type Turn = {
  message: Record<string, unknown> & { content?: string | Json[]; reasoning?: string };
  calls: Json[];
  paths: Path[];
};

class Conversation {
  readonly #list: MessageList;
  #turn: Turn | null = null;
  /** Reasoning that belongs to the assistant's next message or call. */
  #reasoning = '';
  /** Images that tools returned, for the next message of the user. */
  #images: PlacedPart[] = [];

  constructor(list: MessageList) {
    this.#list = list;
  }

  add(item: unknown, at: Path): Fault | null {
    const type = typeOf(item) ?? 'message';
    switch (type) {
      case 'message':
        return this.#message(item, at);
      case 'reasoning':
        return this.#think(item, at);
      case 'function_call':
        return this.#call(item, at);
      case 'function_call_output':
        return this.#output(item, at);
      case 'item_reference':
        return notSupported([...at, 'type'], 'answers are not stored: send the item itself');
      default:
        return notSupported(
          [...at, 'type'],
          'send messages, reasoning, function calls and their outputs',
        );
    }
  }

  end(): void {
    this.#turn = null;
    this.#reasoning = '';
    const parts = this.#images.splice(0);
    const [first] = parts;
    if (first) this.#say('user', parts, first.at);
  }

  #message(value: unknown, at: Path): Fault | null {
    const item = parse(Items.message, value, at);
    if (isFault(item)) return item;
    const parts = partsOf(item.content, [...at, 'content'], partOf);
    if (isFault(parts)) return parts;
    if (item.role === 'assistant') {
      this.#answer(contentOf(parts, ''), at);
      return null;
    }
    this.end();
    if (item.role === 'user') this.#say('user', parts, at);
    else {
      const content = contentOf(parts, '\n');
      if (typeof content !== 'string')
        return notSupported([...at, 'content'], 'instructions are text');
      this.#list.addSystem(content, at);
    }
    return null;
  }

  /** A text between calls belongs to their message: the results of tools must follow it at once. */
  #answer(content: string | Json[], at: Path): void {
    const said = this.#turn?.message.content ?? null;
    const goesOn = this.#turn !== null && this.#turn.calls.length > 0;
    if (goesOn && typeof said === 'string' && typeof content === 'string') {
      this.#openTurn(at).message.content = `${said}\n${content}`;
      return;
    }
    if (said !== null) this.#turn = null;
    this.#openTurn(at).message.content = content;
  }

  #say(role: 'user', parts: readonly PlacedPart[], at: Path): void {
    const origin = { at, parts: parts.map((part) => part.at) };
    this.#list.add({ role, content: contentOf(parts, '\n') }, origin);
  }

  #think(value: unknown, at: Path): Fault | null {
    const item = parse(Items.reasoning, value, at);
    if (isFault(item)) return item;
    const parts = partsOf(item.content ?? [], [...at, 'content'], partOf);
    if (isFault(parts)) return parts;
    const text = contentOf(parts, '');
    if (typeof text !== 'string') return notSupported([...at, 'content'], 'reasoning is text');
    const returned = item.encrypted_content ?? '';
    const isOurs = text === '' && returned.startsWith(REASONING_MARK);
    const thought = isOurs ? returned.slice(REASONING_MARK.length) : text;
    if (this.#turn && this.#turn.calls.length > 0) {
      // Reasoning between calls belongs to their message, like a text.
      const { message } = this.#turn;
      if (thought !== '') message.reasoning = (message.reasoning ?? '') + thought;
      return null;
    }
    // Any other reasoning begins a new turn.
    this.#reasoning += thought;
    this.#turn = null;
    return null;
  }

  #call(value: unknown, at: Path): Fault | null {
    const item = parse(Items.function_call, value, at);
    if (isFault(item)) return item;
    const turn = this.#openTurn(at);
    const { call_id: id, arguments: text } = item;
    const name = joinedName(item.namespace ?? null, item.name);
    turn.calls.push({ id, type: 'function', function: { name, arguments: text } });
    turn.paths.push(at);
    turn.message['tool_calls'] = turn.calls;
    return null;
  }

  #output(value: unknown, at: Path): Fault | null {
    const item = parse(Items.function_call_output, value, at);
    if (isFault(item)) return item;
    const parts = partsOf(item.output, [...at, 'output'], partOf);
    if (isFault(parts)) return parts;
    this.#turn = null;
    this.#reasoning = '';
    for (const image of this.#list.addResult(item.call_id, parts, at)) this.#images.push(image);
    return null;
  }

  #openTurn(at: Path): Turn {
    if (this.#turn) return this.#turn;
    const reasoning = this.#reasoning;
    this.end();
    const turn: Turn = { message: { role: 'assistant' }, calls: [], paths: [] };
    if (reasoning !== '') turn.message.reasoning = reasoning;
    this.#list.add(turn.message, { at, calls: turn.paths });
    this.#turn = turn;
    return turn;
  }
}

function partOf(value: unknown, at: Path): PlacedPart | Fault {
  const type = typeOf(value);
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'reasoning_text': {
      const part = parse(Parts[type], value, at);
      return isFault(part) ? part : textPart(part.text, at);
    }
    case 'refusal': {
      const part = parse(Parts.refusal, value, at);
      return isFault(part) ? part : textPart(part.refusal, at);
    }
    case 'input_image': {
      const part = parse(Parts.input_image, value, at);
      return isFault(part) ? part : imagePart(part.image_url, [...at, 'image_url']);
    }
    default:
      return notSupported(
        [...at, 'type'],
        'send input_text or input_image, and of a file its text',
      );
  }
}
