/** The operations that the ledger sends to its store in batches, and their answers. */
import type {
  IncarnationId,
  KeyId,
  MemberId,
  OrganizationId,
  RequestId,
} from '../../shared/ids.ts';
import type { PicoUsd } from '../../shared/money.ts';
import type { Region } from '../../shared/region.ts';
import type { AllowedModels } from './allowed-models.ts';
import type {
  AdmittedUnder,
  Claim,
  ExtendAnswer,
  Extension,
  Limits,
  PriceVersion,
  RateLimits,
  Reservation,
  ReserveAnswer,
  SettleAnswer,
  Standings,
  Usage,
} from './terms.ts';

/** A key and its organization as the data plane needs them. */
export type KeyRecord = Readonly<{
  key: KeyId;
  organization: OrganizationId;
  region: Region;
  state: 'active' | 'revoked' | 'deleted';
  active: boolean;
  suspended: boolean;
  epoch: bigint;
  member: MemberId | null;
  source: 'api' | 'playground';
  /** ms since the epoch; null: never. */
  expires: number | null;
  /** The organization's limits that an operator set, and the key's limits; null: none was set. */
  limits: RateLimits;
  keyLimits: RateLimits;
  /** The most that the key may spend in a calendar month and in a day (UTC); null: no cap. */
  monthlyCap: PicoUsd | null;
  dailyCap: PicoUsd | null;
  allowedModels: AllowedModels;
  /** The prices agreed with this organization, which replace those of the catalog. */
  rates: readonly PriceVersion[];
}>;

/**
 * Another router. Its `beat` is DECLARED_DEAD from the time when it was declared dead until all its
 * holds are freed.
 */
export type Peer = Readonly<{
  id: IncarnationId;
  beat: bigint;
  /** The URL at which agents reach the router; null if they cannot, or should not any more. */
  url: string | null;
  /** The regions of its listeners, separated by commas. */
  regions: string;
}>;

export type HeartbeatAnswer = Readonly<{
  /** Whether the incarnation is alive; if not, its holds are freed or being freed. */
  alive: boolean;
  peers: readonly Peer[];
  /** The requests that have a hold under the incarnation. */
  holds: readonly RequestId[];
  /** The suspended organizations among those holds: their requests are to end (MONEY 11). */
  suspended: readonly OrganizationId[];
}>;

/** The limits in force for a key, as they are known to whoever asks what is left of them. */
export type KeyLimitsQuery = Readonly<{
  organization: OrganizationId;
  key: KeyId;
  limits: Limits;
}>;

/** What a key has used of its limits. */
export type KeyStanding = Readonly<{
  name: string;
  /** The part of its value that lists show. */
  label: string;
  /** Spent in this calendar month and on this day (UTC), and held now. */
  spent: PicoUsd;
  today: PicoUsd;
  held: PicoUsd;
  standings: Standings;
}>;

type Kinds = {
  reserve: {
    query: Readonly<{ reservation: Reservation; incarnation: IncarnationId; now: number }>;
    /** `dead`: the incarnation has been declared dead, so nothing can be held under it. */
    answer: ReserveAnswer | 'dead';
  };
  extend: { query: Readonly<{ extension: Extension; now: number }>; answer: ExtendAnswer };
  settle: {
    query: Readonly<{ usage: Usage; cost: PicoUsd; now: number }> & AdmittedUnder;
    answer: SettleAnswer;
  };
  /** `waived`: tokens of work not charged, which count against the organization (MONEY 15). */
  void: {
    query: Readonly<{ usage: Usage; waived?: number; claim?: Claim | null; now: number }>;
    answer: null;
  };
  findKey: { query: Readonly<{ digest: string }>; answer: KeyRecord | null };
  keyStanding: { query: KeyLimitsQuery & Readonly<{ now: number }>; answer: KeyStanding };
  register: {
    query: Readonly<{
      incarnation: IncarnationId;
      url: string | null;
      regions: string;
      /** The version of Penstock that the router runs. */
      version: string;
      now: number;
    }>;
    answer: null;
  };
  /** Publishes the URL at which agents reach a router, for its peers to pass on. */
  advertise: {
    query: Readonly<{ incarnation: IncarnationId; url: string | null }>;
    answer: null;
  };
  heartbeat: { query: Readonly<{ incarnation: IncarnationId }>; answer: HeartbeatAnswer };
  /**
   * Frees a hold of this incarnation that has no live request (MONEY 20), and answers whether there
   * was such a hold. Each hold is an operation of its own, so that one that cannot be freed does
   * not stop the others.
   */
  free: {
    query: Readonly<{ incarnation: IncarnationId; request: RequestId; now: number }>;
    answer: boolean;
  };
  /**
   * Declares an incarnation dead: it can make no more holds (MONEY 19). `by`: who declares it, which
   * is itself when it signs off. `alive`: nothing was done, because its heartbeat counter is not
   * `beat` any more. `unknown`: there is no such incarnation. Otherwise answers some of the requests
   * that have a hold under it, in the order of their ids, after `after`.
   */
  sweep: {
    query: Readonly<{
      incarnation: IncarnationId;
      by: IncarnationId;
      beat: bigint | 'any';
      after: RequestId | null;
      now: number;
    }>;
    answer: readonly RequestId[] | 'alive' | 'unknown';
  };
  /** Deletes a dead incarnation once it has no holds left. Answers whether it was deleted. */
  remove: { query: Readonly<{ incarnation: IncarnationId }>; answer: boolean };
};

export type Kind = keyof Kinds;
export type OperationOf<K extends Kind> = K extends Kind
  ? Readonly<{ kind: K }> & Kinds[K]['query']
  : never;
export type AnswerTo<K extends Kind> = Kinds[K]['answer'];
export type Operation = { [K in Kind]: OperationOf<K> }[Kind];

/**
 * `fault`: a bug of ours, or damage in the stored data. Only this operation was undone; a
 * settlement has voided its request instead.
 */
export type Outcome = Readonly<{ answer: AnswerTo<Kind> }> | Readonly<{ fault: string }>;

/** The heartbeat counter of an incarnation that has been declared dead. */
export const DECLARED_DEAD = -1n;
