/**
 * Hot path. The form of an engine's event: its text, with holes in place of the values that differ
 * from event to event. One regular expression reads an event of this form, in a third of the time
 * that JSON.parse takes.
 *
 * The fields are as JSON.parse returns them, whatever an engine sends. The names of all members are
 * part of the form, so all its events have the same structure. A hole accepts any JSON string, or
 * any JSON number, and nothing else. Which hole belongs to which field is not guessed: the event that
 * sets the form is parsed once more with the number of each hole in place of its value.
 */
import { type EngineChunk, mapFields } from './chunk.ts';
import { isObject } from './json.ts';

/** The largest event that is read by a form. */
export const FORM_CHARS_MAX = 2_048;
/** A form with more holes would take many milliseconds to make. */
const HOLES_MAX = 32;

/** Matches a name with its colon, another string, or a number, in text that is valid JSON. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|-?\d[\d.eE+-]*)/;

/** The inside of a JSON string. */
const TEXT = String.raw`[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** A hole whose value is read. It is a group of the regular expression. */
class Hole {
  readonly #group: number;
  readonly #isText: boolean;

  constructor(group: number, isText: boolean) {
    this.#group = group;
    this.#isText = isText;
  }

  valueIn(match: RegExpExecArray): unknown {
    const raw = match[this.#group] as string;
    if (!this.#isText) return Number(raw);
    return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
  }
}

export class EventForm {
  readonly #pattern: RegExp;
  /** Each field is its `Hole`, or its value if that is the same in all events. */
  readonly #fields: EngineChunk;

  private constructor(pattern: RegExp, fields: EngineChunk) {
    this.#pattern = pattern;
    this.#fields = fields;
  }

  /**
   * Returns the form of an event, which must be a JSON object. Returns null when it has too many
   * values, or a field that `EngineChunk` names is an object or a list.
   */
  static of(event: string): EventForm | null {
    const pieces = event.split(TOKEN);
    const isHole = (piece: string, at: number) => at % 2 === 1 && !piece.endsWith(':');
    if (pieces.filter(isHole).length > HOLES_MAX) return null;
    const numbered = pieces.map((piece, at) => (isHole(piece, at) ? at : piece)).join('');
    const chunk: EngineChunk = JSON.parse(numbered);
    const values = valuesOf(chunk);
    if (values === null) return null;
    const holes = new Map<unknown, Hole>();
    const pattern = pieces.map((piece, at) => {
      if (!isHole(piece, at)) return RegExp.escape(piece);
      const isText = piece.startsWith('"');
      if (values.has(at)) holes.set(at, new Hole(holes.size + 1, isText));
      const group = `(${values.has(at) ? '' : '?:'}${isText ? TEXT : NUMBER})`;
      return isText ? `"${group}"` : group;
    });
    const fields = mapFields(chunk, (value) => holes.get(value) ?? value);
    return new EventForm(new RegExp(`^${pattern.join('')}$`), fields);
  }

  /** Returns the fields of an event, or null when it does not have this form. */
  read(event: string): EngineChunk | null {
    const match = this.#pattern.exec(event);
    if (match === null) return null;
    return mapFields(this.#fields, (value) =>
      value instanceof Hole ? value.valueIn(match) : value,
    );
  }
}

/**
 * Returns the values of the fields of a chunk. Null when a value is an object or a list, or when
 * something else stands where `EngineChunk` has an object or a list.
 */
function valuesOf(chunk: EngineChunk): ReadonlySet<unknown> | null {
  const { choices, usage, timings } = chunk;
  if (choices && !(Array.isArray(choices) && choices.every(isObject))) return null;
  const { prompt_tokens_details: details, completion_tokens_details: spent } = usage ?? {};
  const choice = choices?.[0];
  const parents = [choice, choice?.delta, usage, details, spent, timings];
  if (parents.some((parent) => parent && !isObject(parent))) return null;
  const values = new Set<unknown>();
  mapFields(chunk, (value) => values.add(value));
  return values.values().some((value) => value && typeof value === 'object') ? null : values;
}
