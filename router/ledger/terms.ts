/**
 * The types of the ledger (docs/money.md): its calls and their answers. Every call is atomic and
 * answers once it is as durable as MONEY 25 demands. A call rejects with StoreUnavailable if and
 * only if it is unknown what the store has done. A LedgerFault means that the call itself was
 * wrong.
 */
import type {
  AgentId,
  IncarnationId,
  KeyId,
  MemberId,
  OrganizationId,
  PriceId,
  RequestId,
} from '../../shared/ids.ts';
import type { PicoUsd, Price } from '../../shared/money.ts';

export { StoreUnavailable } from '../store/errors.ts';

/**
 * A bug of ours, not a fault of the client: a cost above the hold, a price that was never stored.
 * The operation did nothing, except that a settlement has voided its request: the answer is free.
 */
export class LedgerFault extends Error {
  override name = 'LedgerFault';
}

/** The status of a request whose client left before its answer was complete. It is never sent. */
export const CLIENT_LEFT = 499;

/** An immutable price version: the same figures always have the same id. */
export type PriceVersion = Readonly<{ id: PriceId; model: string; price: Price }>;

/** Limits on requests; null: no limit. Tokens are prompt and completion together. */
export type RateLimits = Readonly<{
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrentRequests: number | null;
}>;

/**
 * The most that a key may spend in a calendar month and in a day (UTC); absent or null: no cap. What
 * the member who created the key may spend is in the store only.
 */
export type KeyCaps = Readonly<{
  monthlyCap?: PicoUsd | null;
  dailyCap?: PicoUsd | null;
}>;

/** All limits of a key; null: no limit. */
export type Limits = Readonly<{ organization: RateLimits; key: RateLimits }> & Required<KeyCaps>;

/**
 * A cap that a request would exceed: that of the key, or that of the member who created it. `resets`:
 * when its month or day (UTC) ends, ms since the epoch. `unspent`: what is left of the cap. `left`:
 * what of that is not held for running requests. Both are in pico-USD, and negative if the cap is
 * exceeded.
 */
export type Capped = Readonly<{
  of: 'key' | 'member';
  window: 'month' | 'day';
  resets: number;
  unspent: bigint;
  left: bigint;
}>;

/**
 * The Idempotency-Key of a request, as keyed digests. Of all requests with the same `digest`, one is
 * charged.
 */
export type Claim = Readonly<{
  /** Of the organization, the API key, the API and the header. */
  digest: string;
  /** Of the body. */
  body: string;
}>;

export type Reservation = Readonly<{
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  /** The member who created the key; absent or null: nobody is known. */
  member?: MemberId | null;
  /** The account's authEpoch when the key was looked up (MONEY 11). */
  epoch: bigint;
  /** What is held: the estimated input and the first slice of output. */
  amount: PicoUsd;
  /**
   * What the organization must keep free while this hold may still grow (MONEY 8); 0 if it cannot
   * grow.
   */
  slice: PicoUsd;
  price: PriceId;
  /** The limits in force when the key was looked up; raising or lowering one raises the epoch. */
  limits: Limits;
  /** Tokens counted against the tokens per minute until the request ends: the estimated prompt. */
  tokens: number;
  /** Absent or null: the request has no Idempotency-Key. */
  claim?: Claim | null;
}>;

/** What a one-minute window of requests or tokens has left. `resetMs`: until all of it is free. */
export type Standing = Readonly<{ limit: number; remaining: number; resetMs: number }>;
/**
 * The tighter of the organization's and the key's; null where neither has a limit. Of a refusal, that
 * of the limit which refuses.
 */
export type Standings = Readonly<{ requests: Standing | null; tokens: Standing | null }>;

/** A limit of the organization or of the key, and its value. */
export type ReachedLimit = Readonly<{ of: 'organization' | 'key'; most: number }>;

/**
 * Why a request is limited. `waived`: too much work of the last minute was not charged to the
 * organization (MONEY 15), which is no limit of its own.
 */
export type LimitedBy =
  | Readonly<{ limited: 'requests' | 'tokens' | 'concurrency'; reached: ReachedLimit }>
  | Readonly<{ limited: 'waived' }>;

/**
 * `limited`: a rate limit is reached. `insufficient`: the credit of the organization does not
 * suffice. `capped`: a cap of spend is reached. `stale`: the epoch differs, so look the key up again.
 * `charged`: this request was charged under the same Idempotency-Key; `body` is the digest of its
 * body.
 */
export type ReserveAnswer =
  | Readonly<{ held: Standings }>
  | (LimitedBy & Readonly<{ retryAfterMs: number; standings: Standings }>)
  | Readonly<{ charged: RequestId; body: string }>
  | Readonly<{ capped: Capped }>
  | 'insufficient'
  | 'stale'
  | 'suspended';

export type Extension = Readonly<{
  request: RequestId;
  organization: OrganizationId;
  /** The total to hold for the request, so that a repeated call changes nothing. */
  amount: PicoUsd;
  /** If the credit does not suffice, less is held by whole multiples of this; above zero. */
  unit: PicoUsd;
  /** The member who created the key; absent or null: nobody is known. */
  member?: MemberId | null;
}> &
  /** The key's caps when the request was admitted. */
  KeyCaps;

/**
 * `held`: the amount now held for the request. It never shrinks, and stays as it was when the
 * credit does not allow one more unit. `gone`: the hold no longer exists.
 */
export type ExtendAnswer = Readonly<{ held: PicoUsd }> | 'gone';

/** An attempt that failed. `error`: why, a code of a refusal. Times are ms after the request arrived. */
export type FailedAttempt = Readonly<{ error: string; afterMs: number; durationMs: number }>;

/** When a request reached its stages, in ms after it arrived. */
export type RequestTimes = Readonly<{
  /** When its body had been read and checked. */
  bodyMs: number;
  admittedMs: number;
  /** When its last attempt began. Null: none was made. */
  pickedMs: number | null;
  /** How long it waited for a worker with room, ms. Null: it did not wait. */
  waitedMs: number | null;
  /** The first few. */
  failedAttempts: readonly FailedAttempt[];
}>;

/** How a request ended, as its usage row keeps it. Counts are tokens; times are ms. */
export type Usage = Readonly<{
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  member: MemberId | null;
  /** Where the request came from: an application that calls the API, or the playground. */
  source: 'api' | 'playground';
  completionId: string;
  model: string;
  region: string;
  /** The path, without parameters. Null, as `streamed`: a router of an earlier version served it. */
  endpoint: string | null;
  streamed: boolean | null;
  /** The limit of completion tokens that the request set. Null: it set none, or none is known. */
  maxTokens: number | null;
  agent: AgentId | null;
  /** The engine's name on its agent. */
  worker: string | null;
  price: PriceId;
  promptTokens: number;
  cachedTokens: number;
  /** Whether the engine reported the cached tokens, or the router predicted them (MONEY 16). */
  cachedSource: 'reported' | 'predicted';
  completionTokens: number;
  reasoningTokens: number;
  ttftMs: number | null;
  durationMs: number;
  /** Null: they were not recorded. */
  times: RequestTimes | null;
  /** stop, length, tool_calls; null when the answer was not completed. */
  finishReason: string | null;
  /** The HTTP status that the client got, or would have got, or `CLIENT_LEFT`. */
  status: number;
  /** The refusal's code, if the request was refused. */
  error: string | null;
  /** When the request arrived, by the store's clock; ms since the epoch. */
  created: number;
}>;

/**
 * `cost`: the charge is durable, and this amount was charged. `refused`: the hold did not cover the
 * charge and the account or a cap could not bear the rest, or the request was voided
 * before. `repeated`: another request was charged under the same Idempotency-Key. In both cases the
 * answer is free and must not be completed.
 */
export type SettleAnswer = Readonly<{ cost: PicoUsd }> | 'refused' | 'repeated';

/**
 * What the end of a request needs to know of its admission; absent or null: it has none. The key's
 * caps apply to what the hold does not cover.
 */
export type AdmittedUnder = KeyCaps & Readonly<{ claim?: Claim | null }>;

export interface Ledger {
  /** Holds credit for a request (MONEY 4, 6, 8, 11). */
  reserve(reservation: Reservation): Promise<ReserveAnswer>;
  /** Raises a hold to an amount, or as far as the credit allows. The call may be repeated. */
  extend(extension: Extension): Promise<ExtendAnswer>;
  /** Charges a request once and frees its hold (MONEY 12, 13). Idempotent by request id. */
  settle(usage: Usage, cost: PicoUsd, under?: AdmittedUnder): Promise<SettleAnswer>;
  /**
   * Ends a request free of charge: frees its hold and reverses any charge it finds (MONEY 14).
   * Idempotent by request id. `waivedTokens`: work that was done but is not charged. It counts
   * against the organization for a minute (MONEY 15). `claim` is given up if it was this request's.
   */
  void(usage: Usage, waivedTokens?: number, claim?: Claim | null): Promise<void>;
  /** This process's incarnation, to which its holds belong (MONEY 19). */
  readonly incarnation: IncarnationId;
}
