/** Requests that can be ended from outside, while they wait for a worker or are being answered. */
import type { OrganizationId } from '../../shared/ids.ts';
import { InFlight } from '../../shared/in-flight.ts';
import { Refusal } from '../../shared/refusals.ts';

export interface Live {
  readonly organization: OrganizationId;
  /** Called a few times a second to check deadlines. */
  tick(now: number): void;
  /** Ends the request, because its organization is suspended (MONEY 11). */
  suspend(): void;
  /** Ends the request unsettled, because the router may no longer settle (MONEY 20). */
  abandon(): void;
}

export class LiveRequests extends InFlight<Live> {
  tick(now: number): void {
    for (const request of this) request.tick(now);
  }

  suspend(organization: OrganizationId): void {
    for (const request of this) if (request.organization === organization) request.suspend();
  }

  abandonAll(): void {
    for (const request of this) request.abandon();
  }
}

export function suspended(): Refusal {
  return new Refusal('organization_suspended');
}
