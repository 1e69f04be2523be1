/**
 * Complete answers, for requests that are repeated under their Idempotency-Key. They are customers'
 * content, so they are kept in memory only, and for minutes.
 */
import { Budget, type Lease } from '../../../shared/bounds/budget.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import type { Pieces } from '../reply.ts';

/** The memory of one kept answer besides its bytes. */
const OVERHEAD_BYTES = 1024;

const sizeOf = (length: number) => length + OVERHEAD_BYTES;

/** The request that was answered. */
export type Answered = Readonly<{
  id: RequestId;
  organization: OrganizationId;
  /** The digests of its claim. */
  digest: string;
  body: string;
}>;

export class KeptAnswer {
  readonly of: Answered;
  readonly bytes: Buffer;
  /** ms of the monotonic clock. */
  readonly until: number;
  readonly #lease: Lease;
  #readers = 0;
  #dropped = false;

  constructor(of: Answered, bytes: Buffer, { until, lease }: { until: number; lease: Lease }) {
    this.of = of;
    this.bytes = bytes;
    this.until = until;
    this.#lease = lease;
  }

  /** The bytes of its memory. */
  get size(): number {
    return sizeOf(this.bytes.length);
  }

  /** The bytes that are free once it is dropped: none while it is being sent. */
  get freeable(): number {
    return this.#readers === 0 ? this.size : 0;
  }

  /** Keeps the memory counted while the answer is being sent. Returns what ends that. */
  read(): () => void {
    this.#readers += 1;
    return () => {
      this.#readers -= 1;
      this.#free();
    };
  }

  drop(): void {
    this.#dropped = true;
    this.#free();
  }

  #free(): void {
    if (this.#dropped && this.#readers === 0) this.#lease[Symbol.dispose]();
  }
}

export class KeptAnswers {
  readonly #clock: Clock;
  readonly #budget = new Budget<OrganizationId>({
    totalBytesMax: limits.keptAnswersBytesMax,
    peerBytesMax: limits.keptAnswersPerOrganizationBytesMax,
  });
  /** By organization and digest. The oldest come first. */
  readonly #answers = new Map<OrganizationId, Map<string, KeptAnswer>>();
  /** Of all organizations. The oldest come first. */
  readonly #all = new Set<KeptAnswer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get bytes(): number {
    return this.#budget.bytes;
  }

  find({ organization, digest }: Pick<Answered, 'organization' | 'digest'>): KeptAnswer | null {
    const found = this.#answers.get(organization)?.get(digest);
    return found && found.until > this.#clock.monotonic() ? found : null;
  }

  /**
   * Copies an answer. The oldest answers make room for it: those of the same organization while it
   * is at its own limit, else those of all.
   */
  keep(of: Answered, pieces: Pieces): void {
    const { organization, digest } = of;
    const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    const inTheWay = this.#inTheWay(of, sizeOf(length));
    if (inTheWay === null) return;
    for (const answer of inTheWay) this.#forget(answer);
    const lease = this.#budget.lease(organization);
    // It fits, because the answers in its way are forgotten.
    lease.take(sizeOf(length));
    const bytes = Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
      length,
    );
    const until = this.#clock.monotonic() + limits.keptAnswerMsMax;
    const answer = new KeptAnswer(of, bytes, { until, lease });
    const answers = this.#answers.get(organization) ?? new Map<string, KeptAnswer>();
    answers.set(digest, answer);
    this.#answers.set(organization, answers);
    this.#all.add(answer);
  }

  /** Must be called now and then: it frees the memory of answers that are too old. */
  expire(): void {
    const now = this.#clock.monotonic();
    for (const answer of this.#all) {
      if (answer.until > now) break;
      this.#forget(answer);
    }
  }

  /**
   * The answers without which an answer of so many bytes fits: the one that it replaces, and the
   * oldest. Null if forgetting all of them would not make enough room: then none is forgotten.
   */
  #inTheWay({ organization, digest }: Answered, bytes: number): Set<KeptAnswer> | null {
    const own = this.#budget.bytesOf(organization) + bytes;
    const inAll = this.#budget.bytes + bytes;
    const theirs = this.#answers.get(organization);
    const replaced = theirs?.get(digest);
    const chosen = new Set(replaced ? [replaced] : []);
    let freed = replaced?.freeable ?? 0;
    const free = (answers: Iterable<KeptAnswer>, excess: number): boolean => {
      for (const answer of answers) {
        if (freed >= excess) break;
        if (answer.freeable === 0 || chosen.has(answer)) continue;
        chosen.add(answer);
        freed += answer.freeable;
      }
      return freed >= excess;
    };
    if (!free(theirs?.values() ?? [], own - limits.keptAnswersPerOrganizationBytesMax)) return null;
    return free(this.#all, inAll - limits.keptAnswersBytesMax) ? chosen : null;
  }

  #forget(answer: KeptAnswer): void {
    const { organization, digest } = answer.of;
    const answers = this.#answers.get(organization);
    answers?.delete(digest);
    if (answers?.size === 0) this.#answers.delete(organization);
    this.#all.delete(answer);
    answer.drop();
  }
}
