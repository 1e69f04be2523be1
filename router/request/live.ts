/** A request that something outside it may have to end: while it waits for a worker, and while it is answered. */
import type { OrganizationId } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusals.ts';

export interface Live {
  readonly organization: OrganizationId;
  /** Called a few times a second: its deadlines. */
  tick(now: number): void;
  /** Its organization is suspended (MONEY 11). */
  suspend(): void;
  /** The router may no longer settle (MONEY 20): it ends unsettled. */
  abandon(): void;
}

export function suspended(): Refusal {
  return new Refusal('invalid_api_key', { message: 'The organization is suspended.' });
}
