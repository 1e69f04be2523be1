/**
 * Has organizations told of exhausted credit when their requests are refused. Refusals may come
 * thousands of times a second, so the store is asked only now and then.
 */
import { LRUCache } from 'lru-cache';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { ControlParts } from '../parts.ts';
import { isExhaustionNews, noteExhausted } from './exhausted.ts';

/** An organization without credit may be refused thousands of times a second. */
const AGAIN_AFTER_MS = 5_000;
/** How many organizations are remembered. One that is forgotten is looked up once more. */
const REMEMBERED_MAX = 10_000;

export type ExhaustionParts = Pick<ControlParts, 'store' | 'clock' | 'log'>;

export class ExhaustionNotices {
  readonly #parts: ExhaustionParts;
  /** When each organization was last looked up, by the monotonic clock. */
  readonly #seen = new LRUCache<OrganizationId, number>({ max: REMEMBERED_MAX });

  constructor(parts: ExhaustionParts) {
    this.#parts = parts;
  }

  /** Reports that a request was refused for lack of credit. Never rejects. */
  async exhausted(organization: OrganizationId): Promise<void> {
    const { store, clock, log } = this.#parts;
    const passed = clock.monotonic();
    if (passed - (this.#seen.get(organization) ?? -Infinity) < AGAIN_AFTER_MS) return;
    this.#seen.set(organization, passed);
    try {
      // Most organizations have no such endpoint; for them this only reads.
      if (!(await store.call(isExhaustionNews, organization))) return;
      await store.call(noteExhausted, { organization, now: clock.now() });
    } catch (error) {
      log.warn({ err: error }, 'failed to record that the credit of an organization is exhausted');
    }
  }
}
