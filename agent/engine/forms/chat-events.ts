/** Hot path. A streamed chat: events of `chat.completion.chunk`. */
import type { EngineChoice, EngineDelta } from '../chunk.ts';
import { text } from '../chunk.ts';
import {
  EVENT_TAIL,
  eventHead,
  type Form,
  type Heading,
  reasoningOf,
  toolFragments,
} from './form.ts';

export class ChatEvents implements Form {
  readonly #head: string;
  readonly #contentHead: string;
  readonly #reasoningHead: string;
  readonly #strip: boolean;
  readonly kept = 0;
  #begun = false;
  #calledTool = false;

  /** `strip`: reasoning text is withheld. */
  constructor(heading: Heading, strip: boolean) {
    this.#head = `${eventHead('chat.completion.chunk', heading)}"delta":`;
    this.#contentHead = `${this.#head}{"content":`;
    this.#reasoningHead = `${this.#head}{"reasoning":`;
    this.#strip = strip;
  }

  get calledTool(): boolean {
    return this.#calledTool;
  }

  begin(): string {
    if (this.#begun) return '';
    this.#begun = true;
    return `${this.#head}{"role":"assistant","content":""}${EVENT_TAIL}`;
  }

  take({ delta }: EngineChoice): string {
    if (!delta) return '';
    const content = text(delta.content);
    const reasoning = this.#strip ? '' : reasoningOf(delta);
    if (delta.tool_calls || (content !== '' && reasoning !== '')) {
      const picked = this.#pick(delta);
      return picked === '{}' ? '' : this.#head + picked + EVENT_TAIL;
    }
    if (content !== '') return `${this.#contentHead}${JSON.stringify(content)}}${EVENT_TAIL}`;
    if (reasoning !== '') return `${this.#reasoningHead}${JSON.stringify(reasoning)}}${EVENT_TAIL}`;
    return '';
  }

  last(choice: EngineChoice | null): string {
    return choice?.delta ? this.#pick(choice.delta) : '{}';
  }

  rest(): string {
    return '';
  }

  #pick(delta: EngineDelta): string {
    const content = text(delta.content);
    const reasoning = this.#strip ? '' : reasoningOf(delta);
    const calls = toolFragments(delta);
    if (calls.length > 0) this.#calledTool = true;
    return JSON.stringify({
      ...(content !== '' && { content }),
      ...(reasoning !== '' && { reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    });
  }
}
