/**
 * Sends request bodies over a link in pieces, taking turns between bodies, with a limit on
 * unacknowledged bytes. A large body never blocks a cancel, a grant or a small body.
 */
import { limits } from '../../shared/limits.ts';
import { KIND, RecordBatch } from '../../shared/wire/frames.ts';

type Waiting = { stream: number; body: Buffer; at: number };

export class BodySender {
  readonly #send: (message: Buffer) => void;
  readonly #waiting: Waiting[] = [];
  readonly #batch = new RecordBatch(limits.linkPieceBytes + 64);
  #sent = 0;
  #acknowledged = 0;

  constructor(send: (message: Buffer) => void) {
    this.#send = send;
  }

  add(stream: number, body: Buffer): void {
    this.#waiting.push({ stream, body, at: 0 });
    this.#pump();
  }

  drop(stream: number): void {
    const index = this.#waiting.findIndex((waiting) => waiting.stream === stream);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  /**
   * Records how many bytes the agent has received in total. Returns false when that is more than
   * were sent, or less than before.
   */
  acknowledge(bytes: number): boolean {
    if (bytes > this.#sent || bytes < this.#acknowledged) return false;
    this.#acknowledged = bytes;
    this.#pump();
    return true;
  }

  #pump(): void {
    let room = limits.linkBodyWindowBytes - (this.#sent - this.#acknowledged);
    while (room > 0) {
      const next = this.#waiting.shift();
      if (!next) return;
      const piece = next.body.subarray(next.at, next.at + Math.min(room, limits.linkPieceBytes));
      this.#batch.add(next.stream, KIND.body, 0, 0, piece);
      this.#send(this.#batch.take());
      this.#sent += piece.length;
      room -= piece.length;
      next.at += piece.length;
      if (next.at < next.body.length) this.#waiting.push(next);
    }
  }
}
