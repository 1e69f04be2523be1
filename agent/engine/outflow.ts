/**
 * Hot path. The content of one stream on its way to the records, within the byte window that the router has
 * granted. What does not fit waits, cut at the window's edge; its last piece carries the new count, those
 * before it the old one.
 */
import type { Records } from '../outbox.ts';

/** A record longer than this is cut: a message has a limit, and other streams are in it too. */
const RECORD_BYTES_MAX = 256 * 1024;
/** Counts without content are reported when they grew by this, or, if they grew at all, after this. */
const REPORT_TOKENS = 64;
const REPORT_MS = 250;

export class Outflow {
  readonly #records: Records;
  readonly #stream: number;
  #window: number;
  #sent = 0;
  /** The completion count of the last record. */
  #count = 0;
  #sentAt = 0;
  #begun = false;
  #waiting: Buffer | null = null;
  #waitingCount = 0;

  constructor(records: Records, stream: number, window: number) {
    this.#records = records;
    this.#stream = stream;
    this.#window = window;
  }

  /** Whether content waits for the window to grow. Nothing more may be sent until then. */
  get blocked(): boolean {
    return this.#waiting !== null;
  }

  /** Whether a record was sent. */
  get begun(): boolean {
    return this.#begun;
  }

  /** `now` is monotonic. */
  send(prompt: number, completion: number, text: string, now: number): void {
    this.#sentAt = now;
    const room = Math.min(this.#window - this.#sent, RECORD_BYTES_MAX);
    // A UTF-16 unit is at most three bytes: far from the edge nothing needs to be measured.
    if (text.length * 3 <= room || Buffer.byteLength(text) <= room) {
      this.#begun = true;
      this.#count = completion;
      this.#sent += this.#records.text(this.#stream, prompt, completion, text);
      return;
    }
    this.#waiting = Buffer.from(text);
    this.#waitingCount = completion;
    this.flush(prompt);
  }

  /** The counts alone. */
  report(prompt: number, completion: number): void {
    this.#begun = true;
    this.#count = completion;
    this.#records.text(this.#stream, prompt, completion, '');
  }

  /** The counts alone, if they are the first or have changed enough. */
  reportSometimes(prompt: number, completion: number, now: number): void {
    const grown = completion - this.#count;
    const due = grown >= REPORT_TOKENS || (grown > 0 && now - this.#sentAt >= REPORT_MS);
    if (!due && this.#begun) return;
    this.#sentAt = now;
    this.report(prompt, completion);
  }

  grow(window: number): void {
    this.#window = window;
  }

  /** Sends of what waits as much as fits. */
  flush(prompt: number): void {
    while (this.#waiting) {
      const room = Math.min(this.#window - this.#sent, RECORD_BYTES_MAX);
      if (room <= 0) return;
      const piece = this.#waiting.subarray(0, room);
      const rest = this.#waiting.subarray(room);
      this.#waiting = rest.length > 0 ? rest : null;
      if (!this.#waiting) this.#count = this.#waitingCount;
      this.#begun = true;
      this.#sent += piece.length;
      this.#records.bytes(this.#stream, prompt, this.#count, piece);
    }
  }
}
