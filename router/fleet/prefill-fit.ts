/**
 * How many seconds a model's prefill takes, by least squares over prefills that had their engine for themselves:
 *
 *   seconds = base + perToken · tokens + perSquare · squares      squares = (to² - from²) / 2, what attention adds
 *
 * The base is what any first token takes besides its prompt: the way there and back, a step under way, what decodes
 * in it. It is no engine's work and no part of a forecast; without it, short prompts would make a token look dear and
 * a long prompt, by what they leave for attention, cheap.
 */

/** A model of 32 billion parameters in BF16 over two H100: where learning starts. */
const SECONDS_PER_TOKEN = 66e-6;
/** At this many tokens of context, attention has doubled what a token costs. */
const DOUBLING_TOKENS = 31_300;
const SECONDS_BASE = 0.02;
/** What is taken to have been seen at the start, what it counts for in observations, and how fast those are forgotten. */
const PRIOR_TOKENS = [500, 2_000, 32_000];
const PRIOR_WEIGHT = 10;
const KEPT = 0.99;
/** Prefills that are shorter tell of the engine's step alone. */
const OBSERVED_TOKENS_MIN = 512;
const PER_TOKEN_MIN = 1e-7;
/** Below this, what was seen does not tell two terms apart. */
const PIVOT_MIN = 1e-9;

const [BASE, TOKENS, SQUARES] = [0, 1, 2];
/** Which terms to fit, in this order, until none of them is below nothing. */
const TERMS = [[BASE, TOKENS, SQUARES], [TOKENS, SQUARES], [BASE, TOKENS], [TOKENS]];

export class PrefillFit {
  /** By term. */
  #fit: readonly number[] = [SECONDS_BASE, SECONDS_PER_TOKEN, SECONDS_PER_TOKEN / DOUBLING_TOKENS];
  /** For each term its weighted products with the terms, and with what was taken. */
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

  /** From one token of a prompt to another, without the base. */
  seconds(from: number, to: number): number {
    const [, perToken, perSquare] = this.#fit as [number, number, number];
    return perToken * (to - from) + (perSquare * (to * to - from * from)) / 2;
  }

  /** A prefill that had its engine for itself took this long. False: it is too short to tell anything. */
  observe(from: number, to: number, seconds: number): boolean {
    if (to - from < OBSERVED_TOKENS_MIN) return false;
    const terms = termsOf(from, to);
    // No faster and no slower than a few times what is expected: something else was measured then.
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
   * Weighted so that a short prefill counts as much as a long one. By what was expected: by what was taken, those
   * that took less would count for more, and all forecasts be low.
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
      const isSound = solved?.every((one, at) => one >= (terms[at] === TOKENS ? PER_TOKEN_MIN : 0));
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

/** The normal equations of these terms, by elimination, each term first scaled to one. Null: they tell too little. */
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
