/**
 * Learns how many tokens the honest reports of a model have beyond what the bytes of text explain:
 * what the chat template adds to a prompt, and tokens of an answer that are markers without text.
 * Each host has one vote, the most that it has reported recently. The lower median of the votes
 * counts, so that one host alone cannot raise it.
 */
import { LRUCache } from 'lru-cache';
import { fairMedian } from './fair-median.ts';
import { SUBJECTS_MAX, type TokenKind } from './subject.ts';

/** Answers in a period. A vote is the most of this period and the one before. */
const PERIOD_ANSWERS = 64;
const HOSTS_MIN = 2;
/** The hosts that have a vote: those that answered most recently. */
const HOSTS_MAX = 256;
/** Headroom above the median, because the next honest answer may exceed it a little. */
const MARGIN = 1.25;
const MARGIN_TOKENS = 16;

/** The overhead that is assumed: at least, and before anything is learned; and at most. */
export type OverheadLimits = Readonly<Record<TokenKind, Readonly<{ least: number; most: number }>>>;

type Vote = { now: number; before: number; answers: number };
type Learned = { votes: LRUCache<string, Vote>; tokens: number };

export class TokenOverheads {
  readonly #limits: OverheadLimits;
  readonly #learned = new LRUCache<string, Learned>({ max: SUBJECTS_MAX });

  constructor(limits: OverheadLimits) {
    this.#limits = limits;
  }

  of(model: string, which: TokenKind): number {
    return this.#learned.get(`${which} ${model}`)?.tokens ?? this.#limits[which].least;
  }

  /** Learns from one answer. `excess` is the number of tokens beyond what its bytes explain. */
  learn(model: string, which: TokenKind, agent: string, excess: number): void {
    const { least } = this.#limits[which];
    const key = `${which} ${model}`;
    const learned = this.#learned.get(key) ?? {
      votes: new LRUCache<string, Vote>({ max: HOSTS_MAX }),
      tokens: least,
    };
    this.#learned.set(key, learned);
    const vote = learned.votes.get(agent) ?? { now: 0, before: 0, answers: 0 };
    learned.votes.set(agent, vote);
    const before = Math.max(vote.now, vote.before);
    vote.now = Math.max(vote.now, excess);
    vote.answers += 1;
    if (vote.answers % PERIOD_ANSWERS === 0) Object.assign(vote, { now: 0, before: vote.now });
    // This is rare: nearly every answer is within what its host has reported before.
    if (Math.max(vote.now, vote.before) !== before) learned.tokens = this.#count(learned, which);
  }

  #count({ votes }: Learned, which: TokenKind): number {
    const { least, most } = this.#limits[which];
    const values = [...votes.values()].map(({ now, before }) => Math.max(now, before));
    if (values.length < HOSTS_MIN) return least;
    const usual = fairMedian(values, 'low') ?? 0;
    const tokens = Math.ceil(usual * MARGIN) + MARGIN_TOKENS;
    return Math.min(most, Math.max(least, tokens));
  }
}
