/**
 * Figures against what other hosts' tokenizers count of the same text. A worker has a panel of up to three
 * referees, always the same as long as they are there; the median of what they say is what counts, so that one
 * referee that lies can neither frame a host nor cover one.
 */
import { hash } from 'node:crypto';
import { BoundedMap } from './bounded-map.ts';
import { fairMedian } from './fair-median.ts';
import { type Alarm, type Counted, keyOf, type Subject, SUBJECTS_MAX } from './subject.ts';

const PANEL = 3;
/** Of each referee, before it has a say. */
const SAMPLES_MIN = 8;
/** From here on old evidence weighs half: a host may have been honest for long. */
const SAMPLES_MAX = 16;
const REFEREES_MAX = 8;

/**
 * What may differ between honest hosts. In all: generated tokens are not always those in which a tokenizer would
 * split their text. For each sample: markers that are tokens and no text, a text that was cut within a token.
 */
const SLACK = {
  prompt: { share: 0.03, tokens: 8 },
  completion: { share: 0.1, tokens: 4 },
} as const;

/** `asked`: how often in all, which does not fade. */
type Sums = { asked: number; samples: number; reported: number; counted: number };

export class Recounts {
  readonly #by: 'recount' | 'canary';
  readonly #evidence = new BoundedMap<string, BoundedMap<string, Sums>>(SUBJECTS_MAX);

  constructor(by: 'recount' | 'canary' = 'recount') {
    this.#by = by;
  }

  /** Which of these agents is to count next for this worker. */
  referee(subject: Subject, agents: readonly string[]): string | null {
    const panel = panelOf(subject, agents);
    const asked = (agent: string) =>
      Math.max(...(['prompt', 'completion'] as const).map((of) => this.#asked(subject, of, agent)));
    return panel.toSorted((a, b) => asked(a) - asked(b))[0] ?? null;
  }

  /** One sample, counted by one of `agents`, who could all have counted it. */
  compare(
    subject: Subject,
    of: Counted,
    {
      reported,
      counted,
      referee,
      agents,
    }: Readonly<{
      reported: number;
      counted: number;
      referee: string;
      agents: readonly string[];
    }>,
  ): Alarm | null {
    const key = keyOf(subject, of);
    const referees = this.#evidence.use(key, () => new BoundedMap(REFEREES_MAX));
    const sums = referees.use(referee, () => ({ asked: 0, samples: 0, reported: 0, counted: 0 }));
    sums.asked += 1;
    sums.samples += 1;
    sums.reported += reported;
    sums.counted += counted;
    if (sums.samples > SAMPLES_MAX) {
      for (const name of ['samples', 'reported', 'counted'] as const) sums[name] /= 2;
    }
    // Those of referees that are gone are old: they must not vouch for what a host does now.
    const panel = panelOf(subject, agents);
    const votes = panel.flatMap((agent) => referees.get(agent) ?? []);
    if (votes.length < panel.length || votes.some((vote) => vote.samples < SAMPLES_MIN))
      return null;
    const excess =
      fairMedian(
        votes.map((vote) => excessOf(vote, of)),
        'low',
      ) ?? 0;
    if (excess <= 1 + SLACK[of].share) return null;
    const ratios = votes.map((vote) => vote.reported / vote.counted);
    // The next alarm takes evidence of its own.
    this.#evidence.delete(key);
    return {
      ...subject,
      kind: `${of}_inflated`,
      by: this.#by,
      ratio: fairMedian(ratios, 'low') ?? 0,
      samples: Math.round(votes.reduce((sum, { samples }) => sum + samples, 0)),
    };
  }

  #asked(subject: Subject, of: Counted, agent: string): number {
    return this.#evidence.get(keyOf(subject, of))?.get(agent)?.asked ?? 0;
  }
}

function excessOf({ samples, reported, counted }: Sums, of: Counted): number {
  return reported / (counted + samples * SLACK[of].tokens);
}

/** The same for everybody who asks, as long as the same agents are there. */
function panelOf({ worker }: Subject, agents: readonly string[]): string[] {
  const rank = new Map(agents.map((agent) => [agent, hash('sha1', `${worker} ${agent}`)]));
  const ranked = [...rank].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return ranked.slice(0, PANEL).map(([agent]) => agent);
}
