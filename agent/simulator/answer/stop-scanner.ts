/**
 * Finds stop strings in text that comes in pieces. As vLLM does, it keeps back as many characters
 * as could be the beginning of a stop string, so that no part of one is ever sent.
 */
export class StopScanner {
  readonly #stops: readonly string[];
  readonly #keep: number;
  readonly #inclusive: boolean;
  #held = '';
  /** The stop string that was found. */
  matched: string | null = null;

  constructor(stops: readonly string[], inclusive: boolean) {
    this.#stops = stops;
    this.#inclusive = inclusive;
    this.#keep = Math.max(0, ...stops.map((stop) => stop.length - 1));
  }

  /** Takes a piece and returns the text that may be sent now. */
  push(piece: string): string {
    if (this.#stops.length === 0) return piece;
    this.#held += piece;
    const found = this.#earliest();
    if (found) {
      this.matched = found.stop;
      return this.#release(found.at + (this.#inclusive ? found.stop.length : 0));
    }
    return this.#release(this.#held.length - this.#keep);
  }

  /** Returns the text that was kept back, at the end of a text without a stop string. */
  flush(): string {
    return this.matched === null ? this.#release(this.#held.length) : '';
  }

  #earliest(): { at: number; stop: string } | null {
    let earliest: { at: number; stop: string } | null = null;
    for (const stop of this.#stops) {
      const at = this.#held.indexOf(stop);
      if (at >= 0 && (!earliest || at < earliest.at)) earliest = { at, stop };
    }
    return earliest;
  }

  #release(length: number): string {
    let end = Math.max(0, length);
    // A surrogate pair is not split.
    const last = this.#held.charCodeAt(end - 1);
    if (end > 0 && end < this.#held.length && last >= 0xd800 && last < 0xdc00) end--;
    const released = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return released;
  }
}
