/** Whether the agent can serve requests: the answer of `/readyz` on the port of the metrics. */
import type { Engine } from './engine/engine.ts';

export type ReadinessParts = Readonly<{
  engines: readonly Pick<Engine, 'name' | 'up' | 'notes'>[];
  /** Whether a session with a router is joined. */
  isJoined: () => boolean;
  /** Whether the agent accepts no new requests, because it was told to stop. */
  isStopping: () => boolean;
}>;

export class Readiness {
  #parts: ReadinessParts | null = null;

  /** Called when the parts have been started. Until then, the agent is not ready. */
  started(parts: ReadinessParts): void {
    this.#parts = parts;
  }

  /** Returns why the agent is not ready, in plain English. Empty when it is ready. */
  faults(): string[] {
    if (!this.#parts) return ['the agent is starting'];
    const { engines, isJoined, isStopping } = this.#parts;
    if (isStopping()) return ['the agent is stopping'];
    const faults = isJoined() ? [] : ['no router is connected'];
    if (engines.some(({ up }) => up)) return faults;
    return [...faults, ...engines.map(({ name, notes }) => `engine ${name} is down: ${notes[0]}`)];
  }
}
