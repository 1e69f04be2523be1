/**
 * Frees the holds that nobody will settle (MONEY 19, 20): those of a peer that sends no heartbeat for
 * a whole TTL, which is declared dead, and our own that have no live request.
 */
import type { Clock } from '../../shared/clock.ts';
import type { IncarnationId, RequestId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Batcher } from './batch.ts';
import { type AnswerTo, DECLARED_DEAD, type Peer } from './operations.ts';
import { SWEEP_HOLDS_MAX } from './sweep.ts';
import { LedgerFault } from './terms.ts';

type Parts = Readonly<{
  batcher: Pick<Batcher, 'submit'>;
  clock: Clock;
  log: Log;
  isLive: (request: RequestId) => boolean;
}>;

type Config = Readonly<{ holdTtlMs: number; heartbeatMs: number }>;

export class HoldFreeing {
  readonly #parts: Parts;
  readonly #config: Config;
  /** Each peer's heartbeat counter, and when we first saw it at this value. */
  readonly #peers = new Map<IncarnationId, { beat: bigint; since: number }>();

  constructor(parts: Parts, config: Config) {
    this.#parts = parts;
    this.#config = config;
  }

  /** The TTLs of all peers start over. */
  startOver(): void {
    this.#peers.clear();
  }

  /**
   * Frees the holds in the list that have no live request by now. Such a request has ended since,
   * and freeing its hold does nothing, or its reservation was never answered. A reservation that is
   * submitted after this reaches the store after the `free` operations, so they cannot free its
   * hold.
   */
  async freeOrphans(incarnation: IncarnationId, holds: readonly RequestId[]): Promise<void> {
    const { isLive, log } = this.#parts;
    const orphans = holds.filter((request) => !isLive(request));
    for (let from = 0; from < orphans.length; from += SWEEP_HOLDS_MAX) {
      const freed = await this.#free(incarnation, orphans.slice(from, from + SWEEP_HOLDS_MAX));
      if (freed > 0)
        log.warn({ incarnation, holds: freed }, 'freed holds that had no live request');
    }
  }

  /**
   * Frees holds and returns how many there were. One that cannot be freed is logged, does not keep
   * the others from being freed, and is tried again with the next heartbeat.
   */
  async #free(incarnation: IncarnationId, requests: readonly RequestId[]): Promise<number> {
    const { batcher, clock, log } = this.#parts;
    const now = clock.now();
    const answers = await Promise.allSettled(
      requests.map((request) => batcher.submit({ kind: 'free', incarnation, request, now })),
    );
    let freed = 0;
    const faults: string[] = [];
    for (const answer of answers) {
      if (answer.status === 'fulfilled') freed += answer.value ? 1 : 0;
      else if (answer.reason instanceof LedgerFault) faults.push(answer.reason.message);
      else throw answer.reason;
    }
    if (faults.length > 0) {
      const fields = { incarnation, holds: faults.length, error: faults[0] };
      log.error(fields, 'failed to free holds; the next heartbeat tries again');
    }
    return freed;
  }

  /**
   * Sweeps the peers of `own` that are dead. `sent`: when the heartbeat that found `peers` was sent.
   * `gap`: the time since the one before, in ms.
   */
  async sweepPeers(
    own: IncarnationId,
    peers: readonly Peer[],
    { sent, gap }: { sent: number; gap: number },
  ): Promise<void> {
    const { clock } = this.#parts;
    // This process was suspended, or could not read, so it does not know if a peer was silent.
    if (gap > 2 * this.#config.heartbeatMs) this.#peers.clear();
    const present = new Set(peers.map(({ id }) => id));
    for (const id of this.#peers.keys()) if (!present.has(id)) this.#peers.delete(id);
    for (const { id, beat } of peers) {
      const seen = this.#peers.get(id);
      if (beat === DECLARED_DEAD) {
        await this.#sweepPeer({ id, beat, own });
      } else if (seen?.beat !== beat) {
        this.#peers.set(id, { beat, since: clock.monotonic() });
      } else if (sent - seen.since >= this.#config.holdTtlMs) {
        await this.#sweepPeer({ id, beat, own });
      }
    }
  }

  /** A peer that cannot be swept does not stop the others; the next heartbeat tries it again. */
  async #sweepPeer({
    id,
    beat,
    own,
  }: Pick<Peer, 'id' | 'beat'> & { own: IncarnationId }): Promise<void> {
    try {
      if (await this.sweep(id, { by: own, beat })) {
        this.#parts.log.warn({ incarnation: id }, 'freed the holds of a dead router');
      }
    } catch (error) {
      if (!(error instanceof LedgerFault)) throw error;
      this.#parts.log.error(
        { incarnation: id, err: error },
        'failed to free the holds of a dead router; the next heartbeat tries again',
      );
    }
  }

  /** Ends an incarnation, frees its holds and deletes it. Returns whether it was deleted. */
  async sweep(
    incarnation: IncarnationId,
    { by, beat }: { by: IncarnationId; beat: bigint | 'any' },
  ): Promise<boolean> {
    const { batcher, clock } = this.#parts;
    for (let after: RequestId | null = null; ; ) {
      const holds: AnswerTo<'sweep'> = await batcher.submit({
        kind: 'sweep',
        incarnation,
        by,
        beat,
        after,
        now: clock.now(),
      });
      if (holds === 'alive' || holds === 'unknown') return false;
      await this.#free(incarnation, holds);
      if (holds.length < SWEEP_HOLDS_MAX) break;
      after = holds.at(-1) ?? null;
    }
    return await batcher.submit({ kind: 'remove', incarnation });
  }
}
