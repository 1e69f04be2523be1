/**
 * Compares the tokens that a host reports for a unit of text with what other hosts report for the
 * same model. It is used where no other host can count the text. Because texts differ, the median
 * of a host is compared with the median of the other hosts' medians, and a wide deviation (the
 * band) is tolerated, so only gross inflation is found.
 */
import { LRUCache } from 'lru-cache';
import { fairMedian } from './fair-median.ts';
import { type Alarm, keyOf, type Subject, SUBJECTS_MAX, type TokenKind } from './subject.ts';

/** Samples of a worker and model: before it is judged or has a vote, and the most that are kept. */
const SAMPLES_MIN = 16;
const SAMPLES_MAX = 32;
/** The band ends at this multiple of what other hosts usually report. */
const WIDTH = 1.35;
/** In shorter texts, the tokens of templates and markers outweigh those of the text. */
const UNITS_MIN = 16;

type Rates = { subject: Subject; which: TokenKind; values: number[] };

export class Bands {
  readonly #rates = new LRUCache<string, Rates>({ max: SUBJECTS_MAX });

  /** Learns from a sample. If `isJudged`, returns an alarm for a host outside the band. */
  learn(
    subject: Subject,
    which: TokenKind,
    { reported, units, isJudged }: Readonly<{ reported: number; units: number; isJudged: boolean }>,
  ): Alarm | null {
    if (units < UNITS_MIN) return null;
    const key = keyOf(subject, which);
    const rates = this.#rates.get(key) ?? { subject, which, values: [] };
    this.#rates.set(key, rates);
    const { values } = rates;
    values.push(reported / units);
    if (values.length > SAMPLES_MAX) values.shift();
    if (!isJudged || values.length < SAMPLES_MIN) return null;
    const usual = fairMedian(this.#others(subject, which), 'high');
    const own = fairMedian(values, 'low') ?? 0;
    if (usual === null || own <= usual * WIDTH) return null;
    const samples = values.length;
    this.#rates.delete(key);
    return { ...subject, kind: `${which}_inflated`, by: 'band', ratio: own / usual, samples };
  }

  /** One vote for each other agent: its worker that is most favourable to the judged host. */
  #others({ agent, model }: Subject, which: TokenKind): number[] {
    const votes = new Map<string, number>();
    for (const rates of this.#rates.values()) {
      const { agent: other } = rates.subject;
      if (rates.subject.model !== model || rates.which !== which || other === agent) continue;
      if (rates.values.length < SAMPLES_MIN) continue;
      const vote = fairMedian(rates.values, 'high') ?? 0;
      votes.set(other, Math.max(votes.get(other) ?? 0, vote));
    }
    return [...votes.values()];
  }
}

/** Approximate tokens for each byte: letters, digits, punctuation; blanks join neighbours. */
const BYTE_UNITS = Float64Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return 0.4;
  const char = String.fromCharCode(byte);
  if (/[A-Za-z]/.test(char)) return 0.2;
  if (/[0-9]/.test(char)) return 0.4;
  return byte <= 0x20 ? 0.05 : 0.5;
});

/** An estimate of the tokens of a text. It is closer than the length, because texts differ. */
export function unitsOf(text: string): number {
  let units = 0;
  for (const byte of Buffer.from(text)) units += BYTE_UNITS[byte] ?? 0;
  return units;
}
