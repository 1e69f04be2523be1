/**
 * The ledger of one router: the operations of the request path, the router's incarnation and its
 * live requests.
 */
import type { Clock } from '../../shared/clock.ts';
import type { IncarnationId, KeyId, OrganizationId, RequestId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { PicoUsd } from '../../shared/money.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import type { Store } from '../store/store.ts';
import { Batcher, type BatchReport } from './batch.ts';
import { Incarnation, type RouterPeer } from './incarnation.ts';
import { KeyTouches } from './key-touches.ts';
import type {
  AnswerTo,
  KeyLimitsQuery,
  KeyRecord,
  KeyStanding,
  Kind,
  OperationOf,
} from './operations.ts';
import {
  type AdmittedUnder,
  type Claim,
  type ExtendAnswer,
  type Extension,
  type Ledger,
  type Reservation,
  type ReserveAnswer,
  type SettleAnswer,
  StoreUnavailable,
  type Usage,
} from './terms.ts';

export type LedgerConfig = Readonly<{
  /** The URL at which agents reach this router, for its peers to pass on; null if there is none. */
  url: string | null;
  regions: readonly Region[];
  /**
   * How long a router may go without a heartbeat before its peers free its holds, in ms; 30,000 by
   * default. It sends six heartbeats in that time.
   */
  holdTtlMs?: number;
}>;

export type LedgerParts = Readonly<{
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** Called after half a TTL without a heartbeat: requests must end unsettled (MONEY 20). */
  onUnhealthy?: () => void;
  /** Called for a suspended organization with open holds: its requests are to be cut (MONEY 11). */
  onSuspended?: (organization: OrganizationId) => void;
  onBatch?: (report: BatchReport) => void;
  /** Called when the store did not answer a batch. */
  onLost?: () => void;
  /** Called when an operation of this kind failed by a bug of ours or damage in the stored data. */
  onFault?: (kind: Kind) => void;
  /** Returns why new holds are refused, whatever the store's state; null if they are not. */
  refusesHolds?: () => string | null;
}>;

export interface OpenLedger extends Ledger, AsyncDisposable {
  /** Returns the key with this digest and its organization, in any state; null if there is none. */
  findKey(digest: string): Promise<KeyRecord | null>;
  /** Returns what a key has used of its limits by now. */
  keyStanding(ask: KeyLimitsQuery): Promise<KeyStanding>;
  /** Records that the key was used now. Writes only memory; the store follows within seconds. */
  touchKey(key: KeyId): void;
  /** False after half a TTL without a heartbeat: no new holds, and requests must end unsettled. */
  isHealthy(): boolean;
  /** How the heartbeat does, and how many other routers the last one named. */
  readonly liveness: Readonly<{ heartbeatAgeMs: number; holdTtlMs: number; peers: number }>;
  /** How many requests have started a reservation and have not ended. */
  readonly openHolds: number;
  /**
   * Publishes the URL at which agents reach this router, for its peers to pass on; null withdraws
   * it. Never rejects.
   */
  advertise(url: string | null): Promise<void>;
  /** Calls `hear` now and after each heartbeat with the other routers for agents to use. */
  watchPeers(hear: (peers: readonly RouterPeer[]) => void): void;
  /** Sends a heartbeat now, as the ledger's own timer does. Never rejects. */
  heartbeat(): Promise<void>;
}

const HOLD_TTL_MS = 30_000;
const HEARTBEATS_PER_TTL = 6;
const TRIED_AGAIN_MS_MAX = 10_000;

/**
 * Opens the ledger under a new incarnation. Disposing of it frees the holds that are still open, so
 * end all requests first. Rejects with StoreUnavailable when the store does not answer.
 */
export async function openLedger(parts: LedgerParts, config: LedgerConfig): Promise<OpenLedger> {
  const { store, clock, random, log } = parts;
  const holdTtlMs = config.holdTtlMs ?? HOLD_TTL_MS;
  const live = new Set<RequestId>();
  let lost = false;
  const batcher = new Batcher({
    store,
    clock,
    onBatch(report) {
      if (lost) log.info('ledger batch succeeded again');
      lost = false;
      parts.onBatch?.(report);
    },
    onLost(error, operations) {
      if (!lost) log.warn({ operations, err: error }, 'ledger batch failed');
      lost = true;
      parts.onLost?.();
    },
    onFault(operation, fault) {
      parts.onFault?.(operation.kind);
      // `Incarnation` logs all faults of its `free` operations in one line.
      if (operation.kind === 'free') return;
      log.error({ operation: operation.kind, error: fault }, 'ledger operation failed');
    },
  });
  await using undo = new AsyncDisposableStack();
  const touches = undo.use(new KeyTouches({ store, clock, log }));
  const incarnation = undo.use(
    await Incarnation.begin(
      {
        batcher,
        clock,
        random,
        log,
        isLive: (request) => live.has(request),
        onUnhealthy: parts.onUnhealthy ?? (() => {}),
        onSuspended: parts.onSuspended ?? (() => {}),
      },
      {
        url: config.url,
        regions: config.regions,
        holdTtlMs,
        heartbeatMs: holdTtlMs / HEARTBEATS_PER_TTL,
      },
    ),
  );
  const { refusesHolds = () => null } = parts;
  const inside = { batcher, clock, live, incarnation, touches, refusesHolds };
  return new StoreLedger({ ...inside, undo: undo.move() });
}

type Inside = Readonly<{
  batcher: Batcher;
  clock: Clock;
  /**
   * The requests that may have a hold. A request stays until it has certainly ended, or until
   * nobody will try to end it again; the next heartbeat then frees the hold that it may have left.
   */
  live: Set<RequestId>;
  incarnation: Incarnation;
  touches: KeyTouches;
  refusesHolds: () => string | null;
  undo: AsyncDisposableStack;
}>;

class StoreLedger implements OpenLedger {
  readonly #in: Inside;
  /**
   * Requests whose ending the store did not accept, with the monotonic time of the last attempt. A
   * full disk may still have room for a hold, but a request admitted then could not be charged.
   */
  readonly #unkept = new Map<RequestId, number>();

  constructor(inside: Inside) {
    this.#in = inside;
  }

  get incarnation(): IncarnationId {
    return this.#in.incarnation.id;
  }

  get openHolds(): number {
    return this.#in.live.size;
  }

  get liveness(): OpenLedger['liveness'] {
    return this.#in.incarnation.liveness;
  }

  isHealthy(): boolean {
    return this.#in.incarnation.isHealthy();
  }

  heartbeat(): Promise<void> {
    return this.#in.incarnation.heartbeat();
  }

  advertise(url: string | null): Promise<void> {
    return this.#in.incarnation.advertise(url);
  }

  watchPeers(hear: (peers: readonly RouterPeer[]) => void): void {
    this.#in.incarnation.watchPeers(hear);
  }

  async reserve(reservation: Reservation): Promise<ReserveAnswer> {
    const { batcher, clock, live, incarnation } = this.#in;
    const { request } = reservation;
    if (!incarnation.isHealthy()) throw new StoreUnavailable('no heartbeat for half of holdTtlMs');
    const refused = this.#in.refusesHolds();
    if (refused !== null) throw new StoreUnavailable(refused);
    if (!this.#canCharge())
      throw new StoreUnavailable('the end of an earlier request could not be stored');
    live.add(request);
    let answer: ReserveAnswer | 'dead' | 'unknown' = 'unknown';
    try {
      answer = await batcher.submit({
        kind: 'reserve',
        reservation,
        incarnation: incarnation.id,
        now: clock.now(),
      });
    } finally {
      if (!isHeld(answer)) live.delete(request);
    }
    if (answer === 'dead') {
      void incarnation.lost();
      throw new StoreUnavailable('this router was declared dead by a peer');
    }
    return answer;
  }

  extend(extension: Extension): Promise<ExtendAnswer> {
    const { batcher, clock } = this.#in;
    return batcher.submit({ kind: 'extend', extension, now: clock.now() });
  }

  /** After StoreUnavailable the request is still live: settle it again, or void it. */
  async settle(usage: Usage, cost: PicoUsd, under: AdmittedUnder = {}): Promise<SettleAnswer> {
    const { clock, live } = this.#in;
    const now = clock.now();
    try {
      const answer = await this.#end({ kind: 'settle', usage, cost, ...under, now });
      live.delete(usage.request);
      return answer;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) live.delete(usage.request);
      throw error;
    }
  }

  /** After StoreUnavailable, call again; otherwise the next heartbeat frees the hold. */
  async void(usage: Usage, waivedTokens = 0, claim: Claim | null = null): Promise<void> {
    const { clock, live } = this.#in;
    try {
      await this.#end({ kind: 'void', usage, waived: waivedTokens, claim, now: clock.now() });
    } finally {
      live.delete(usage.request);
    }
  }

  async #end<K extends 'settle' | 'void'>(operation: OperationOf<K>): Promise<AnswerTo<K>> {
    const { batcher, clock } = this.#in;
    const { request } = operation.usage;
    try {
      const answer = await batcher.submit<K>(operation);
      this.#unkept.delete(request);
      return answer;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#unkept.set(request, clock.monotonic());
      else this.#unkept.delete(request);
      throw error;
    }
  }

  /**
   * False while an ending has failed within the last 10 seconds. Callers retry sooner than that, so
   * an older failure says nothing about the store.
   */
  #canCharge(): boolean {
    const since = this.#in.clock.monotonic() - TRIED_AGAIN_MS_MAX;
    for (const [request, triedAt] of this.#unkept) {
      if (triedAt > since) return false;
      this.#unkept.delete(request);
    }
    return true;
  }

  findKey(digest: string): Promise<KeyRecord | null> {
    return this.#in.batcher.submit({ kind: 'findKey', digest });
  }

  keyStanding(ask: KeyLimitsQuery): Promise<KeyStanding> {
    const { batcher, clock } = this.#in;
    return batcher.submit({ kind: 'keyStanding', ...ask, now: clock.now() });
  }

  touchKey(key: KeyId): void {
    this.#in.touches.touch(key);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#in.undo.disposeAsync();
  }
}

function isHeld(answer: ReserveAnswer | 'dead' | 'unknown'): boolean {
  return typeof answer === 'object' && 'held' in answer;
}
