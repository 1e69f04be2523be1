/**
 * Reads the events of a streamed answer. Text is written to its sink immediately. Everything else
 * is kept until the end.
 */
import { createParser } from 'eventsource-parser';
import type { Fault, Part, ToolCall, Usage } from './answer.ts';

type CallPart = Readonly<{
  index?: number;
  id?: string | null;
  function?: Readonly<{ name?: string | null; arguments?: string | null }> | null;
}>;

type Chunk = Readonly<{
  choices?: readonly Readonly<{
    delta?: Readonly<{
      content?: string | null;
      reasoning?: string | null;
      tool_calls?: readonly CallPart[] | null;
    }> | null;
    finish_reason?: string | null;
  }>[];
  usage?: Readonly<{
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: Readonly<{ cached_tokens?: number }> | null;
    completion_tokens_details?: Readonly<{ reasoning_tokens?: number }> | null;
  }> | null;
  error?: Readonly<{ message?: string; code?: string }> | null;
}>;

type Sink = Readonly<{ write: (piece: string) => void }>;

export type IntakeParts = Readonly<{
  text: Sink;
  thoughts: Sink;
  /** Called for the first token of the answer, and whenever another part follows. */
  turned: (part: Part) => void;
}>;

export class Intake {
  readonly #parts: IntakeParts;
  readonly #parser = createParser({ onEvent: ({ data }) => this.#event(data) });
  /** Tool calls by the index from the engine, which need not start at 0. */
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();
  #part: Part | null = null;
  #finish: string | null = null;
  #usage: Usage | null = null;
  #done = false;
  #fault: Fault | null = null;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Hot path: called for every piece from the network, which may begin and end anywhere. */
  feed(piece: string): void {
    this.#parser.feed(piece);
  }

  /**
   * The proper end of the answer. Null after the stream has ended means that the answer was cut
   * off.
   */
  get ending(): Readonly<{
    finish: string;
    usage: Usage | null;
    calls: readonly ToolCall[];
  }> | null {
    if (this.#finish === null || !this.#done) return null;
    return { finish: this.#finish, usage: this.#usage, calls: [...this.#calls.values()] };
  }

  /** The error that replaced the rest of the answer; null when there is none. */
  get fault(): Fault | null {
    return this.#fault;
  }

  #event(data: string): void {
    if (data === '[DONE]') {
      this.#done = true;
      return;
    }
    const chunk = parsed(data);
    if (chunk === null)
      this.#fail({ message: 'The response contained an event that is not valid JSON. Try again.' });
    else if (chunk.error) this.#fail(chunk.error);
    else this.#chunk(chunk);
  }

  #chunk({ choices, usage }: Chunk): void {
    const choice = choices?.[0];
    const delta = choice?.delta;
    if (delta?.reasoning) {
      this.#turn('reasoning');
      this.#parts.thoughts.write(textOf(delta.reasoning));
    }
    if (delta?.content) {
      this.#turn('text');
      this.#parts.text.write(textOf(delta.content));
    }
    if (delta?.tool_calls) for (const part of delta.tool_calls) this.#call(part);
    if (choice?.finish_reason) this.#finish = textOf(choice.finish_reason);
    if (usage) {
      this.#usage = {
        prompt: usage.prompt_tokens,
        cached: usage.prompt_tokens_details?.cached_tokens ?? null,
        completion: usage.completion_tokens,
        reasoning: usage.completion_tokens_details?.reasoning_tokens ?? null,
      };
    }
  }

  /** Joins the fragments of a tool call by their index. */
  #call({ index = 0, id, function: named }: CallPart): void {
    this.#turn('tools');
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    this.#calls.set(index, call);
    call.id = textOf(id) || call.id;
    call.name = textOf(named?.name) || call.name;
    call.arguments += textOf(named?.arguments);
  }

  #turn(part: Part): void {
    if (this.#part === part) return;
    this.#part = part;
    this.#parts.turned(part);
  }

  #fail({ message, code }: Readonly<{ message?: string; code?: string }>): void {
    this.#fault ??= {
      status: 200,
      code: textOf(code) || 'error',
      message: textOf(message) || 'The response ended with an error. Try again.',
    };
  }
}

/** Returns a string as it is and anything else as '', because an engine may send any type. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parsed(data: string): Chunk | null {
  try {
    return JSON.parse(data) as Chunk;
  } catch {
    return null;
  }
}
