/**
 * The engine's clock in terms of the agent's. The batch that came fastest shows the difference of
 * the two clocks. So a batch that waited in a queue, or is replayed, still has its time.
 */
export class EngineClock {
  #difference = Number.POSITIVE_INFINITY;

  /**
   * Returns a time of the engine's clock as a monotonic time of the agent, in ms. It is at most
   * `now`, when the time was received. After the engine's clock was set back, it is too early.
   */
  toOwn(time: number, now: number): number {
    this.#difference = Math.min(this.#difference, now - time);
    return time + this.#difference;
  }
}
