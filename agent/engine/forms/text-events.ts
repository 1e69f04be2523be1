/** Hot path. A streamed text completion: events of `text_completion`. */
import type { EngineChoice } from '../chunk.ts';
import { text } from '../chunk.ts';
import { EVENT_TAIL, eventHead, type Form, type Heading } from './form.ts';

export class TextEvents implements Form {
  readonly #head: string;
  readonly calledTool = false;
  readonly kept = 0;

  constructor(heading: Heading) {
    this.#head = `${eventHead('text_completion', heading)}"text":`;
  }

  begin(): string {
    return '';
  }

  take(choice: EngineChoice): string {
    const written = text(choice.text);
    return written === '' ? '' : this.#head + JSON.stringify(written) + EVENT_TAIL;
  }

  last(choice: EngineChoice | null): string {
    return JSON.stringify(text(choice?.text));
  }

  rest(): string {
    return '';
  }
}
