/**
 * Counts what was requested in the last minute, in slots of half a second, so that no sixty seconds
 * admit more than the limit. The oldest slot counts in full until it is dropped, so the window may
 * cover up to half a second more than a minute.
 */
import type { Standing } from '../terms.ts';

const SLOT_MS = 500;
/** A minute, and the slot that has just begun. */
const SLOTS = 121;
/**
 * A clock that was set back, or a router's clock behind its peers', counts into the newest slot
 * while it is at most this far behind.
 */
const BEHIND_SLOTS_MAX = 240;

/** `waived`: prompt and completion tokens of work that was done and is not charged. */
export type Measure = 'requests' | 'tokens' | 'waived';

type Series = { slots: number[]; sum: number };

export class RateWindow {
  /** The number of the newest slot, in half seconds since the epoch. */
  #newest: number;
  readonly #series: Record<Measure, Series>;

  constructor(newest = 0, series?: Record<Measure, Series>) {
    this.#newest = newest;
    this.#series = series ?? { requests: noSeries(), tokens: noSeries(), waived: noSeries() };
  }

  /** `counts`: as the method of this name returns them. */
  static of(newest: number, counts: Readonly<Record<Measure, readonly number[]>>): RateWindow {
    return new RateWindow(newest, {
      requests: seriesOf(newest, counts.requests),
      tokens: seriesOf(newest, counts.tokens),
      waived: seriesOf(newest, counts.waived),
    });
  }

  /** Returns the ms until `amount` more is within the limit; 0 if it is now. */
  waitMs(measure: Measure, limit: number, amount: number, now: number): number {
    this.#moveTo(now);
    const { slots, sum } = this.#series[measure];
    let over = sum + amount - limit;
    if (over <= 0) return 0;
    for (let slot = this.#newest - SLOTS + 1; slot <= this.#newest; slot++) {
      over -= slots[slot % SLOTS] ?? 0;
      if (over <= 0) return this.#leavesIn(slot, now);
    }
    // `amount` alone exceeds the limit and never fits: answer when the window is empty.
    return this.#leavesIn(this.#newest, now);
  }

  add(measure: Measure, amount: number, now: number): void {
    this.#moveTo(now);
    const series = this.#series[measure];
    const at = this.#newest % SLOTS;
    series.slots[at] = (series.slots[at] ?? 0) + amount;
    series.sum += amount;
  }

  /** Subtracts what was counted at an earlier instant, if its slot is still in the window. */
  takeBack(measure: Measure, amount: number, at: number, now: number): void {
    this.#moveTo(now);
    const slot = Math.min(Math.floor(at / SLOT_MS), this.#newest);
    if (slot <= this.#newest - SLOTS) return;
    const series = this.#series[measure];
    series.slots[slot % SLOTS] = (series.slots[slot % SLOTS] ?? 0) - amount;
    series.sum -= amount;
  }

  standing(measure: Measure, limit: number, now: number): Standing {
    this.#moveTo(now);
    const { slots, sum } = this.#series[measure];
    let last = this.#newest;
    while (last > this.#newest - SLOTS && (slots[last % SLOTS] ?? 0) === 0) last--;
    const empty = last === this.#newest - SLOTS;
    return {
      limit,
      remaining: Math.max(0, limit - Math.max(0, sum)),
      resetMs: empty ? 0 : this.#leavesIn(last, now),
    };
  }

  copy(): RateWindow {
    const { requests, tokens, waived } = this.#series;
    return new RateWindow(this.#newest, {
      requests: { slots: requests.slots.slice(), sum: requests.sum },
      tokens: { slots: tokens.slots.slice(), sum: tokens.sum },
      waived: { slots: waived.slots.slice(), sum: waived.sum },
    });
  }

  get newest(): number {
    return this.#newest;
  }

  /** Oldest slot first. */
  counts(measure: Measure): number[] {
    const { slots } = this.#series[measure];
    const from = this.#newest - SLOTS + 1;
    return Array.from({ length: SLOTS }, (_, index) => slots[(from + index) % SLOTS] ?? 0);
  }

  #leavesIn(slot: number, now: number): number {
    return Math.max(1, (slot + SLOTS) * SLOT_MS - now);
  }

  #moveTo(now: number): void {
    const slot = Math.floor(now / SLOT_MS);
    const ahead = slot - this.#newest;
    if (ahead > 0) this.#clear(ahead, slot);
    // Further behind than that, the earlier clock was wrong: start over at this one.
    else if (ahead < -BEHIND_SLOTS_MAX) this.#clear(SLOTS, slot);
  }

  #clear(count: number, newest: number): void {
    for (const series of Object.values(this.#series)) {
      for (let back = 0; back < Math.min(count, SLOTS); back++) {
        const at = (newest - back) % SLOTS;
        series.sum -= series.slots[at] ?? 0;
        series.slots[at] = 0;
      }
    }
    this.#newest = newest;
  }
}

function noSeries(): Series {
  return { slots: Array.from({ length: SLOTS }, () => 0), sum: 0 };
}

function seriesOf(newest: number, counts: readonly number[]): Series {
  const { slots } = noSeries();
  for (const [index, count] of counts.entries()) {
    slots[(newest - counts.length + 1 + index + SLOTS) % SLOTS] = count;
  }
  return { slots, sum: counts.reduce((sum, count) => sum + count, 0) };
}
