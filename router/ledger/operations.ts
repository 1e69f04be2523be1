/** What the ledger sends to its store in batches, and what comes back: the hot path's own small language. */
import type {
  IncarnationId,
  KeyId,
  MemberId,
  OrganizationId,
  RequestId,
} from '../../shared/ids.ts';
import type { PicoUsd } from '../../shared/money.ts';
import type { Region } from '../../shared/wire/messages.ts';
import type {
  ExtendAnswer,
  Extension,
  PriceVersion,
  RateLimits,
  Reservation,
  ReserveAnswer,
  SettleAnswer,
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
  /** What an operator set for the organization, and what was set for the key; null where nothing was. */
  limits: RateLimits;
  keyLimits: RateLimits;
  /** What the key may spend in a calendar month (UTC); null: as much as its organization has. */
  monthlyCap: PicoUsd | null;
  /** The prices that were agreed with this organization, instead of the catalog's. */
  rates: readonly PriceVersion[];
}>;

/** `beat: DEAD_BEAT`: declared dead, its holds not all freed yet. */
export type Peer = Readonly<{
  id: IncarnationId;
  beat: bigint;
  /** Where agents reach it; null where they cannot, or should not any more. */
  url: string | null;
  /** The regions of its listeners, with commas between. */
  regions: string;
}>;

export type BeatAnswer = Readonly<{
  /** Whether the incarnation still counts; if not, its holds are gone or going. */
  alive: boolean;
  peers: readonly Peer[];
  /** The requests whose holds stand under the incarnation. */
  holds: readonly RequestId[];
  /** The organizations of these holds that are suspended: what runs for them is to end (MONEY 11). */
  suspended: readonly OrganizationId[];
}>;

type Kinds = {
  reserve: {
    ask: Readonly<{ reservation: Reservation; incarnation: IncarnationId; now: number }>;
    /** `dead`: the incarnation has been declared dead, so nothing can be held under it. */
    answer: ReserveAnswer | 'dead';
  };
  extend: { ask: Readonly<{ extension: Extension; now: number }>; answer: ExtendAnswer };
  settle: {
    /** `monthlyCap`: the key's when the request was admitted; absent or null: none. */
    ask: Readonly<{ usage: Usage; cost: PicoUsd; monthlyCap?: PicoUsd | null; now: number }>;
    answer: SettleAnswer;
  };
  /** `waived`: tokens of work that was done for it and counts against its organization. */
  void: { ask: Readonly<{ usage: Usage; waived?: number; now: number }>; answer: null };
  findKey: { ask: Readonly<{ digest: string }>; answer: KeyRecord | null };
  enlist: {
    ask: Readonly<{ incarnation: IncarnationId; url: string | null; regions: string; now: number }>;
    answer: null;
  };
  /** Where agents reach a router from now on: its peers tell them. */
  advertise: {
    ask: Readonly<{ incarnation: IncarnationId; url: string | null }>;
    answer: null;
  };
  beat: { ask: Readonly<{ incarnation: IncarnationId }>; answer: BeatAnswer };
  /**
   * Frees a hold of this incarnation that no request stands behind (MONEY 20); whether there was one. Each by
   * itself: where one cannot be freed, the others are.
   */
  free: {
    ask: Readonly<{ incarnation: IncarnationId; request: RequestId; now: number }>;
    answer: boolean;
  };
  /**
   * Ends an incarnation, a peer only if it has not beaten since (MONEY 19): it can hold nothing more. Answers some
   * of its holds, in the order of their requests and beyond `after`; `unknown` where there is none of this id.
   */
  sweep: {
    ask: Readonly<{ incarnation: IncarnationId; beat: bigint | 'any'; after: RequestId | null }>;
    answer: readonly RequestId[] | 'alive' | 'unknown';
  };
  /** Takes an ended incarnation off the store once none of its holds is left; whether it is. */
  remove: { ask: Readonly<{ incarnation: IncarnationId }>; answer: boolean };
};

export type Kind = keyof Kinds;
export type OperationOf<K extends Kind> = K extends Kind
  ? Readonly<{ kind: K }> & Kinds[K]['ask']
  : never;
export type AnswerTo<K extends Kind> = Kinds[K]['answer'];
export type Operation = { [K in Kind]: OperationOf<K> }[Kind];

/**
 * `fault`: our mistake, or damage in what is stored; the operation was undone alone, or, being a settlement, voided
 * its request.
 */
export type Outcome = Readonly<{ answer: AnswerTo<Kind> }> | Readonly<{ fault: string }>;

/** The beat of an incarnation that has been declared dead. */
export const DEAD_BEAT = -1n;

/** An instant as the store keeps it. */
export function milliseconds(time: number): bigint {
  return BigInt(Math.round(time));
}
