/**
 * Requests under an Idempotency-Key, on one router. The first runs to its end, even if its client
 * leaves. A repeat waits for that end, and gets the same answer. If the first fails, it was free,
 * and a repeat runs in its place.
 *
 * The ledger charges a key once on all routers and for longer (MONEY 27); it has no answers.
 */
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { Refusal } from '../../../shared/refusals.ts';
import type { Claim } from '../../ledger/terms.ts';
import type { Call } from '../call.ts';
import type { RequestLabels, RequestMetrics } from '../metrics.ts';
import { identityOf, type Reply } from '../reply.ts';
import { keyReused } from './claim.ts';
import { type Answered, KeptAnswer, KeptAnswers } from './kept-answers.ts';

type UnderWay = { readonly of: Answered; readonly over: Promise<void>; waiting: number };

export type RepeatsParts = Readonly<{
  clock: Clock;
  metrics: Pick<RequestMetrics, 'replayed' | 'leftUnserved'>;
}>;

type Asking = Readonly<{
  call: Call;
  organization: OrganizationId;
  labels: RequestLabels & Readonly<{ model: string }>;
  reply: Reply;
}>;

export class Repeats {
  readonly kept: KeptAnswers;
  readonly #metrics: RepeatsParts['metrics'];
  readonly #rates: PeerRates<OrganizationId>;
  readonly #underWay = new Map<string, UnderWay>();

  constructor({ clock, metrics }: RepeatsParts) {
    this.kept = new KeptAnswers(clock);
    this.#metrics = metrics;
    this.#rates = new PeerRates(clock, limits.replays);
  }

  /**
   * Gives a request its turn, which must be disposed of when the request has ended. `ended`: it got
   * the answer of an earlier request, or its client left while it waited for one.
   */
  async enter(claim: Claim, asking: Asking): Promise<Disposable | Refusal | 'ended'> {
    const { call, organization, labels, reply } = asking;
    const of: Answered = { id: call.id, organization, ...claim };
    for (;;) {
      const first = this.kept.find(of) ?? this.#underWay.get(claim.digest);
      if (first === undefined) return this.#begin(of, reply);
      if (first.of.body !== claim.body) return keyReused();
      if (first instanceof KeptAnswer) {
        if (!this.#rates.spend(organization, first.size)) return tooManyReplays(first);
        this.#metrics.replayed(labels.model);
        replay(first, reply);
        return 'ended';
      }
      if (first.waiting >= limits.repeatsWaitingMax) return tooManyWait();
      if (await isOverBefore(first, reply)) continue;
      this.#metrics.leftUnserved(labels);
      return 'ended';
    }
  }

  #begin(of: Answered, reply: Reply): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#underWay.set(of.digest, { of, over: promise, waiting: 0 });
    reply.outliveClient((pieces) => this.kept.keep(of, pieces));
    return {
      [Symbol.dispose]: () => {
        this.#underWay.delete(of.digest);
        reply.release();
        resolve();
      },
    };
  }
}

function replay(answer: KeptAnswer, reply: Reply): void {
  const headers = { ...identityOf(reply.api, answer.of.id), 'idempotent-replayed': 'true' };
  reply.onClose(answer.read());
  reply.json(200, answer.bytes, headers);
}

/** No limit of the key applies to a replay, because nothing is reserved for it. */
function tooManyReplays({ size }: KeptAnswer): Refusal {
  const message = 'Answers are repeated too often: slow down, then retry.';
  const retryAfterS = Math.ceil(size / limits.replays.peer.perSecond);
  return new Refusal('rate_limited', { message, retryAfterS });
}

function tooManyWait(): Refusal {
  const message = 'Requests with this Idempotency-Key already wait for the first one to end.';
  return new Refusal('rate_limited', { message, retryAfterS: 1 });
}

/** Waits for the end of a request. False: the client of the repeat left before. */
async function isOverBefore(first: UnderWay, reply: Reply): Promise<boolean> {
  const left = Promise.withResolvers<false>();
  first.waiting += 1;
  reply.listen({ disconnected: () => left.resolve(false), drained: () => {} });
  const isOver = await Promise.race([first.over.then(() => true), left.promise]);
  reply.ignore();
  first.waiting -= 1;
  return isOver;
}
