/** An answer that is not streamed: gathered, and sent at its end as the head of one choice. */
import type { EngineChoice } from '../chunk.ts';
import { text } from '../chunk.ts';
import { type Form, reasoningOf, type ToolFragment, toolFragments } from './form.ts';

const TOOL_CALLS_MAX = 1_024;

type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

export class WholeChat implements Form {
  readonly #strip: boolean;
  #content = '';
  #reasoning = '';
  readonly #calls = new Map<number, ToolCall>();
  #argumentsKept = 0;

  /** `strip`: reasoning text is withheld. */
  constructor(strip: boolean) {
    this.#strip = strip;
  }

  get calledTool(): boolean {
    return this.#calls.size > 0;
  }

  get kept(): number {
    return this.#content.length + this.#reasoning.length + this.#argumentsKept;
  }

  begin(): string {
    return '';
  }

  take({ delta }: EngineChoice): string {
    if (!delta) return '';
    this.#content += text(delta.content);
    if (!this.#strip) this.#reasoning += reasoningOf(delta);
    if (delta.tool_calls) for (const fragment of toolFragments(delta)) this.#add(fragment);
    return '';
  }

  last(choice: EngineChoice | null): string {
    if (choice) this.take(choice);
    return '';
  }

  rest(): string {
    const calls = [...this.#calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
    const message = {
      role: 'assistant',
      content: calls.length > 0 && this.#content === '' ? null : this.#content,
      ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return `{"index":0,"message":${JSON.stringify(message)},"logprobs":null`;
  }

  #add({ index, id, function: called }: ToolFragment): void {
    let call = this.#calls.get(index);
    if (!call) {
      if (this.#calls.size >= TOOL_CALLS_MAX) return;
      call = { id: '', type: 'function', function: { name: '', arguments: '' } };
      this.#calls.set(index, call);
    }
    if (id !== undefined) call.id = id;
    call.function.name += called?.name ?? '';
    call.function.arguments += called?.arguments ?? '';
    this.#argumentsKept += called?.arguments?.length ?? 0;
  }
}

export class WholeText implements Form {
  #text = '';
  readonly calledTool = false;

  get kept(): number {
    return this.#text.length;
  }

  begin(): string {
    return '';
  }

  take(choice: EngineChoice): string {
    this.#text += text(choice.text);
    return '';
  }

  last(choice: EngineChoice | null): string {
    if (choice) this.take(choice);
    return '';
  }

  rest(): string {
    return `{"index":0,"text":${JSON.stringify(this.#text)},"logprobs":null`;
  }
}
