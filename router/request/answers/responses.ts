/**
 * Hot path. Responses API: typed events, or one `response`. The events repeat the text of each item
 * when it is complete, and all of it at the end, so a streamed answer is kept in memory as well.
 *
 * A message or reasoning is complete when another item begins. Tool calls and the last item are
 * completed after the charge: no client acts on the call of an answer that may still be cut.
 */
import type { Lease } from '../../../shared/bounds/budget.ts';
import type { ChunkBuffer } from '../../../shared/bounds/chunk-buffer.ts';
import { limits } from '../../../shared/limits.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { Pieces } from '../reply.ts';
import {
  ANSWERS_FULL,
  ARGUMENTS_BYTES,
  CALL_OVERHEAD_BYTES,
  chunkBuffer,
  TEXTS_MAX,
} from './gather.ts';
import { NumberedTail } from './numbered-tail.ts';
import {
  type Ending,
  type Events,
  type EventsParts,
  eventStart,
  type Gathered,
  type Heading,
  type ResponseEncoder,
  type Sink,
} from './response-encoder.ts';
import {
  begunItem,
  itemId,
  itemPieces,
  type ItemStatus,
  type OutputItem,
  partPieces,
} from './response-items.ts';
import { type ShownUsage, withCost } from './usage.ts';

type TextKind = 'message' | 'reasoning';

/** An item of a stream, at its index in the output. */
type Item = Readonly<{
  kind: OutputItem['kind'];
  id: string;
  index: number;
  call: Readonly<{ id: Buffer; name: Buffer }> | null;
  /** Its text so far. */
  kept: ChunkBuffer;
  /** The start of its delta events, up to the text. */
  head: Buffer;
}>;

const DELTAS = {
  message: 'response.output_text',
  reasoning: 'response.reasoning_text',
  call: 'response.function_call_arguments',
} as const;

class ResponsesEvents implements Events {
  readonly #heading: Heading;
  readonly #sink: Sink;
  readonly #lease: Lease;
  readonly #items: Item[] = [];
  readonly #calls: Item[] = [];
  /** The message and the reasoning that text is added to: both only beyond `TEXTS_MAX`. */
  #open: Record<TextKind, Item | null> = { message: null, reasoning: null };
  #texts = 0;
  #number = 0;
  readonly #tail = new NumberedTail();

  constructor({ heading, sink, lease }: EventsParts) {
    this.#heading = heading;
    this.#sink = sink;
    this.#lease = lease;
  }

  add(delta: Delta): Failure | null {
    switch (delta.kind) {
      case 'content':
        return this.#append(this.#text('message'), delta.text);
      case 'reasoning':
        return this.#append(this.#text('reasoning'), delta.text);
      case 'call': {
        const { id, name } = delta;
        if (!this.#lease.take(CALL_OVERHEAD_BYTES + id.length + name.length)) return ANSWERS_FULL;
        const call = { id: Buffer.from(id), name: Buffer.from(name) };
        const item = this.#item('call', call);
        this.#calls.push(item);
        this.#begin(item);
        return null;
      }
      case 'arguments':
        return this.#append(this.#calls[delta.index] as Item, delta.text);
    }
  }

  end(ending: Ending): Pieces {
    const pieces: (Buffer | string)[] = [];
    // An answer without text has an empty message.
    if (this.#items.length === 0) this.#begin(this.#item('message', null));
    const status = statusAt(ending);
    const last = this.#items.at(-1);
    const statusOf = (item: Item) => (item === last ? status : 'completed');
    for (const item of this.#items) {
      if (item.kind !== 'call' && item !== this.#open[item.kind]) continue;
      pieces.push(...this.#completed(item, statusOf(item)));
    }
    const output = this.#items.flatMap((item, index) => [
      ...(index === 0 ? [] : [',']),
      ...this.#pieces(item, statusOf(item)),
    ]);
    const whole = responsePieces(this.#heading, output, ending);
    return [...pieces, ...this.#event(`response.${status}`, '"response":', ...whole)];
  }

  /** Nothing is written before there is memory for it. */
  #append(item: Item, text: Buffer): Failure | null {
    if (item.kept.add(text) !== 'kept') return ANSWERS_FULL;
    if (this.#lease.bytes > limits.answerBytesMax) return ANSWERS_FULL;
    if (item.index === this.#items.length) this.#begin(item);
    this.#sink.writeEvent(item.head, text, this.#tail.of(this.#number));
    this.#number += 1;
    return null;
  }

  /** The item that text of a kind is added to. It may not have begun. */
  #text(kind: TextKind): Item {
    return this.#open[kind] ?? this.#item(kind, null);
  }

  #item(kind: Item['kind'], call: Item['call']): Item {
    const index = this.#items.length;
    const id = itemId(kind, this.#heading.completionId, index);
    return {
      kind,
      id,
      index,
      call,
      kept: chunkBuffer(this.#lease, call ? ARGUMENTS_BYTES : 0),
      head: Buffer.from(
        `${eventStart(`${DELTAS[kind]}.delta`)}${textOf(kind, id, index)},"delta":"`,
      ),
    };
  }

  #begin(item: Item): void {
    const { kind, index } = item;
    if (this.#texts < TEXTS_MAX) this.#completeOpen();
    if (kind !== 'call') {
      this.#open[kind] = item;
      this.#texts += 1;
    }
    this.#items.push(item);
    const begun = [
      ...(index === 0 ? this.#prelude() : []),
      ...this.#event(
        'response.output_item.added',
        `"output_index":${index},"item":${begunItem(outputItem(item), this.#heading.settings)}`,
      ),
      ...(kind === 'call' ? [] : this.#part('added', item, kind)),
    ];
    this.#sink.writePieces(begun);
  }

  #completeOpen(): void {
    for (const kind of ['message', 'reasoning'] as const) {
      const item = this.#open[kind];
      if (item) this.#sink.writePieces(this.#completed(item, 'completed'));
      this.#open[kind] = null;
    }
  }

  #prelude(): Pieces {
    const response = [...responsePieces(this.#heading, [], null)];
    return [
      ...this.#event('response.created', '"response":', ...response),
      ...this.#event('response.in_progress', '"response":', ...response),
    ];
  }

  #part(what: 'added' | 'done', item: Item, kind: TextKind): Pieces {
    const part = partPieces(kind, what === 'added' ? [] : item.kept.blocks());
    const place = `${placeOf(item.id, item.index)},"content_index":0`;
    return this.#event(`response.content_part.${what}`, `${place},"part":`, ...part);
  }

  /** The events that complete an item. */
  #completed(item: Item, status: ItemStatus): Pieces {
    const { kind, id, index, call } = item;
    const place = textOf(kind, id, index);
    const start = call
      ? [`${place},"name":"`, call.name, '","arguments":"']
      : [`${place},"text":"`];
    return [
      ...this.#event(`${DELTAS[kind]}.done`, ...start, ...item.kept.blocks(), '"'),
      ...(kind === 'call' ? [] : this.#part('done', item, kind)),
      ...this.#event(
        'response.output_item.done',
        `"output_index":${index},"item":`,
        ...this.#pieces(item, status),
      ),
    ];
  }

  #pieces(item: Item, status: ItemStatus): Pieces {
    return itemPieces(outputItem(item), status, this.#heading.settings);
  }

  #event(type: string, ...members: Pieces): Pieces {
    const number = this.#number;
    this.#number += 1;
    return [eventStart(type), ...members, `,"sequence_number":${number}}\n\n`];
  }
}

function placeOf(id: string, index: number): string {
  return `"item_id":"${id}","output_index":${index}`;
}

/** The members of the events that have text of an item, besides the text. */
function textOf(kind: Item['kind'], id: string, index: number): string {
  const place = placeOf(id, index);
  if (kind === 'call') return place;
  return `${place},"content_index":0${kind === 'message' ? ',"logprobs":[]' : ''}`;
}

function outputItem({ kind, id, kept, call }: Item): OutputItem {
  const text = kept.blocks();
  if (kind !== 'call') return { kind, id, text };
  if (!call) throw new Error('a call without an id and a name');
  return { kind, id, text, callId: call.id, name: call.name };
}

function statusAt({ finish }: Ending): 'incomplete' | 'completed' {
  return finish === 'length' ? 'incomplete' : 'completed';
}

/** A whole `response`. `ending` is null while it is in progress. */
function responsePieces(heading: Heading, output: Pieces, ending: Ending | null): Pieces {
  const { completionId, created, model, fingerprint, settings } = heading;
  const status = ending === null ? 'in_progress' : statusAt(ending);
  const start = JSON.stringify({
    id: completionId,
    object: 'response',
    created_at: created,
    completed_at: status === 'completed' && ending ? ending.completed : null,
    status,
    model,
    ...(fingerprint !== null && { system_fingerprint: fingerprint }),
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    previous_response_id: null,
    background: false,
    access_programs: null,
  });
  const usage = ending === null ? 'null' : usageJson(ending.usage);
  const members = settings === null ? '' : `${settings.members},`;
  return [`${start.slice(0, -1)},${members}"output":[`, ...output, `],"usage":${usage}}`];
}

function usageJson(usage: ShownUsage): string {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, cost } = usage;
  const counts = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens ?? 0, cache_write_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: promptTokens + completionTokens,
  };
  return withCost(counts, cost);
}

function wholeResponse(heading: Heading, gathered: Gathered, ending: Ending): Pieces {
  const { content, reasoning, calls } = gathered;
  const { completionId } = heading;
  const items: OutputItem[] = [];
  const idOf = (kind: OutputItem['kind']) => itemId(kind, completionId, items.length);
  if (reasoning.length > 0) {
    items.push({ kind: 'reasoning', id: idOf('reasoning'), text: reasoning });
  }
  if (content.length > 0 || calls.length === 0) {
    items.push({ kind: 'message', id: idOf('message'), text: content });
  }
  for (const { id: callId, name, arguments: text } of calls) {
    items.push({ kind: 'call', id: idOf('call'), text, callId, name });
  }
  const output = items.flatMap((item, index) => {
    const status = index === items.length - 1 ? statusAt(ending) : 'completed';
    const comma = index === 0 ? [] : [','];
    return [...comma, ...itemPieces(item, status, heading.settings)];
  });
  return responsePieces(heading, output, ending);
}

export const responses: ResponseEncoder = {
  events: (parts) => new ResponsesEvents(parts),
  whole: wholeResponse,
};
