/**
 * Detects an engine that hangs. Such an engine may still report that it is healthy, so an engine
 * that has given no sign of life for long is probed.
 */
import type { Clock } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import type { Engine } from './engine.ts';
import { probeOnce } from './trial.ts';

/** The timeout of a probe. A busy engine has other requests before it. */
export const PROBE_MS_MAX = 30_000;

/**
 * An engine without a sign of life is probed after this time: `LATE_MS` while it has work,
 * `IDLE_MS` while it has none.
 */
const LATE_MS = 30_000;
const IDLE_MS = 60_000;

export type HangDetectorParts = Readonly<{
  engine: Engine;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  /** Called when a probe has failed. */
  onHang(): void;
}>;

export class HangDetector {
  readonly #parts: HangDetectorParts;
  /** When the engine last gave a sign of life, besides chunks for the agent's requests. */
  #aliveAt = Number.NEGATIVE_INFINITY;
  #probing = false;

  constructor(parts: HangDetectorParts) {
    this.#parts = parts;
  }

  /** Records a sign of life at `now` (monotonic ms). */
  alive(now: number): void {
    this.#aliveAt = now;
  }

  /** Starts a probe when nothing shows that the engine still generates. */
  check(now: number): void {
    const { listed, load, profile } = this.#parts.engine;
    const model = listed[0]?.id;
    if (this.#probing || model === undefined || !profile.dialect.probed) return;
    if (now - this.#lastSign < (load.inFlight > 0 ? LATE_MS : IDLE_MS)) return;
    this.#probing = true;
    void this.#probe(model, now).finally(() => {
      this.#probing = false;
    });
  }

  get #lastSign(): number {
    return Math.max(this.#parts.engine.liveness.wroteAt, this.#aliveAt);
  }

  async #probe(model: string, since: number): Promise<void> {
    const { engine, clock, random, signal, onHang } = this.#parts;
    const parts = { engine, clock, random, signal, timeoutMs: PROBE_MS_MAX };
    const { outcome } = await probeOnce(parts, engine.profile.dialect, model);
    if (signal.aborted || this.#lastSign > since) return;
    if (outcome === 'failed') onHang();
    else this.#aliveAt = clock.monotonic();
  }
}
