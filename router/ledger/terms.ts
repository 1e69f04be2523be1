/**
 * The words of the ledger (MONEY.md): what a request may ask of it and what it answers. Every call is
 * atomic and answers once it is as durable as MONEY 25 asks; each rejects with StoreUnavailable, and only
 * with that, when the store cannot say. A LedgerFault means that we asked what makes no sense.
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
 * Our mistake, not the caller's: a cost above the hold, a price that nobody made durable. The operation did
 * nothing, except that a settlement has voided its request: the answer is free.
 */
export class LedgerFault extends Error {
  override name = 'LedgerFault';
}

/** An immutable price version: the same figures always have the same id. */
export type PriceVersion = Readonly<{ id: PriceId; model: string; price: Price }>;

/** What may be asked for; null: no limit. Tokens are prompt and completion together. */
export type RateLimits = Readonly<{
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrentRequests: number | null;
}>;

/** All that limits a key; null: no limit. The cap is of what it spends in a calendar month (UTC). */
export type Limits = Readonly<{
  organization: RateLimits;
  key: RateLimits;
  monthlyCap: PicoUsd | null;
}>;

export type Reservation = Readonly<{
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  /** The account's authEpoch when the key was looked up (MONEY 11). */
  epoch: bigint;
  /** What is held: the estimated input and the first slice of output. */
  amount: PicoUsd;
  /** What the organization must keep free while this hold may still grow (MONEY 8); 0 if it cannot. */
  slice: PicoUsd;
  price: PriceId;
  /** The limits in force when the key was looked up; raising or lowering one raises the epoch. */
  limits: Limits;
  /** What it counts against the tokens a minute until it has ended: the estimated prompt. */
  tokens: number;
}>;

/** What a window of a minute has left: of requests, or of tokens. `resetMs`: until all of it is free again. */
export type Standing = Readonly<{ limit: number; remaining: number; resetMs: number }>;
/** The tighter of the organization's and the key's; null where neither has a limit. */
export type Standings = Readonly<{ requests: Standing | null; tokens: Standing | null }>;

/**
 * `limited`: a rate limit is reached; `waived`: too much was done for the organization in the last minute that it
 * did not pay for. `capped`: the key has spent what it may in this month. `stale`: the epoch
 * differs, so look the key up again.
 */
export type ReserveAnswer =
  | Readonly<{ held: Standings }>
  | Readonly<{
      limited: 'requests' | 'tokens' | 'concurrency' | 'waived';
      retryAfterMs: number;
      standings: Standings;
    }>
  | 'insufficient'
  | 'capped'
  | 'stale'
  | 'suspended';

export type Extension = Readonly<{
  request: RequestId;
  organization: OrganizationId;
  /** What to hold for the request in all, so that asking twice is the same as asking once. */
  amount: PicoUsd;
  /** Where the credit does not allow all of it: less by whole multiples of this, which is above zero. */
  unit: PicoUsd;
  /** The key's cap when the request was admitted; absent or null: none. */
  monthlyCap?: PicoUsd | null;
}>;

/**
 * `held`: what is held for the request now. It is never less than before, and the same as before where the
 * credit does not allow one unit more. `gone`: there is no such hold any more.
 */
export type ExtendAnswer = Readonly<{ held: PicoUsd }> | 'gone';

/** How a request ended, as its usage row keeps it. Counts are tokens; times are ms. */
export type Usage = Readonly<{
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  member: MemberId | null;
  /** Where it came from: an application over the API, or the playground. */
  source: 'api' | 'playground';
  completionId: string;
  model: string;
  region: string;
  agent: AgentId | null;
  /** The engine's name on its agent. */
  worker: string | null;
  price: PriceId;
  promptTokens: number;
  cachedTokens: number;
  /** Whether the engine said how much was cached, or the router predicted it (MONEY 16). */
  cachedSource: 'reported' | 'predicted';
  completionTokens: number;
  reasoningTokens: number;
  ttftMs: number | null;
  durationMs: number;
  /** stop, length, tool_calls; null when the answer was not completed. */
  finishReason: string | null;
  /** The HTTP status the client got, or would have got (499: it had left). */
  status: number;
  /** The refusal's code when there was one. */
  error: string | null;
  /** Wall clock at arrival, ms since the epoch. */
  created: number;
}>;

/**
 * `settled`: the charge is durable, and `cost` is what was charged. `refused`: the hold was gone and the
 * account or the key's cap could not bear the charge, or the request was voided before: the answer is free and
 * must not be completed.
 */
export type SettleAnswer = Readonly<{ cost: PicoUsd }> | 'refused';

export interface Ledger {
  /** Holds credit for a request (MONEY 4, 6, 8, 11). */
  reserve(reservation: Reservation): Promise<ReserveAnswer>;
  /** Makes a hold as large as asked for, or as far as the credit goes. It may be asked again. */
  extend(extension: Extension): Promise<ExtendAnswer>;
  /**
   * Charges a request once and frees its hold (MONEY 12, 13). Idempotent by request id. `monthlyCap`: the key's
   * when the request was admitted, for what the hold does not pay.
   */
  settle(usage: Usage, cost: PicoUsd, monthlyCap?: PicoUsd | null): Promise<SettleAnswer>;
  /**
   * Ends a request free of charge: frees its hold and reverses any charge it finds (MONEY 14).
   * Idempotent by request id. `waivedTokens`: work that was done all the same, which is counted against the
   * organization for a minute (MONEY 15).
   */
  void(usage: Usage, waivedTokens?: number): Promise<void>;
  /** This process's incarnation, under which its holds stand (MONEY 19). */
  readonly incarnation: IncarnationId;
}
