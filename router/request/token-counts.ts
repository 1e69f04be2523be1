/**
 * `POST /v1/messages/count_tokens`: the tokens of a prompt, counted by the tokenizer of an engine
 * that could be sent the request. Nothing is charged. Where no engine counts it, the answer is the
 * router's own estimate, and a header says which it is: clients use the number to decide how much
 * of a conversation to keep, and would fail without it.
 */
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Random } from '../../shared/random.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/region.ts';
import { CountBackoff } from '../fleet/count-backoff.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Worker } from '../fleet/worker.ts';
import type { ParsedRequest } from './arrive.ts';
import type { RequestMetrics } from './metrics.ts';

export type TokenCountsParts = Readonly<{
  fleet: Pick<Fleet, 'serving'>;
  clock: Clock;
  random: Random;
  metrics: Pick<RequestMetrics, 'tokensCounted'>;
}>;

/** Who asks, and in which region. */
type Asker = Readonly<{ organization: OrganizationId; region: Region }>;

export type TokenCount = Readonly<{ tokens: number; by: 'engine' | 'estimate' }>;

const ATTEMPTS_MAX = 2;

export class TokenCounts {
  readonly #parts: TokenCountsParts;
  readonly #backoff: CountBackoff;
  readonly #rates: PeerRates<OrganizationId>;

  constructor(parts: TokenCountsParts) {
    this.#parts = parts;
    this.#backoff = new CountBackoff(parts.clock);
    this.#rates = new PeerRates(parts.clock, limits.tokenCounts);
  }

  /** Workers that are not asked for a while, once for each organization. */
  get pauses(): number {
    return this.#backoff.pauses;
  }

  /** Returns the refusal of an organization that asks too often. */
  refuse(organization: OrganizationId): Refusal | null {
    if (this.#rates.spend(organization)) return null;
    const message = 'Tokens are counted too often: slow down, then retry.';
    return new Refusal('rate_limited', { message, retryAfterS: 1 });
  }

  async count(asker: Asker, parsed: ParsedRequest): Promise<TokenCount> {
    const counted = await this.#count(asker, parsed);
    this.#parts.metrics.tokensCounted(counted.by);
    return counted;
  }

  async #count(asker: Asker, parsed: ParsedRequest): Promise<TokenCount> {
    const estimate = { tokens: parsed.promptTokensEstimate, by: 'estimate' } as const;
    const { raw, images, endpoint, promptTokensMax } = parsed;
    // Tokenizers do not see images.
    if (images > 0) return estimate;
    const model = parsed.model.entry.id;
    for (const worker of this.#able(model, asker, raw.length)) {
      const question = () => {
        const prompt = raw.toString('utf8');
        return { worker: worker.name, model, endpoint, prompt, answer: null };
      };
      const counted = await worker.session.countInTurn({
        organization: asker.organization,
        bytes: raw.length,
        question,
      });
      if (counted === 'busy') continue;
      const tokens = counted?.prompt ?? null;
      this.#backoff.note(worker, asker.organization, tokens !== null);
      if (tokens !== null && tokens <= promptTokensMax) return { tokens, by: 'engine' };
    }
    return estimate;
  }

  /**
   * Workers that can count so many bytes, which are at least as many as the characters, in any
   * order: each may be the one that is busy.
   */
  #able(model: string, { organization, region }: Asker, bytes: number): Worker[] {
    const able = this.#parts.fleet
      .serving(model, region)
      .filter(
        (worker) => charsMaxOf(worker) >= bytes && !this.#backoff.isPaused(worker, organization),
      );
    const first = Math.floor(this.#parts.random.unit() * able.length);
    return [...able.slice(first), ...able.slice(0, first)].slice(0, ATTEMPTS_MAX);
  }
}

function charsMaxOf({ load: { countChars } }: Worker): number {
  return Math.min(countChars ?? limits.linkCountChars.least, limits.linkCountChars.most);
}
