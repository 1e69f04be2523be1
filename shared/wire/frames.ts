/**
 * Hot path. The link's binary messages. A message is a batch of records, one after another, each
 * with this layout (little-endian):
 *
 *   ┌────────────┬──────┬───────────────┬───────────────────┬──────────┬───────┐
 *   │ stream u32 │ kind │ prompt tokens │ completion tokens │ length   │ bytes │
 *   │            │ u8   │ u32           │ so far u32        │ u32      │       │
 *   └────────────┴──────┴───────────────┴───────────────────┴──────────┴───────┘
 *
 * An engine step yields tokens for every running request at once, so one message carries the tokens
 * of many streams. That makes a token cheap.
 */

export const HEADER_BYTES = 17;

export const KIND = {
  /** Router to agent: a piece of the request's body. */
  body: 1,

  // Agent to router: deltas of the answer, each with the counts up to and including it. Text is
  // escaped (escaped.ts). A delta is never empty.

  /** Text of the answer. */
  content: 2,
  /** Text of the model's reasoning. */
  reasoning: 4,
  /** A tool call begins: `packCall`. */
  call: 5,
  /** A fragment of a call's arguments: the call's index as u16, then text. */
  arguments: 6,
  /** Text of the answer with the log probabilities of tokens, if they are requested: logprobs.ts. */
  logprobs: 8,

  // Agent to router, not seen by the client.

  /**
   * The counts alone, without bytes. They have grown, with two exceptions: the first record of an
   * answer, and a record that says that the answer waits for a larger grant (at most once for each
   * grant).
   */
  counts: 7,
  /** The attempt is over: the bytes are an `End` in JSON. */
  end: 3,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

const KINDS: ReadonlySet<number> = new Set(Object.values(KIND));

export class FrameError extends Error {
  override name = 'FrameError';
}

export type OnRecord = (
  stream: number,
  kind: Kind,
  promptTokens: number,
  completionTokens: number,
  bytes: Buffer,
) => void;

/**
 * Calls `onRecord` for each record of a message. The bytes are a view of the message, not a copy.
 * Throws FrameError for a message that is cut short or has an unknown kind.
 */
export function readRecords(message: Buffer, onRecord: OnRecord): void {
  let at = 0;
  while (at < message.length) {
    if (at + HEADER_BYTES > message.length) throw new FrameError('a record header is cut short');
    const stream = message.readUInt32LE(at);
    const kind = message.readUInt8(at + 4);
    const end = at + HEADER_BYTES + message.readUInt32LE(at + 13);
    if (!KINDS.has(kind)) throw new FrameError('a record has an unknown kind');
    if (end > message.length) throw new FrameError('a record is cut short');
    onRecord(
      stream,
      kind as Kind,
      message.readUInt32LE(at + 5),
      message.readUInt32LE(at + 9),
      message.subarray(at + HEADER_BYTES, end),
    );
    at = end;
  }
}

const NONE = new Uint8Array();

/** Collects records in one message. The buffer grows to the largest batch seen, and is reused. */
export class RecordBatch {
  #buffer: Buffer;
  #length = 0;

  constructor(bytes = 64 * 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(bytes);
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Adds a record whose bytes are a prefix and then text in UTF-8. Returns their length together.
   */
  addText(
    stream: number,
    kind: Kind,
    prompt: number,
    completion: number,
    text: string,
    prefix: Uint8Array = NONE,
  ): number {
    // A UTF-16 unit takes at most three bytes, so that the text need not be measured first.
    const at = this.#reserve(HEADER_BYTES + prefix.length + text.length * 3);
    const from = at + HEADER_BYTES + prefix.length;
    if (prefix.length > 0) this.#buffer.set(prefix, at + HEADER_BYTES);
    const bytes = prefix.length + this.#buffer.write(text, from);
    this.#header(at, stream, kind, prompt, completion, bytes);
    return bytes;
  }

  add(stream: number, kind: Kind, prompt: number, completion: number, bytes: Uint8Array): void {
    const at = this.#reserve(HEADER_BYTES + bytes.length);
    this.#buffer.set(bytes, at + HEADER_BYTES);
    this.#header(at, stream, kind, prompt, completion, bytes.length);
  }

  /** Returns a copy of the collected records, and empties the batch. */
  take(): Buffer {
    const message = Buffer.from(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    return message;
  }

  #reserve(bytes: number): number {
    if (this.#length + bytes > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.max(this.#buffer.length * 2, this.#length + bytes),
      );
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    return this.#length;
  }

  #header(
    at: number,
    stream: number,
    kind: Kind,
    prompt: number,
    completion: number,
    length: number,
  ) {
    this.#buffer.writeUInt32LE(stream, at);
    this.#buffer.writeUInt8(kind, at + 4);
    this.#buffer.writeUInt32LE(prompt, at + 5);
    this.#buffer.writeUInt32LE(completion, at + 9);
    this.#buffer.writeUInt32LE(length, at + 13);
    this.#length = at + HEADER_BYTES + length;
  }
}
