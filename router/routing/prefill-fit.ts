/**
 * The seconds of a model's prefill, by least squares over prefills that had their engine to
 * themselves:
 *
 *   seconds = base + perToken · tokens + perSquare · squares      squares = (to² - from²) / 2, for attention
 *
 * The base is the part of any first token that does not depend on the prompt: the round trip, a
 * step in progress, decoding in that step. It is not engine work, so forecasts leave it out. A fit
 * without it would overestimate the cost of a token from short prompts, and then underestimate
 * attention in long ones.
 */

/** The starting values: a model of 32 billion parameters in BF16 on two H100. */
const SECONDS_PER_TOKEN = 66e-6;
/** The context length at which attention has doubled the cost of a token. */
const DOUBLING_TOKENS = 31_300;
const SECONDS_BASE = 0.02;
/**
 * The prior: prefills that count as observed at the start, their weight in observations, and the
 * share of all evidence that each new observation keeps.
 */
const PRIOR_TOKENS = [500, 2_000, 32_000];
const PRIOR_WEIGHT = 10;
const KEPT = 0.99;
/** Shorter prefills only measure the engine's step. */
const OBSERVED_TOKENS_MIN = 512;
const PER_TOKEN_MIN = 1e-7;
/** With a smaller pivot, the observations do not tell two terms apart. */
const PIVOT_MIN = 1e-9;

const [BASE, TOKENS, SQUARES] = [0, 1, 2];
/** Sets of terms to fit, in order, until no coefficient is negative. */
const TERMS = [[BASE, TOKENS, SQUARES], [TOKENS, SQUARES], [BASE, TOKENS], [TOKENS]];

export class PrefillFit {
  /** Coefficients by term. */
  #fit: readonly number[] = [SECONDS_BASE, SECONDS_PER_TOKEN, SECONDS_PER_TOKEN / DOUBLING_TOKENS];
  /** For each term: its weighted products with all terms, and with the seconds taken. */
  readonly #sums = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];

  constructor() {
    for (const tokens of PRIOR_TOKENS) {
      const terms = termsOf(0, tokens);
      this.#add(terms, this.#expected(terms), PRIOR_WEIGHT);
    }
  }

  /** Seconds from one token of a prompt to another, without the base. */
  seconds(from: number, to: number): number {
    const [, perToken, perSquare] = this.#fit as [number, number, number];
    return perToken * (to - from) + (perSquare * (to * to - from * from)) / 2;
  }

  /** Learns from a prefill that had its engine to itself. Returns false when it is too short. */
  observe(from: number, to: number, seconds: number): boolean {
    if (to - from < OBSERVED_TOKENS_MIN) return false;
    const terms = termsOf(from, to);
    // Clamped to a quarter and four times the expectation: beyond that something else was measured.
    const expected = this.#expected(terms);
    const taken = Math.min(4 * expected, Math.max(expected / 4, seconds));
    for (const row of this.#sums) for (const [at, sum] of row.entries()) row[at] = sum * KEPT;
    this.#add(terms, taken, 1);
    this.#solve();
    return true;
  }

  #expected(terms: readonly number[]): number {
    return terms.reduce((sum, term, at) => sum + term * (this.#fit[at] as number), 0);
  }

  /**
   * Weighted so that a short prefill counts as much as a long one. The weight uses the expected
   * seconds: with the seconds taken, faster prefills would count for more, and all forecasts would
   * be too low.
   */
  #add(terms: readonly number[], taken: number, observations: number): void {
    const weight = observations / this.#expected(terms) ** 2;
    const products = [...terms, taken];
    for (const [at, term] of terms.entries()) {
      const row = this.#sums[at] as number[];
      for (const [by, other] of products.entries()) {
        row[by] = (row[by] as number) + weight * term * other;
      }
    }
  }

  #solve(): void {
    for (const terms of TERMS) {
      const solved = solve(this.#sums, terms);
      const isSound = solved?.every(
        (coefficient, at) => coefficient >= (terms[at] === TOKENS ? PER_TOKEN_MIN : 0),
      );
      if (!solved || !isSound) continue;
      const fit = [0, 0, 0];
      for (const [at, term] of terms.entries()) fit[term] = solved[at] as number;
      this.#fit = fit;
      return;
    }
  }
}

function termsOf(from: number, to: number): number[] {
  return [1, to - from, (to * to - from * from) / 2];
}

/**
 * Solves the normal equations of these terms by elimination, each term scaled to 1 first. Returns
 * null when the observations do not determine the terms.
 */
function solve(sums: readonly number[][], terms: readonly number[]): number[] | null {
  const scales = terms.map((term) => Math.sqrt(sums[term]?.[term] as number));
  const rows = terms.map((term, at) => {
    const sum = sums[term] as number[];
    const scaled = terms.map((other, to) => (sum[other] as number) / (scales[to] as number));
    return [...scaled, sum.at(-1) as number].map((value) => value / (scales[at] as number));
  });
  for (const [at, pivotRow] of rows.entries()) {
    const pivot = pivotRow[at] as number;
    if (!(pivot > PIVOT_MIN)) return null;
    for (const row of rows) {
      if (row === pivotRow) continue;
      const share = (row[at] as number) / pivot;
      for (const [column, value] of pivotRow.entries()) {
        row[column] = (row[column] as number) - share * value;
      }
    }
  }
  return rows.map(
    (row, at) => (row.at(-1) as number) / (row[at] as number) / (scales[at] as number),
  );
}
