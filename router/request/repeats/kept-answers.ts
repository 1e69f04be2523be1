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
   * Copies an answer. The oldest answers of the same organization make room for it, and no others.
   */
  keep(of: Answered, pieces: Pieces): void {
    const { organization, digest } = of;
    const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    if (length + OVERHEAD_BYTES > limits.keptAnswersPerOrganizationBytesMax) return;
    const lease = this.#budget.lease(organization);
    while (!lease.take(length + OVERHEAD_BYTES)) {
      if (!this.#dropOldest(organization)) return;
    }
    const bytes = Buffer.concat(
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
      length,
    );
    const until = this.#clock.monotonic() + limits.keptAnswerMsMax;
    const answers = this.#answers.get(organization) ?? new Map<string, KeptAnswer>();
    answers.get(digest)?.drop();
    answers.delete(digest);
    answers.set(digest, new KeptAnswer(of, bytes, { until, lease }));
    this.#answers.set(organization, answers);
  }

  /** Must be called now and then: it frees the memory of answers that are too old. */
  expire(): void {
    const now = this.#clock.monotonic();
    for (const [organization, answers] of this.#answers) {
      for (const { until } of answers.values()) {
        if (until > now) break;
        this.#dropOldest(organization);
      }
    }
  }

  #dropOldest(organization: OrganizationId): boolean {
    const answers = this.#answers.get(organization);
    const [oldest] = answers?.values() ?? [];
    if (!answers || !oldest) return false;
    answers.delete(oldest.of.digest);
    if (answers.size === 0) this.#answers.delete(organization);
    oldest.drop();
    return true;
  }
}
