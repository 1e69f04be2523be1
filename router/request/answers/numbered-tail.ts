/**
 * Hot path. The end of an event that has a sequence number. The number is counted up in place,
 * digit by digit: a new buffer for each delta would cost as much as the rest of its event.
 */
const BEFORE = '","sequence_number":';
const AFTER = '}\n\n';
const ZERO = 0x30;
const NINE = 0x39;

export class NumberedTail {
  #number = -1;
  #bytes: Buffer = Buffer.alloc(0);

  /** Returns the tail with this number. It is valid until the next call. */
  of(number: number): Buffer {
    if (number !== this.#number + 1 || !this.#countUp()) {
      this.#bytes = Buffer.from(`${BEFORE}${number}${AFTER}`);
    }
    this.#number = number;
    return this.#bytes;
  }

  /** Returns false when the next number has one more digit. */
  #countUp(): boolean {
    for (let at = this.#bytes.length - AFTER.length - 1; at >= BEFORE.length; at--) {
      const digit = this.#bytes[at] as number;
      if (digit < NINE) {
        this.#bytes[at] = digit + 1;
        return true;
      }
      this.#bytes[at] = ZERO;
    }
    return false;
  }
}
