/**
 * Has organizations told of exhausted credit when their requests are refused. Refusals may come
 * thousands of times a second, so the store is asked only now and then.
 */
import { SpacedCalls } from '../../../shared/bounds/spaced-calls.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { ControlParts } from '../parts.ts';
import { isExhaustionNews, noteExhausted } from './exhausted.ts';

const LOOKED_UP = { everyMs: 5_000, keysMax: 10_000 } as const;

export type ExhaustionParts = Pick<ControlParts, 'store' | 'clock' | 'log' | 'provider'>;

export class ExhaustionNotices {
  readonly #parts: ExhaustionParts;
  readonly #lookUps: SpacedCalls<OrganizationId>;

  constructor(parts: ExhaustionParts) {
    this.#parts = parts;
    this.#lookUps = new SpacedCalls(parts.clock, LOOKED_UP);
  }

  /** Reports that a request was refused for lack of credit. Never rejects. */
  async exhausted(organization: OrganizationId): Promise<void> {
    const { store, clock, log, provider } = this.#parts;
    if (!this.#lookUps.passes(organization)) return;
    try {
      // Once the organization has been told, this only reads.
      if (!(await store.call(isExhaustionNews, organization))) return;
      await store.call(noteExhausted, {
        organization,
        provider: provider?.name ?? null,
        now: clock.now(),
      });
    } catch (error) {
      log.warn({ err: error }, 'failed to record that the credit of an organization is exhausted');
    }
  }
}
