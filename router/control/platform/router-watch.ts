/**
 * What this router has noticed since it started that an operator should look at, for the platform's
 * page. It needs no Prometheus; the metrics have the same and more.
 */
import type { Clock } from '../../../shared/clock.ts';

/** `clamp`: an impossible count of a host. `payment`: an alarm about a payment or refund. */
export type NotedKind = 'clamp' | 'payment';

/** `what`: a word of a closed list, such as `cached_clamped`. */
export type Noted = Readonly<{
  kind: NotedKind;
  what: string;
  count: number;
  first: number;
  last: number;
}>;

type Listener = Readonly<{
  origin: string;
  certificate: Readonly<{ current: Readonly<{ expires: number }> }> | null;
}>;

export class RouterWatch {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #noted = new Map<string, Noted>();
  readonly #failing = new Set<string>();
  #listeners: readonly Listener[] = [];
  #heartbeat = () => ({ heartbeatAgeMs: 0, holdTtlMs: 1 });

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  note(kind: NotedKind, what: string): void {
    const key = `${kind} ${what}`;
    const now = this.#clock.now();
    const { count, first } = this.#noted.get(key) ?? { count: 0, first: now };
    this.#noted.set(key, { kind, what, count: count + 1, first, last: now });
  }

  taskEnded(task: string, result: 'done' | 'failed'): void {
    if (result === 'failed') this.#failing.add(task);
    else this.#failing.delete(task);
  }

  listensAt(listeners: readonly Listener[]): void {
    this.#listeners = listeners;
  }

  beatsAs(heartbeat: () => Readonly<{ heartbeatAgeMs: number; holdTtlMs: number }>): void {
    this.#heartbeat = heartbeat;
  }

  get noted(): readonly Noted[] {
    return [...this.#noted.values()];
  }

  /** Scheduled tasks whose last run failed. */
  get failingTasks(): readonly string[] {
    return [...this.#failing];
  }

  /** `expires` is in ms since the epoch. */
  get certificates(): readonly Readonly<{ listener: string; expires: number }>[] {
    return this.#listeners.flatMap(({ origin, certificate }) =>
      certificate ? [{ listener: origin, expires: certificate.current.expires }] : [],
    );
  }

  /** How long ago the store accepted the last heartbeat, and after how long peers free its holds. */
  get heartbeat(): Readonly<{ heartbeatAgeMs: number; holdTtlMs: number }> {
    return this.#heartbeat();
  }
}
