/**
 * What the ledger has refused a moment ago, so that the next request like it is refused before its body is read. It
 * only spares work: whatever is not refused here, the ledger decides.
 */
import type { Clock } from '../../shared/clock.ts';
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { ReserveAnswer } from '../ledger/terms.ts';
import { rateLimited } from './limited.ts';

/** Credit may come from anywhere at any time, and another request may cost less. */
const CREDIT_MS_MAX = 250;
/** The oldest are forgotten beyond these. */
const ORGANIZATIONS_MAX = 10_000;
const KEYS_PER_ORGANIZATION_MAX = 100;

type Who = Readonly<{ organization: OrganizationId; key: KeyId }>;

type Recent = Readonly<{
  until: number;
  /** Credit may suffice for a smaller request: those with a smaller body are not refused. */
  bytesMin: number;
  what: 'rate' | 'insufficient_credit' | 'key_limit_reached';
  headers: Readonly<Record<string, string>>;
}>;

export class RecentRefusals {
  readonly #clock: Clock;
  readonly #byOrganization = new Map<OrganizationId, Map<KeyId, Recent>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `bytes`: of the body that was refused. */
  note(
    who: Who,
    answer: ReserveAnswer,
    { bytes, headers }: Readonly<{ bytes: number; headers: Recent['headers'] }>,
  ): void {
    const now = this.#clock.monotonic();
    if (answer === 'insufficient' || answer === 'capped') {
      const what = answer === 'capped' ? 'key_limit_reached' : 'insufficient_credit';
      this.#keep(who, { until: now + CREDIT_MS_MAX, bytesMin: bytes, what, headers });
    } else if (typeof answer === 'object' && 'limited' in answer && answer.limited === 'requests') {
      // Of tokens a smaller request may get some sooner, and of places nobody knows when one is free.
      this.#keep(who, { until: now + answer.retryAfterMs, bytesMin: 0, what: 'rate', headers });
    }
  }

  /** Why a request with so large a body would be refused; null: that is not known. */
  find({ organization, key }: Who, bytes: number): Refusal | null {
    const recent = this.#byOrganization.get(organization)?.get(key);
    if (!recent || bytes < recent.bytesMin) return null;
    const left = recent.until - this.#clock.monotonic();
    if (left <= 0) {
      this.#drop(organization, key);
      return null;
    }
    if (recent.what !== 'rate') return new Refusal(recent.what);
    return rateLimited({ limited: 'requests', retryAfterMs: left }, recent.headers);
  }

  /** A request has ended, and what was held for it is free again. */
  released(organization: OrganizationId): void {
    for (const [key, { what }] of this.#byOrganization.get(organization) ?? []) {
      if (what !== 'rate') this.#drop(organization, key);
    }
  }

  /** Credit or limits of an organization, or of all of them, may have changed. */
  forget(organization: OrganizationId | null): void {
    if (organization === null) this.#byOrganization.clear();
    else this.#byOrganization.delete(organization);
  }

  #keep({ organization, key }: Who, recent: Recent): void {
    const keys = this.#byOrganization.get(organization) ?? new Map<KeyId, Recent>();
    keys.delete(key);
    keys.set(key, recent);
    dropOldest(keys, KEYS_PER_ORGANIZATION_MAX);
    this.#byOrganization.delete(organization);
    this.#byOrganization.set(organization, keys);
    dropOldest(this.#byOrganization, ORGANIZATIONS_MAX);
  }

  #drop(organization: OrganizationId, key: KeyId): void {
    const keys = this.#byOrganization.get(organization);
    keys?.delete(key);
    if (keys?.size === 0) this.#byOrganization.delete(organization);
  }
}

function dropOldest(map: Map<unknown, unknown>, max: number): void {
  if (map.size <= max) return;
  const [oldest] = map.keys();
  map.delete(oldest);
}
