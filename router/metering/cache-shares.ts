/**
 * Compares the cached tokens that a host reports with what the router expects from the prompts it
 * has sent there. A small cache has fewer hits than a large one, so a host is compared with other
 * hosts of the model, by a wide margin.
 */
import { LRUCache } from 'lru-cache';
import { fairMedian } from './fair-median.ts';
import { type Alarm, keyOf, type Subject, SUBJECTS_MAX } from './subject.ts';

const SAMPLES_MIN = 16;
const SAMPLES_MAX = 64;
const PREDICTED_TOKENS_MIN = 8_192;
/** The least share of what other hosts report. */
const SHARE_MIN = 0.5;
/** If other hosts report less than this share of the expected tokens, the expectation is wrong. */
const USUAL_MIN = 0.2;

type Sums = { subject: Subject; samples: number; predicted: number; reported: number };

export class CacheShares {
  readonly #sums = new LRUCache<string, Sums>({ max: SUBJECTS_MAX });

  learn(
    subject: Subject,
    { predicted, reported }: Readonly<{ predicted: number; reported: number }>,
  ): Alarm | null {
    if (predicted === 0) return null;
    const key = keyOf(subject);
    const sums = this.#sums.get(key) ?? { subject, samples: 0, predicted: 0, reported: 0 };
    this.#sums.set(key, sums);
    sums.samples += 1;
    sums.predicted += predicted;
    // More than was expected does not make up for less elsewhere.
    sums.reported += Math.min(Math.max(0, reported), predicted);
    if (sums.samples > SAMPLES_MAX) {
      for (const name of ['samples', 'predicted', 'reported'] as const) sums[name] /= 2;
    }
    if (!isEnough(sums)) return null;
    const usual = fairMedian(this.#others(subject), 'low');
    const own = sums.reported / sums.predicted;
    if (usual === null || usual < USUAL_MIN || own >= usual * SHARE_MIN) return null;
    const samples = Math.round(sums.samples);
    this.#sums.delete(key);
    return { ...subject, kind: 'cached_understated', by: 'cache', ratio: own / usual, samples };
  }

  /** One vote for each other agent: the one most favourable to the judged host. */
  #others({ agent, model }: Subject): number[] {
    const votes = new Map<string, number>();
    for (const sums of this.#sums.values()) {
      const { subject: other } = sums;
      if (other.model !== model || other.agent === agent || !isEnough(sums)) continue;
      const share = sums.reported / sums.predicted;
      votes.set(other.agent, Math.min(votes.get(other.agent) ?? 1, share));
    }
    return [...votes.values()];
  }
}

function isEnough({ samples, predicted }: Sums): boolean {
  return samples >= SAMPLES_MIN && predicted >= PREDICTED_TOKENS_MIN;
}
