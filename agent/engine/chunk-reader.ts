/**
 * Hot path. Reads the events of one answer. Engines send an event for each token, and all of them
 * have the same form, so most events are read by the form of an earlier event, not parsed.
 */
import { type EngineChunk, endsAnswer, isEmpty, parseChunk } from './chunk.ts';
import { EventForm, FORM_CHARS_MAX } from './event-form.ts';

/** Real engines need two or three forms: for text, for reasoning, and for text completions. */
export const FORM_ATTEMPTS_MAX = 16;
/** How often the form of the next events is looked up during one answer. */
const LOOK_UPS_MAX = 8;

/**
 * The forms of one engine's events, shared by all its answers. A form takes about a millisecond to
 * make, so the number of attempts is limited, whatever the engine sends.
 */
export class EventForms {
  readonly #forms: EventForm[] = [];
  #attempts = 0;

  /** Returns the form of an event that `parseChunk` has accepted. Null when it has no known form. */
  of(event: string): EventForm | null {
    const known = this.#forms.find((form) => form.read(event) !== null);
    if (known || this.#attempts === FORM_ATTEMPTS_MAX) return known ?? null;
    this.#attempts += 1;
    const form = EventForm.of(event);
    if (form) this.#forms.push(form);
    return form;
  }
}

export class ChunkReader {
  readonly #forms: EventForms;
  /** The form of the last event with text. */
  #form: EventForm | null = null;
  #lookUps = 0;

  constructor(forms: EventForms) {
    this.#forms = forms;
  }

  /**
   * Returns the chunk in an event's data, or null when that is not a JSON object. The fields that
   * `EngineChunk` names are as `parseChunk` returns them. Other fields, and choices after the first,
   * may be missing.
   */
  read(data: string): EngineChunk | null {
    if (data.length > FORM_CHARS_MAX) return parseChunk(data);
    const known = this.#form?.read(data);
    if (known) return known;
    const chunk = parseChunk(data);
    if (chunk && this.#lookUps < LOOK_UPS_MAX && isOrdinary(chunk)) {
      this.#lookUps += 1;
      this.#form = this.#forms.of(data);
    }
    return chunk;
  }
}

/**
 * Whether more events of the same form can be expected: the chunk has text that is not the last, and
 * neither tool calls nor log probabilities, whose forms differ from event to event.
 */
function isOrdinary({ choices }: EngineChunk): boolean {
  const choice = choices?.[0] ?? null;
  if (choice === null || endsAnswer(choice) || isEmpty(choice)) return false;
  return !choice.logprobs && !choice.delta?.tool_calls;
}
