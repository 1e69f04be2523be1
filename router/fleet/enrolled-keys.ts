/**
 * The public keys of all enrolled agents, so that the router can distinguish an agent from a
 * stranger without a query to the store. The list may be some seconds old. It only decides which
 * limits apply to a new connection. The proof and the store decide who an agent is.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { AgentRegistry } from './enrolment.ts';
import { greetingLimits } from './greeting-limits.ts';

export class EnrolledKeys implements Disposable {
  readonly #registry: Pick<AgentRegistry, 'enrolledKeys'>;
  readonly #log: Log;
  readonly #timer: Timer;
  #keys = new Set<string>();

  constructor({
    registry,
    clock,
    log,
  }: Readonly<{ registry: Pick<AgentRegistry, 'enrolledKeys'>; clock: Clock; log: Log }>) {
    this.#registry = registry;
    this.#log = log;
    this.#timer = clock.every(greetingLimits.enrolledKeysEveryMs, () => void this.refresh());
    void this.refresh();
  }

  has(publicKey: string): boolean {
    return this.#keys.has(publicKey);
  }

  /** Adds a key that an agent has just proven. */
  learn(publicKey: string): void {
    if (this.#keys.size < greetingLimits.enrolledKeysMax) this.#keys.add(publicKey);
  }

  async refresh(): Promise<void> {
    try {
      this.#keys = new Set(await this.#registry.enrolledKeys(greetingLimits.enrolledKeysMax));
    } catch (error) {
      this.#log.warn({ err: error }, 'keys of the enrolled agents could not be read');
    }
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }
}
