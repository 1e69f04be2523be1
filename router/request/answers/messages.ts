/**
 * Hot path. Messages API: the events of a `message`, or one whole `message`. Its content blocks
 * follow each other: a block ends before the next begins. Its counts of input tokens leave out the
 * cached ones.
 *
 * The block of the first tool call ends after the charge, and what follows it is held until then:
 * its arguments may go on, and no client acts on the call of an answer that may still be cut.
 */
import type { Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { Pieces } from '../reply.ts';
import { HeldBlocks, type HeldBlock } from './held-blocks.ts';
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
import { toolInput } from './tool-input.ts';
import { type ShownUsage, withCost } from './usage.ts';

const TAIL = Buffer.from('"}}\n\n');

const DELTAS = {
  content: '"text_delta","text":"',
  reasoning: '"thinking_delta","thinking":"',
  arguments: '"input_json_delta","partial_json":"',
} as const;

/** A content block that has begun: the kind of its deltas, and their head. */
type Block = Readonly<{ kind: keyof typeof DELTAS; head: Buffer }>;

const BLOCKS = {
  content: '{"type":"text","text":"","citations":null}',
  // The signature is empty: the text that a client sends back is not verified.
  reasoning: '{"type":"thinking","thinking":"","signature":""}',
} as const;

/** Nothing but the model calls tools. */
const CALL = '{"type":"tool_use","caller":{"type":"direct"},';

function callStart({ id, name }: Readonly<{ id: Buffer; name: Buffer }>): string {
  return `${CALL}"id":"${id.toString()}","name":"${name.toString()}","input":{}}`;
}

const STOP_REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const;

class MessageEvents implements Events {
  readonly #sink: Sink;
  readonly #held: HeldBlocks;
  #block: Block | null = null;
  #blocks = 0;
  /** What is to be written before the next event. */
  #before: string;

  constructor({ heading, sink, lease, promptTokens }: EventsParts) {
    this.#sink = sink;
    this.#held = new HeldBlocks(lease);
    // Nobody knows yet how many of the input tokens are cached. `message_delta` repeats the counts.
    const begun = { promptTokens, completionTokens: 0, cachedTokens: null };
    const usage = { ...begun, reasoningTokens: null, cost: null };
    const message = `${headOf(heading)},"content":[],${endOf(null, usage)}}`;
    this.#before = event('message_start', `"message":${message}`);
  }

  get isHolding(): boolean {
    return this.#held.all.length > 0;
  }

  add(delta: Delta): Failure | null {
    const open = this.#block;
    if (open?.kind === 'arguments') {
      if (delta.kind !== 'arguments' || delta.index > 0) return this.#held.add(delta);
      this.#write(open, delta.text);
    } else if (delta.kind === 'call') {
      this.#begin('arguments', callStart(delta));
      // No event has its text, so the block is written at once.
      this.#sink.writePieces([this.#take()]);
    } else if (open?.kind === delta.kind) {
      this.#write(open, delta.text);
    } else if (delta.kind !== 'arguments') {
      this.#write(this.#begin(delta.kind, BLOCKS[delta.kind]), delta.text);
    }
    return null;
  }

  end(ending: Ending): Pieces {
    const { usage } = ending;
    if (this.#blocks === 0) this.#begin('content', BLOCKS.content);
    const held = this.#held.all.flatMap((block) => this.#heldPieces(block));
    this.#endBlock();
    const end = `"delta":{"container":null,${stopOf(ending)}}`;
    const counts = `"usage":${withCost(countsOf(usage), usage.cost)}`;
    return [
      ...held,
      this.#take(),
      event('message_delta', `${end},${counts}`),
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ];
  }

  #heldPieces(block: HeldBlock): Pieces {
    const { kept } = block;
    const isCall = block.kind === 'call';
    const { head } = isCall
      ? this.#begin('arguments', callStart(block))
      : this.#begin(block.kind, BLOCKS[block.kind]);
    return kept.bytes === 0 ? [] : [this.#take(), head, ...kept.blocks(), TAIL];
  }

  #begin(kind: keyof typeof DELTAS, block: string): Block {
    this.#endBlock();
    const index = this.#blocks;
    this.#blocks += 1;
    this.#before += event('content_block_start', `"index":${index},"content_block":${block}`);
    const head = `${eventStart('content_block_delta')}"index":${index},"delta":{"type":${DELTAS[kind]}`;
    this.#block = { kind, head: Buffer.from(head) };
    return this.#block;
  }

  #endBlock(): void {
    if (!this.#block) return;
    this.#block = null;
    this.#before += event('content_block_stop', `"index":${this.#blocks - 1}`);
  }

  #write({ head }: Block, text: Buffer): void {
    if (this.#before === '') return this.#sink.writeEvent(head, text, TAIL);
    this.#sink.writeEvent(Buffer.concat([Buffer.from(this.#take()), head]), text, TAIL);
  }

  #take(): string {
    const before = this.#before;
    this.#before = '';
    return before;
  }
}

function event(type: string, members: string): string {
  return `${eventStart(type)}${members}}\n\n`;
}

/** The members of a message before its content, without a closing brace. */
function headOf({ completionId: id, model }: Heading): string {
  const fixed = { type: 'message', role: 'assistant', container: null, diagnostics: null };
  return JSON.stringify({ id, ...fixed, model }).slice(0, -1);
}

/** The members of a message after its content. */
function endOf(stop: Stop | null, usage: ShownUsage): string {
  return `${stopOf(stop)},"usage":${withCost({ ...countsOf(usage), ...NO_TIERS }, usage.cost)}`;
}

type Stop = Pick<Ending, 'finish' | 'stopSequence'>;

function stopOf(stop: Stop | null): string {
  const sequence = stop?.finish === 'stop' ? stop.stopSequence : null;
  const reason = sequence === null ? stop && STOP_REASONS[stop.finish] : 'stop_sequence';
  const members = { stop_reason: reason, stop_sequence: sequence, stop_details: null };
  return JSON.stringify(members).slice(1, -1);
}

/** Members that every usage has, and that say nothing here. */
const NO_TIERS = { cache_creation: null, inference_geo: null, service_tier: null, speed: null };

function countsOf({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: ShownUsage) {
  const cached = cachedTokens ?? 0;
  return {
    input_tokens: promptTokens - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: completionTokens,
    output_tokens_details: reasoningTokens === null ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
  };
}

function wholeMessage(
  heading: Heading,
  { content, reasoning, calls }: Gathered,
  ending: Ending,
): Pieces {
  const blocks: Pieces[] = [];
  if (reasoning.length > 0) {
    blocks.push(['{"type":"thinking","thinking":"', ...reasoning, '","signature":""}']);
  }
  if (content.length > 0 || calls.length === 0) {
    blocks.push(['{"type":"text","citations":null,"text":"', ...content, '"}']);
  }
  for (const call of calls) {
    const input = toolInput(call.arguments);
    blocks.push([`${CALL}"id":"`, call.id, '","name":"', call.name, `","input":${input}}`]);
  }
  const pieces = blocks.flatMap((block, index) => (index === 0 ? block : [',', ...block]));
  return [`${headOf(heading)},"content":[`, ...pieces, `],${endOf(ending, ending.usage)}}`];
}

export const messages: ResponseEncoder = {
  events: (parts) => new MessageEvents(parts),
  whole: wholeMessage,
  parsesArguments: true,
};
