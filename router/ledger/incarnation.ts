/**
 * The liveness of holds (MONEY 19, 20). This process's holds stand under an incarnation that beats; peers
 * that have not beaten for a whole time to live are ended and their holds freed; and each beat frees our own
 * holds that no request stands behind. Decisions rest on our monotonic clock alone.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import {
  type IncarnationId,
  mintId,
  type OrganizationId,
  type RequestId,
} from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/wire/messages.ts';
import type { Batcher } from './batch.ts';
import { DEAD_BEAT, type Peer } from './operations.ts';
import { StoreUnavailable } from './terms.ts';

export type IncarnationConfig = Readonly<{
  /** Where the agents reach this router; null while that is not known. */
  url: string | null;
  regions: readonly Region[];
  holdTtlMs: number;
  beatMs: number;
}>;

export type IncarnationParts = Readonly<{
  batcher: Pick<Batcher, 'submit'>;
  clock: Clock;
  random: Random;
  log: Log;
  /** Whether a request stands behind this hold. */
  isLive: (request: RequestId) => boolean;
  /** Holds may be freed by others from now on: what runs must end unsettled. */
  onUnhealthy: () => void;
  /** The organization is suspended, and holds of it are open here. */
  onSuspended: (organization: OrganizationId) => void;
}>;

/** Another router that is not known to be dead, and where agents reach it. */
export type RouterPeer = Readonly<{ url: string; regions: readonly string[] }>;

const FREE_AT_ONCE_MAX = 500;

export class Incarnation implements AsyncDisposable {
  readonly #parts: IncarnationParts;
  readonly #config: IncarnationConfig;
  #id: IncarnationId;
  /** Where agents reach this router; null before it listens and once it is about to go. */
  #url: string | null;
  /** What of it the store has. */
  #advertised: string | null;
  /** When the last beat that succeeded was sent: peers saw it no earlier. */
  #lastBeat = Number.NEGATIVE_INFINITY;
  #healthy = true;
  #beating: Promise<void> | null = null;
  #ticks: Timer | null = null;
  #alarm: Timer | null = null;
  #reachable: readonly RouterPeer[] = [];
  #hearPeers: (peers: readonly RouterPeer[]) => void = () => {};
  /** Each peer's beat, and since when we have seen it unchanged. */
  readonly #peers = new Map<IncarnationId, { beat: bigint; since: number }>();

  private constructor(parts: IncarnationParts, config: IncarnationConfig) {
    this.#parts = parts;
    this.#config = config;
    this.#url = config.url;
    this.#advertised = config.url;
    this.#id = mintId('incarnation', parts.clock, parts.random);
  }

  /** Rejects with StoreUnavailable when it cannot be entered in the store. */
  static async begin(parts: IncarnationParts, config: IncarnationConfig): Promise<Incarnation> {
    const incarnation = new Incarnation(parts, config);
    await incarnation.#enlist();
    await incarnation.beat();
    incarnation.#ticks = parts.clock.every(config.beatMs, () => void incarnation.beat());
    return incarnation;
  }

  get id(): IncarnationId {
    return this.#id;
  }

  isHealthy(): boolean {
    return this.#parts.clock.monotonic() - this.#lastBeat < this.#config.holdTtlMs / 2;
  }

  /** Calls `hear` now and with each beat: the other routers that agents may be sent to. */
  watchPeers(hear: (peers: readonly RouterPeer[]) => void): void {
    this.#hearPeers = hear;
    hear(this.#reachable);
  }

  /** One beat, or the one that is under way; never rejects. */
  beat(): Promise<void> {
    this.#beating ??= this.#beatOnce().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  /** The store said that this incarnation is dead: its holds are no longer ours. */
  lost(): Promise<void> {
    this.#lastBeat = Number.NEGATIVE_INFINITY;
    this.#raiseAlarm();
    return this.beat();
  }

  /** Where agents reach this router from now on, for its peers to tell; null: no more. Never rejects. */
  async advertise(url: string | null): Promise<void> {
    this.#url = url;
    try {
      await this.#parts.batcher.submit({ kind: 'advertise', incarnation: this.#id, url });
      this.#advertised = url;
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'peers do not know where this router is');
    }
  }

  /** Ends it of its own will: its holds are freed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ticks?.cancel();
    this.#alarm?.cancel();
    await this.#beating;
    try {
      await this.#sweep(this.#id, 'any');
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'left to be swept by others');
    }
  }

  async #beatOnce(): Promise<void> {
    const { batcher, clock, log } = this.#parts;
    const sent = clock.monotonic();
    try {
      const { alive, peers, holds, suspended } = await batcher.submit({
        kind: 'beat',
        incarnation: this.#id,
      });
      if (!alive) return await this.#beginAgain();
      if (this.#advertised !== this.#url) void this.advertise(this.#url);
      const gap = sent - this.#lastBeat;
      this.#succeeded(sent);
      for (const organization of suspended) this.#parts.onSuspended(organization);
      this.#reachable = peers.flatMap(reachable);
      this.#hearPeers(this.#reachable);
      await this.#freeOrphans(holds);
      await this.#sweepPeers(peers, { sent, gap });
    } catch (error) {
      // An outage that kept us from beating may have kept the peers from it: their time starts over.
      this.#peers.clear();
      const fields = { error: String(error) };
      if (error instanceof StoreUnavailable) log.warn(fields, 'no beat: the store is unavailable');
      else log.error(fields, 'no beat');
    }
  }

  async #enlist(): Promise<void> {
    const { batcher, clock } = this.#parts;
    const { regions } = this.#config;
    const url = this.#url;
    const sent = clock.monotonic();
    await batcher.submit({
      kind: 'enlist',
      incarnation: this.#id,
      url,
      regions: regions.join(','),
      now: clock.now(),
    });
    this.#advertised = url;
    this.#succeeded(sent);
  }

  /** An id is never used again: what others concluded about the old one stays true. */
  async #beginAgain(): Promise<void> {
    this.#lastBeat = Number.NEGATIVE_INFINITY;
    this.#raiseAlarm();
    const dead = this.#id;
    this.#id = mintId('incarnation', this.#parts.clock, this.#parts.random);
    await this.#enlist();
    this.#parts.log.error({ dead, incarnation: this.#id }, 'declared dead by a peer: began again');
  }

  #succeeded(sent: number): void {
    const { clock, log } = this.#parts;
    this.#lastBeat = sent;
    if (!this.#healthy) log.info({ incarnation: this.#id }, 'beating again');
    this.#healthy = true;
    this.#alarm?.cancel();
    const rest = this.#config.holdTtlMs / 2 - (clock.monotonic() - sent);
    this.#alarm = clock.after(Math.max(0, rest), () => this.#raiseAlarm());
  }

  #raiseAlarm(): void {
    if (!this.#healthy || this.isHealthy()) return;
    this.#healthy = false;
    this.#parts.log.error({ incarnation: this.#id }, 'no beat for half a time to live');
    this.#parts.onUnhealthy();
  }

  /**
   * What was listed and is not live by now has ended since (freeing it is then a no-op), or was never
   * answered. A reservation asked for after this is sent after it, so it cannot be hit.
   */
  async #freeOrphans(holds: readonly RequestId[]): Promise<void> {
    const { batcher, clock, isLive, log } = this.#parts;
    const orphans = holds.filter((request) => !isLive(request));
    for (let from = 0; from < orphans.length; from += FREE_AT_ONCE_MAX) {
      const requests = orphans.slice(from, from + FREE_AT_ONCE_MAX);
      const freed = await batcher.submit({
        kind: 'free',
        incarnation: this.#id,
        requests,
        now: clock.now(),
      });
      if (freed > 0) log.warn({ holds: freed }, 'freed holds with no live request');
    }
  }

  async #sweepPeers(
    peers: readonly Peer[],
    { sent, gap }: { sent: number; gap: number },
  ): Promise<void> {
    const { clock } = this.#parts;
    // We were asleep, or could not read: then we cannot say that a peer did not beat.
    if (gap > 2 * this.#config.beatMs) this.#peers.clear();
    const present = new Set(peers.map(({ id }) => id));
    for (const id of this.#peers.keys()) if (!present.has(id)) this.#peers.delete(id);
    for (const { id, beat } of peers) {
      const seen = this.#peers.get(id);
      if (beat === DEAD_BEAT) {
        await this.#sweep(id, beat);
      } else if (seen?.beat !== beat) {
        this.#peers.set(id, { beat, since: clock.monotonic() });
      } else if (sent - seen.since >= this.#config.holdTtlMs) {
        await this.#sweep(id, beat);
      }
    }
  }

  async #sweep(incarnation: IncarnationId, beat: bigint | 'any'): Promise<void> {
    const { batcher, clock } = this.#parts;
    let left = 'more';
    while (left === 'more') {
      left = await batcher.submit({ kind: 'sweep', incarnation, beat, now: clock.now() });
    }
    if (left === 'done' && incarnation !== this.#id) {
      this.#parts.log.warn({ incarnation }, "swept a dead router's holds");
    }
  }
}

function reachable({ beat, url, regions }: Peer): RouterPeer[] {
  return url === null || beat === DEAD_BEAT ? [] : [{ url, regions: regions.split(',') }];
}
