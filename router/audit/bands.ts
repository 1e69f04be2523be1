/**
 * Where nobody can count again: tokens reported for a unit of text, against what other hosts report for the same
 * model. Texts differ, so a host is its median, the others together are the median of theirs, and the band is
 * wide: it shows gross inflation only.
 */
import { BoundedMap } from './bounded-map.ts';
import { fairMedian } from './fair-median.ts';
import { type Alarm, type Counted, keyOf, type Subject, SUBJECTS_MAX } from './subject.ts';

const SAMPLES_MIN = 16;
const SAMPLES_MAX = 32;
const WIDTH = 1.35;

type Rates = { subject: Subject; of: Counted; values: number[] };

export class Bands {
  readonly #rates = new BoundedMap<string, Rates>(SUBJECTS_MAX);

  /** One sample; it is judged only where nobody counted it. */
  learn(
    subject: Subject,
    of: Counted,
    { reported, units, judged }: Readonly<{ reported: number; units: number; judged: boolean }>,
  ): Alarm | null {
    if (units < UNITS_MIN) return null;
    const key = keyOf(subject, of);
    const { values } = this.#rates.use(key, () => ({ subject, of, values: [] }));
    values.push(reported / units);
    if (values.length > SAMPLES_MAX) values.shift();
    if (!judged || values.length < SAMPLES_MIN) return null;
    const usual = fairMedian(this.#others(subject, of), 'high');
    const own = fairMedian(values, 'low') ?? 0;
    if (usual === null || own <= usual * WIDTH) return null;
    const samples = values.length;
    this.#rates.delete(key);
    return { ...subject, kind: `${of}_inflated`, by: 'band', ratio: own / usual, samples };
  }

  /** One vote an agent, whatever the number of its workers: the one that speaks most for the judged. */
  #others({ agent, model }: Subject, of: Counted): number[] {
    const votes = new Map<string, number>();
    for (const [, { subject: other, of: what, values }] of this.#rates) {
      if (other.model !== model || what !== of || other.agent === agent) continue;
      if (values.length < SAMPLES_MIN) continue;
      const vote = fairMedian(values, 'high') ?? 0;
      votes.set(other.agent, Math.max(votes.get(other.agent) ?? 0, vote));
    }
    return [...votes.values()];
  }
}

/** Below this, what a template or a marker adds weighs more than the text. */
const UNITS_MIN = 16;

/** In a token, roughly, of letters, of digits, of marks; blanks go with what they stand beside. */
const BYTE_UNITS = Float64Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return 0.4;
  const char = String.fromCharCode(byte);
  if (/[A-Za-z]/.test(char)) return 0.2;
  if (/[0-9]/.test(char)) return 0.4;
  return byte <= 0x20 ? 0.05 : 0.5;
});

/** How many tokens a text has, as a rule of thumb: nearer than its length, since texts are so different. */
export function unitsOf(text: string): number {
  let units = 0;
  for (const byte of Buffer.from(text)) units += BYTE_UNITS[byte] ?? 0;
  return units;
}
