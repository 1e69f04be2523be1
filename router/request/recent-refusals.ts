/**
 * Remembers what the ledger has just refused, so that a similar request is refused before its body
 * is read. It only saves work: the ledger decides about all requests that are not refused here.
 */
import type { Clock } from '../../shared/clock.ts';
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Capped, ReachedLimit, ReserveAnswer, Standing, Standings } from '../ledger/terms.ts';
import { CapReached } from './cap-reached.ts';
import { RateLimited } from './limited.ts';

/** How long a lack of credit is remembered: credit may arrive at any time. */
const CREDIT_MS_MAX = 250;
/**
 * So many requests lack credit in that time before others of the key are refused unread. Fewer are no
 * flood, and the next request may cost less: its body says how much.
 */
const CREDIT_REFUSALS = 20;
/** Limits of the memory; the oldest entries are evicted. */
const ORGANIZATIONS_MAX = 10_000;
const KEYS_PER_ORGANIZATION_MAX = 100;

type Who = Readonly<{ organization: OrganizationId; key: KeyId }>;

type Lack = 'insufficient' | Readonly<{ capped: Capped }>;

type Recent = Readonly<{
  until: number;
  /** Requests with a smaller body are not refused: they may cost less. */
  bytesMin: number;
  /** How many more of the same are needed before others are refused. */
  more: number;
  what: Lack | Readonly<{ since: number; was: Standings; reached: ReachedLimit }>;
}>;

export class RecentRefusals {
  readonly #clock: Clock;
  readonly #byOrganization = new Map<OrganizationId, Map<KeyId, Recent>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records an answer of the ledger. `bytes` is the size of the request's body. */
  note(who: Who, answer: ReserveAnswer, bytes: number): void {
    const now = this.#clock.monotonic();
    if (answer === 'insufficient' || (typeof answer === 'object' && 'capped' in answer)) {
      this.#keep(who, this.#lacking(who, answer, bytes));
    } else if (typeof answer === 'object' && 'limited' in answer && answer.limited === 'requests') {
      // Other limits are not remembered: a smaller request may pass a limit on tokens sooner, and a
      // concurrent request may end at any time.
      const what = { since: now, was: answer.standings, reached: answer.reached };
      this.#keep(who, { until: now + answer.retryAfterMs, bytesMin: 0, more: 0, what });
    }
  }

  /** The refusal for a request with a body of this size. Null when the ledger has to decide. */
  find({ organization, key }: Who, bytes: number): Refusal | null {
    const recent = this.#byOrganization.get(organization)?.get(key);
    if (!recent || recent.more > 0 || bytes < recent.bytesMin) return null;
    const now = this.#clock.monotonic();
    const retryAfterMs = recent.until - now;
    if (retryAfterMs <= 0) {
      this.#drop(organization, key);
      return null;
    }
    if (recent.what === 'insufficient') return new Refusal('insufficient_credit');
    if ('capped' in recent.what) return new CapReached(recent.what.capped);
    const { since, was, reached } = recent.what;
    const later = (standing: Standing | null) =>
      standing && { ...standing, resetMs: Math.max(0, standing.resetMs - (now - since)) };
    const standings = { requests: later(was.requests), tokens: later(was.tokens) };
    return new RateLimited({ limited: 'requests', reached, retryAfterMs, standings });
  }

  /** Forgets refusals for lack of credit or for a cap: a request's end has released its hold. */
  released(organization: OrganizationId): void {
    for (const [key, { what }] of this.#byOrganization.get(organization) ?? []) {
      if (isLack(what)) this.#drop(organization, key);
    }
  }

  /** Forgets an organization's refusals, or all if it is null: credit or limits have changed. */
  forget(organization: OrganizationId | null): void {
    if (organization === null) this.#byOrganization.clear();
    else this.#byOrganization.delete(organization);
  }

  /** What is remembered of a key after one more request that lacked credit. */
  #lacking({ organization, key }: Who, what: Lack, bytes: number): Recent {
    const now = this.#clock.monotonic();
    const last = this.#byOrganization.get(organization)?.get(key);
    if (!last || last.until <= now || !isLack(last.what)) {
      return { until: now + CREDIT_MS_MAX, bytesMin: bytes, more: CREDIT_REFUSALS - 1, what };
    }
    // Smaller requests do not prolong a flood of larger ones: they are counted anew after it.
    if (last.more === 0 && bytes < last.bytesMin) return last;
    const more = Math.max(0, last.more - 1);
    const until = more === 0 ? now + CREDIT_MS_MAX : last.until;
    return { until, bytesMin: Math.max(last.bytesMin, bytes), more, what };
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

function isLack(what: Recent['what']): what is Lack {
  return what === 'insufficient' || 'capped' in what;
}

function dropOldest(map: Map<unknown, unknown>, max: number): void {
  if (map.size <= max) return;
  const [oldest] = map.keys();
  map.delete(oldest);
}
