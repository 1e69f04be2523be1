/**
 * The public keys of all enrolled agents, so that an agent is told from a stranger without asking the store. It may be
 * some seconds old: who an agent is, its proof and the store decide.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import { greetingLimits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { Roster } from './enrolment.ts';

export class EnrolledKeys implements Disposable {
  readonly #roster: Pick<Roster, 'enrolledKeys'>;
  readonly #log: Log;
  readonly #rounds: Timer;
  #keys = new Set<string>();

  constructor({
    roster,
    clock,
    log,
  }: Readonly<{ roster: Pick<Roster, 'enrolledKeys'>; clock: Clock; log: Log }>) {
    this.#roster = roster;
    this.#log = log;
    this.#rounds = clock.every(greetingLimits.enrolledKeysEveryMs, () => void this.refresh());
    void this.refresh();
  }

  has(publicKey: string): boolean {
    return this.#keys.has(publicKey);
  }

  /** An agent has just proven this key. */
  learn(publicKey: string): void {
    if (this.#keys.size < greetingLimits.enrolledKeysMax) this.#keys.add(publicKey);
  }

  async refresh(): Promise<void> {
    try {
      this.#keys = new Set(await this.#roster.enrolledKeys(greetingLimits.enrolledKeysMax));
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'could not read the keys of the enrolled agents');
    }
  }

  [Symbol.dispose](): void {
    this.#rounds.cancel();
  }
}
