/**
 * The memory that request bodies may take, in all and for one organization: each may be 32 MiB and is kept until
 * its request has ended, and nothing has been paid for it yet.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';

/** One request's part, given back when it is disposed of. */
export interface BodyLease extends Disposable {
  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean;
}

export class BodyBudget {
  #taken = 0;
  readonly #takenBy = new Map<OrganizationId, number>();

  lease(organization: OrganizationId): BodyLease {
    let mine = 0;
    return {
      take: (bytes) => {
        if (!this.#fits(organization, bytes)) return false;
        mine += bytes;
        this.#add(organization, bytes);
        return true;
      },
      [Symbol.dispose]: () => {
        this.#add(organization, -mine);
        mine = 0;
      },
    };
  }

  #fits(organization: OrganizationId, bytes: number): boolean {
    const theirs = this.#takenBy.get(organization) ?? 0;
    return (
      this.#taken + bytes <= limits.bodiesBytesMax &&
      theirs + bytes <= limits.bodiesPerOrganizationBytesMax
    );
  }

  #add(organization: OrganizationId, bytes: number): void {
    this.#taken += bytes;
    const theirs = (this.#takenBy.get(organization) ?? 0) + bytes;
    if (theirs > 0) this.#takenBy.set(organization, theirs);
    else this.#takenBy.delete(organization);
  }
}
