/**
 * The liveness of holds (MONEY 19, 20). The holds of this process belong to an incarnation that
 * sends heartbeats. Each heartbeat also frees the holds that nobody will settle (`hold-freeing.ts`).
 * All times are measured with this process's monotonic clock.
 */
import { BUILD } from '../../shared/build.ts';
import type { Clock, Timer } from '../../shared/clock.ts';
import {
  type IncarnationId,
  mintId,
  type OrganizationId,
  type RequestId,
} from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import type { Batcher } from './batch.ts';
import { HoldFreeing } from './hold-freeing.ts';
import { DECLARED_DEAD, type Peer } from './operations.ts';
import { StoreUnavailable } from './terms.ts';

export type IncarnationConfig = Readonly<{
  /** The URL at which agents reach this router; null while it is not known. */
  url: string | null;
  regions: readonly Region[];
  holdTtlMs: number;
  heartbeatMs: number;
}>;

export type IncarnationParts = Readonly<{
  batcher: Pick<Batcher, 'submit'>;
  clock: Clock;
  random: Random;
  log: Log;
  /** Whether the request that has this hold is live. */
  isLive: (request: RequestId) => boolean;
  /** Called when others may free our holds from now on: running requests must end unsettled. */
  onUnhealthy: () => void;
  /** Called for a suspended organization that has open holds here. */
  onSuspended: (organization: OrganizationId) => void;
}>;

/** Another router that is not known to be dead, with the URL at which agents reach it. */
export type RouterPeer = Readonly<{ url: string; regions: readonly string[] }>;

export class Incarnation implements AsyncDisposable {
  readonly #parts: IncarnationParts;
  readonly #config: IncarnationConfig;
  readonly #freeing: HoldFreeing;
  #id: IncarnationId;
  /** The URL at which agents reach this router; null before it listens and once it is stopping. */
  #url: string | null;
  /** The URL that the store has. */
  #advertised: string | null;
  /** When the last successful heartbeat was sent; peers cannot have seen it earlier. */
  #lastHeartbeat = Number.NEGATIVE_INFINITY;
  #healthy = true;
  #ended = false;
  #heartbeatInFlight: Promise<void> | null = null;
  #timer: Timer | null = null;
  #alarm: Timer | null = null;
  #reachable: readonly RouterPeer[] = [];
  #onPeers: (peers: readonly RouterPeer[]) => void = () => {};

  private constructor(parts: IncarnationParts, config: IncarnationConfig) {
    this.#parts = parts;
    this.#config = config;
    this.#freeing = new HoldFreeing(parts, config);
    this.#url = config.url;
    this.#advertised = config.url;
    this.#id = mintId('incarnation', parts.clock, parts.random);
  }

  /** Rejects with StoreUnavailable when the incarnation cannot be registered in the store. */
  static async begin(parts: IncarnationParts, config: IncarnationConfig): Promise<Incarnation> {
    const incarnation = new Incarnation(parts, config);
    await incarnation.#register();
    await incarnation.heartbeat();
    incarnation.#timer = parts.clock.every(config.heartbeatMs, () => void incarnation.heartbeat());
    return incarnation;
  }

  get id(): IncarnationId {
    return this.#id;
  }

  isHealthy(): boolean {
    return this.#parts.clock.monotonic() - this.#lastHeartbeat < this.#config.holdTtlMs / 2;
  }

  get liveness(): Readonly<{ heartbeatAgeMs: number; holdTtlMs: number; peers: number }> {
    return {
      heartbeatAgeMs: this.#parts.clock.monotonic() - this.#lastHeartbeat,
      holdTtlMs: this.#config.holdTtlMs,
      peers: this.#reachable.length,
    };
  }

  /** Calls `listener` now and after each heartbeat with the other routers for agents to use. */
  watchPeers(listener: (peers: readonly RouterPeer[]) => void): void {
    this.#onPeers = listener;
    listener(this.#reachable);
  }

  /**
   * Sends a heartbeat, or waits for the one in flight. Never rejects. Once the incarnation has ended
   * it does nothing: the store would answer that it is dead, and a new one would begin.
   */
  heartbeat(): Promise<void> {
    if (this.#ended) return this.#heartbeatInFlight ?? Promise.resolve();
    this.#heartbeatInFlight ??= this.#heartbeatOnce().finally(() => {
      this.#heartbeatInFlight = null;
    });
    return this.#heartbeatInFlight;
  }

  /**
   * Call this when the store answers that the incarnation is dead: its holds are no longer ours.
   */
  lost(): Promise<void> {
    this.#lastHeartbeat = Number.NEGATIVE_INFINITY;
    this.#raiseAlarm();
    return this.heartbeat();
  }

  /** Publishes the URL at which agents reach this router; null withdraws it. Never rejects. */
  async advertise(url: string | null): Promise<void> {
    this.#url = url;
    try {
      await this.#parts.batcher.submit({ kind: 'advertise', incarnation: this.#id, url });
      this.#advertised = url;
    } catch (error) {
      this.#parts.log.warn(
        { incarnation: this.#id, err: error },
        'failed to publish the URL of this router to its peers',
      );
    }
  }

  /** Ends the incarnation and frees its holds. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#timer?.cancel();
    await this.#heartbeatInFlight;
    this.#alarm?.cancel();
    try {
      await this.#freeing.sweep(this.#id, { by: this.#id, beat: 'any' });
    } catch (error) {
      this.#parts.log.warn(
        { incarnation: this.#id, err: error },
        'failed to end the incarnation; its peers will free its holds',
      );
    }
  }

  async #heartbeatOnce(): Promise<void> {
    const { batcher, clock, log } = this.#parts;
    const sent = clock.monotonic();
    try {
      const { alive, peers, holds, suspended } = await batcher.submit({
        kind: 'heartbeat',
        incarnation: this.#id,
      });
      if (!alive && this.#ended) return;
      if (!alive) return await this.#beginAgain();
      if (this.#advertised !== this.#url) void this.advertise(this.#url);
      const gap = sent - this.#lastHeartbeat;
      this.#succeeded(sent);
      for (const organization of suspended) this.#parts.onSuspended(organization);
      this.#reachable = peers.flatMap(reachable);
      this.#onPeers(this.#reachable);
      await this.#freeing.freeOrphans(this.#id, holds);
      await this.#freeing.sweepPeers(this.#id, peers, { sent, gap });
    } catch (error) {
      // The outage that stopped our heartbeats may have stopped those of the peers too, so their
      // TTLs start over.
      this.#freeing.startOver();
      const fields = { incarnation: this.#id, err: error };
      if (error instanceof StoreUnavailable)
        log.warn(fields, 'heartbeat failed: the store was unavailable');
      else log.error(fields, 'heartbeat failed');
    }
  }

  async #register(): Promise<void> {
    const { batcher, clock } = this.#parts;
    const { regions } = this.#config;
    const url = this.#url;
    const sent = clock.monotonic();
    await batcher.submit({
      kind: 'register',
      incarnation: this.#id,
      url,
      regions: regions.join(','),
      version: BUILD.version,
      now: clock.now(),
    });
    this.#advertised = url;
    this.#succeeded(sent);
  }

  /** Registers under a new id. No id is used twice, so conclusions about the old one stay true. */
  async #beginAgain(): Promise<void> {
    this.#lastHeartbeat = Number.NEGATIVE_INFINITY;
    this.#raiseAlarm();
    const dead = this.#id;
    this.#id = mintId('incarnation', this.#parts.clock, this.#parts.random);
    await this.#register();
    this.#parts.log.error(
      { dead, incarnation: this.#id },
      'router was declared dead by a peer and registered again',
    );
  }

  #succeeded(sent: number): void {
    const { clock, log } = this.#parts;
    this.#lastHeartbeat = sent;
    if (!this.#healthy)
      log.info(
        { incarnation: this.#id },
        'router resumed accepting requests: a heartbeat succeeded',
      );
    this.#healthy = true;
    this.#alarm?.cancel();
    const rest = this.#config.holdTtlMs / 2 - (clock.monotonic() - sent);
    this.#alarm = clock.after(Math.max(0, rest), () => this.#raiseAlarm());
  }

  #raiseAlarm(): void {
    if (!this.#healthy || this.isHealthy()) return;
    this.#healthy = false;
    this.#parts.log.error(
      { incarnation: this.#id },
      'router stopped accepting requests: no heartbeat succeeded for half of holdTtlMs, or it was declared dead',
    );
    this.#parts.onUnhealthy();
  }
}

function reachable({ beat, url, regions }: Peer): RouterPeer[] {
  return url === null || beat === DECLARED_DEAD ? [] : [{ url, regions: regions.split(',') }];
}
