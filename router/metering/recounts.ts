/**
 * Compares reported counts with the counts of other hosts' tokenizers for the same text. Each
 * worker has a panel of up to three referees, fixed while they are connected. The median of the
 * panel decides, so that one dishonest referee can neither raise an alarm about an honest host nor
 * prevent one about a dishonest host.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fairMedian } from './fair-median.ts';
import { type Alarm, keyOf, type Subject, SUBJECTS_MAX, type TokenKind } from './subject.ts';

const PANEL = 3;
/** Samples that each referee must have before the panel decides. */
const SAMPLES_MIN = 8;
/** Above this number old evidence is halved, because a host may have been honest for long. */
const SAMPLES_MAX = 16;
const REFEREES_MAX = 8;

/**
 * Differences between honest hosts. `share`, over all samples: a tokenizer may split generated text
 * into other tokens than the model generated. `tokens`, for each sample: markers without text, and
 * text that was cut within a token.
 */
const SLACK = {
  prompt: { share: 0.03, tokens: 8 },
  completion: { share: 0.1, tokens: 4 },
} as const;

/** `asked` counts all samples. Unlike the others, it is never halved. */
type Sums = { asked: number; samples: number; reported: number; counted: number };

export class Recounts {
  readonly #by: 'recount' | 'canary';
  readonly #evidence = new LRUCache<string, LRUCache<string, Sums>>({ max: SUBJECTS_MAX });

  constructor(by: 'recount' | 'canary' = 'recount') {
    this.#by = by;
  }

  /** Returns the panel member that counts next for this worker. Null without other agents. */
  referee(subject: Subject, agents: readonly string[]): string | null {
    const panel = panelOf(subject, agents);
    const asked = (agent: string) =>
      Math.max(this.#asked(subject, 'prompt', agent), this.#asked(subject, 'completion', agent));
    return panel.toSorted((a, b) => asked(a) - asked(b))[0] ?? null;
  }

  /** Learns from a sample counted by `referee`. `agents` are all that could have counted it. */
  compare(
    subject: Subject,
    which: TokenKind,
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
    const key = keyOf(subject, which);
    const referees = this.#evidence.get(key) ?? new LRUCache<string, Sums>({ max: REFEREES_MAX });
    this.#evidence.set(key, referees);
    const sums = referees.get(referee) ?? { asked: 0, samples: 0, reported: 0, counted: 0 };
    referees.set(referee, sums);
    sums.asked += 1;
    sums.samples += 1;
    sums.reported += reported;
    sums.counted += counted;
    if (sums.samples > SAMPLES_MAX) {
      for (const name of ['samples', 'reported', 'counted'] as const) sums[name] /= 2;
    }
    // Evidence of referees that are gone is old, and must not vouch for what the host does now.
    const panel = panelOf(subject, agents);
    const votes = panel.flatMap((agent) => referees.get(agent) ?? []);
    if (votes.length < panel.length || votes.some((vote) => vote.samples < SAMPLES_MIN))
      return null;
    const excess =
      fairMedian(
        votes.map((vote) => excessOf(vote, which)),
        'low',
      ) ?? 0;
    if (excess <= 1 + SLACK[which].share) return null;
    const ratios = votes.map((vote) => vote.reported / vote.counted);
    // The next alarm needs new evidence.
    this.#evidence.delete(key);
    return {
      ...subject,
      kind: `${which}_inflated`,
      by: this.#by,
      ratio: fairMedian(ratios, 'low') ?? 0,
      samples: Math.round(votes.reduce((sum, { samples }) => sum + samples, 0)),
    };
  }

  #asked(subject: Subject, which: TokenKind, agent: string): number {
    return this.#evidence.get(keyOf(subject, which))?.get(agent)?.asked ?? 0;
  }
}

function excessOf({ samples, reported, counted }: Sums, which: TokenKind): number {
  return reported / (counted + samples * SLACK[which].tokens);
}

/** The panel of a worker. It is the same on every router, as long as the same agents are there. */
function panelOf({ worker }: Subject, agents: readonly string[]): string[] {
  const rank = new Map(agents.map((agent) => [agent, hash('sha1', `${worker} ${agent}`)]));
  const ranked = [...rank].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return ranked.slice(0, PANEL).map(([agent]) => agent);
}
