/** Events of an engine that wait, in order, until the grant covers them. */

/** The most characters of waiting events: a socket buffer of them, or one very large event. */
export const QUEUE_CHARS_MAX = 32 * 1024 * 1024;

export class EventQueue {
  #events: string[] = [];
  #chars = 0;

  /** Returns false when the event does not fit. */
  add(data: string): boolean {
    this.#chars += data.length;
    if (this.#chars > QUEUE_CHARS_MAX) return false;
    this.#events.push(data);
    return true;
  }

  /** Takes events, oldest first, until `isBlocked` returns true or none are left. */
  drain(isBlocked: () => boolean, take: (data: string) => void): void {
    let taken = 0;
    for (const data of this.#events) {
      if (isBlocked()) break;
      taken += 1;
      this.#chars -= data.length;
      take(data);
    }
    this.#events.splice(0, taken);
  }

  clear(): void {
    this.#events = [];
    this.#chars = 0;
  }
}
