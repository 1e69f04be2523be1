/**
 * Hot path. Reads the events of one answer. Nearly all events of an engine have one of a few forms,
 * so most are read by the form of an earlier event, of this answer or of another, not parsed.
 */
import { type EngineChunk, parseChunk } from './chunk.ts';
import { EventForm, FORM_CHARS_MAX } from './event-form.ts';

/**
 * Real engines need three to five forms for each kind of answer: for its begin, its text, its end
 * and the counts after it.
 */
export const FORM_ATTEMPTS_MAX = 24;
/** How many followers of a form are kept. Each that does not fit takes a quarter of a parse. */
const FOLLOWERS_MAX = 4;
/** How often the form of an event is looked up among all forms during one answer. */
const LOOK_UPS_MAX = 8;

/**
 * The forms of one engine's events, shared by all its answers. A form takes about a millisecond to
 * make, so the number of attempts is limited, whatever the engine sends.
 */
export class EventForms {
  readonly #forms: EventForm[] = [];
  readonly #followers = new Map<EventForm | null, EventForm[]>();
  #attempts = 0;

  /**
   * Returns the forms that have followed another one, the latest first. Null stands for the begin
   * of an answer.
   */
  after(last: EventForm | null): readonly EventForm[] {
    return this.#followers.get(last) ?? [];
  }

  /** Notes that an event of this form has followed one of the form `last`. */
  followed(last: EventForm | null, form: EventForm): void {
    const followers = this.after(last);
    if (followers[0] === form) return;
    const others = followers.filter((other) => other !== form);
    this.#followers.set(last, [form, ...others].slice(0, FOLLOWERS_MAX));
  }

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
  /** The form of the event before. Null when it has none. */
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
    return this.#form?.read(data) ?? this.#readByFollower(data) ?? this.#parse(data);
  }

  #readByFollower(data: string): EngineChunk | null {
    if (this.#lookUps === LOOK_UPS_MAX) return null;
    for (const form of this.#forms.after(this.#form)) {
      const chunk = form.read(data);
      if (chunk !== null) {
        this.#turnTo(form);
        return chunk;
      }
    }
    return null;
  }

  #parse(data: string): EngineChunk | null {
    const chunk = parseChunk(data);
    const mayHaveForm = chunk && this.#lookUps < LOOK_UPS_MAX && isOrdinary(chunk);
    const form = mayHaveForm ? this.#forms.of(data) : null;
    // After an event without a form, as of a tool call, more of them can be expected.
    this.#lookUps = form === null ? LOOK_UPS_MAX : this.#lookUps + 1;
    this.#turnTo(form);
    return chunk;
  }

  #turnTo(form: EventForm | null): void {
    if (form !== null) this.#forms.followed(this.#form, form);
    this.#form = form;
  }
}

/**
 * Whether more events of the same form can be expected: the chunk is part of an answer, and has
 * neither tool calls nor log probabilities, whose forms differ from event to event.
 */
function isOrdinary({ choices, usage }: EngineChunk): boolean {
  const choice = choices?.[0];
  if (!choice) return Boolean(choices ?? usage);
  return !choice.logprobs && !choice.delta?.tool_calls;
}
