/**
 * Virtual time: runs scheduled functions in the order in which they are due, and those due at the
 * same time in the order in which they were scheduled.
 */
import type { Clock, Timer } from '../../../../shared/clock.ts';

type Due = { atS: number; order: number; run: () => void };

export class Timeline {
  #nowS = 0;
  #order = 0;
  /** A binary heap: the parent of i is at (i - 1) / 2, and is never due after i. */
  readonly #heap: Due[] = [];

  get nowS(): number {
    return this.#nowS;
  }

  at(atS: number, run: () => void): void {
    const due = { atS, order: this.#order++, run };
    let hole = this.#heap.length;
    this.#heap.push(due);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = this.#heap[parent] as Due;
      if (!isBefore(due, above)) break;
      this.#heap[hole] = above;
      hole = parent;
    }
    this.#heap[hole] = due;
  }

  /** Runs everything that is due before `toS`, and advances the time to it. */
  advance(toS: number): void {
    while ((this.#heap[0]?.atS ?? Number.POSITIVE_INFINITY) < toS) this.#runFirst();
    this.#nowS = toS;
  }

  /** Runs until nothing is scheduled any more. */
  finish(): void {
    while (this.#heap.length > 0) this.#runFirst();
  }

  /** A clock of this time, for the product's own code. */
  clock(): Clock {
    const after = (ms: number, run: () => void): Timer => {
      let live = true;
      this.at(this.#nowS + ms / 1000, () => live && run());
      return {
        cancel: () => {
          live = false;
        },
      };
    };
    return {
      now: () => this.#nowS * 1000,
      monotonic: () => this.#nowS * 1000,
      after,
      // A periodic timer would keep the timeline from ending.
      every: () => {
        throw new Error('nothing ticks by itself in virtual time');
      },
    };
  }

  #runFirst(): void {
    const first = this.#heap[0] as Due;
    const last = this.#heap.pop() as Due;
    if (this.#heap.length > 0) this.#sink(last);
    this.#nowS = first.atS;
    first.run();
  }

  #sink(due: Due): void {
    const heap = this.#heap;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child++;
      if (!isBefore(heap[child] as Due, due)) break;
      heap[hole] = heap[child] as Due;
      hole = child;
    }
    heap[hole] = due;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.atS < b.atS || (a.atS === b.atS && a.order < b.order);
}
