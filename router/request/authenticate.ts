/**
 * Authentication: checks the checksum of a key, then looks the key up by its digest. What is found
 * is cached for a few seconds.
 */
import type { IncomingHttpHeaders } from 'node:http';
import NodeCache from 'node-cache';
import type { Clock } from '../../shared/clock.ts';
import { cacheSalt, type OrganizationId, parseApiKey } from '../../shared/ids.ts';
import { digestSecret, digestsOf, type Peppers } from '../../shared/peppers.ts';
import { isRefusal, KEY_EXPIRED, type Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/region.ts';
import { limitsOver } from '../ledger/limits.ts';
import type { KeyRecord } from '../ledger/operations.ts';
import type { Limits, PriceVersion, RateLimits } from '../ledger/terms.ts';
import type { Api } from './api.ts';
import { KeyRefusal, type KeyRefusalCause } from './key-refusal.ts';
import type { ModelAccess } from './model-access.ts';

/** The key of a request, its organization, their limits and prices, and the salt for caches. */
export type Caller = Omit<
  KeyRecord,
  'limits' | 'keyLimits' | 'monthlyCap' | 'dailyCap' | 'allowedModels' | 'rates'
> &
  Readonly<{
    limits: Limits;
    models: ModelAccess;
    /** Prices agreed with the organization, by model. They override the catalog's. */
    rates: ReadonlyMap<string, PriceVersion>;
    salt: string;
  }>;

/** Limits of organizations and keys that have none of their own. */
export type DefaultLimits = Readonly<{ organization: RateLimits; key: RateLimits }>;

export type CallersParts = Readonly<{
  findKey: (digest: string) => Promise<KeyRecord | null>;
  /** Called for a key found under an older pepper, to store its digest under the newest. */
  digestAgain: (from: string, to: string) => void;
  pepper: Peppers;
  saltSecret: Uint8Array;
  limits: () => DefaultLimits;
  clock: Clock;
}>;

/** How long a lookup is cached. Each admission still checks the store (MONEY 11). */
const CACHE_SECONDS = 5;
const CACHE_KEYS_MAX = 100_000;
const NO_BEARER = 'The header "Authorization" has to be "Bearer <API_KEY>".';
const BEARER = /^Bearer ([\x21-\x7e]{1,256})$/i;

/**
 * Returns the credentials of a request, in the form of an `Authorization` header. Clients of the
 * Messages API send the key in a header of its own, also when they list the models (`api` is null).
 */
export function credentialsOf(headers: IncomingHttpHeaders, api: Api | null): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  const isOpenAI = api !== null && api !== 'messages';
  if (isOpenAI || authorization !== undefined) return authorization;
  return typeof key === 'string' ? `Bearer ${key}` : undefined;
}

export class Callers {
  readonly #parts: CallersParts;
  /** By the key itself, so that it is digested only once in that time. */
  readonly #cache = new NodeCache({
    stdTTL: CACHE_SECONDS,
    checkperiod: CACHE_SECONDS,
    useClones: false,
  });

  constructor(parts: CallersParts) {
    this.#parts = parts;
  }

  /**
   * The caller with these credentials (`credentialsOf`), at a listener of this region. Refuses a missing,
   * invalid, expired or revoked key, and a key of another region.
   */
  async authenticate(header: string | undefined, region: Region): Promise<Caller | Refusal> {
    if (header === undefined) return new KeyRefusal('missing_api_key', 'missing');
    const value = BEARER.exec(header)?.[1];
    if (value === undefined)
      return new KeyRefusal('invalid_api_key', 'malformed', { message: NO_BEARER });
    const caller = this.#cache.get<Caller>(value) ?? (await this.#find(value));
    if (!caller?.active) {
      return new KeyRefusal('invalid_api_key', inactiveBecause(caller, value), { owner: caller });
    }
    if (caller.expires !== null && caller.expires <= this.#parts.clock.now()) {
      const message = KEY_EXPIRED;
      return new KeyRefusal('invalid_api_key', 'expired', { message, owner: caller });
    }
    if (caller.region !== region) {
      const message = `This key belongs to an organization of region ${caller.region}; this endpoint serves ${region}.`;
      return new KeyRefusal('wrong_region', 'wrong_region', { message, owner: caller });
    }
    return caller;
  }

  /** Whose request is refused for another reason. Null if that is not known. */
  async recognize(header: string | undefined, region: Region): Promise<Caller | null> {
    const caller = await this.authenticate(header, region).catch(() => null);
    return isRefusal(caller) ? null : caller;
  }

  /** Removes an out-of-date key from the cache. */
  forget(header: string | undefined): void {
    const value = BEARER.exec(header ?? '')?.[1];
    if (value !== undefined) this.#cache.del(value);
  }

  async #find(value: string): Promise<Caller | null> {
    if (parseApiKey(value) === null) return null;
    const { pepper, findKey } = this.#parts;
    const record = (await findKey(digestSecret(pepper, value))) ?? (await this.#findOlder(value));
    if (!record) return null;
    const caller = this.#callerOf(record);
    // A full cache only costs more lookups.
    if (this.#cache.getStats().keys < CACHE_KEYS_MAX) this.#cache.set(value, caller);
    return caller;
  }

  /** Looks a key up under the older peppers. A key that is found gets a digest under the newest. */
  async #findOlder(value: string): Promise<KeyRecord | null> {
    const { pepper, findKey, digestAgain } = this.#parts;
    if (pepper.all.length === 1) return null;
    const [newest, ...older] = digestsOf(pepper, value);
    for (const digest of older) {
      const record = await findKey(digest);
      if (!record) continue;
      digestAgain(digest, newest);
      return record;
    }
    return null;
  }

  #callerOf(found: KeyRecord): Caller {
    const { limits, keyLimits, monthlyCap, dailyCap, allowedModels, rates, ...record } = found;
    const defaults = this.#parts.limits();
    return {
      ...record,
      limits: {
        organization: limitsOver(defaults.organization, limits),
        key: limitsOver(defaults.key, keyLimits),
        monthlyCap,
        dailyCap,
      },
      models: allowedModels && new Set(allowedModels),
      rates: new Map(rates.map((rate) => [rate.model, rate])),
      salt: cacheSalt(this.#parts.saltSecret, record.organization),
    };
  }

  /** Removes the keys of an organization from the cache, or all keys when it is null. */
  forgetOrganization(organization: OrganizationId | null): void {
    if (organization === null) return this.#cache.flushAll();
    for (const key of this.#cache.keys()) {
      if (this.#cache.get<Caller>(key)?.organization === organization) this.#cache.del(key);
    }
  }

  close(): void {
    this.#cache.close();
  }
}

/** A key with a valid checksum that is not known may have been minted under another pepper. */
function inactiveBecause(caller: Caller | null, value: string): KeyRefusalCause {
  if (caller) return 'revoked';
  return parseApiKey(value) === null ? 'malformed' : 'unknown';
}
