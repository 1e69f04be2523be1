/**
 * Work that was done and not charged, because the client left before the first token and the engine could
 * not count the prompt (MONEY 15). It is limited per organization: leaving early must not buy free prefill.
 */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';

const WINDOW_MS = 60_000;
/** Estimated prompt tokens in a window. */
const TOKENS_MAX = 200_000;

type Window = { since: number; tokens: number };

export class WaivedWork {
  readonly #clock: Clock;
  readonly #windows = new Map<OrganizationId, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(organization: OrganizationId, tokens: number): void {
    const now = this.#clock.monotonic();
    // Swept here, where it grows: memory is bounded by the organizations of one window.
    for (const [other, window] of this.#windows) {
      if (now - window.since >= WINDOW_MS) this.#windows.delete(other);
    }
    const window = this.#windows.get(organization) ?? { since: now, tokens: 0 };
    window.tokens += tokens;
    this.#windows.set(organization, window);
  }

  /** Seconds until the organization may send again, or null: it may now. */
  retryAfterS(organization: OrganizationId): number | null {
    const window = this.#windows.get(organization);
    if (!window || window.tokens < TOKENS_MAX) return null;
    const left = window.since + WINDOW_MS - this.#clock.monotonic();
    return left > 0 ? Math.ceil(left / 1000) : null;
  }
}
