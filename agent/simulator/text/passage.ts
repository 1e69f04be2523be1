/**
 * Running text as tokens: sentences are written as they are needed, so a long answer costs no
 * memory.
 */
import type { Random } from '../../../shared/random.ts';
import { sentence } from './sentences.ts';
import { splitTokens } from './tokenizer.ts';

export interface PassageInput {
  readonly words: number;
  /** The first sentence, if it is given. */
  readonly opening?: string | undefined;
  /** Whether the passage continues text that does not end in white space. */
  readonly continues?: boolean;
}

export class Passage {
  readonly #random: Random;
  #wordsLeft: number;
  #pieces: string[];
  #at = 0;
  #begun: boolean;

  constructor(random: Random, { words, opening, continues }: PassageInput) {
    this.#random = random;
    this.#wordsLeft = words;
    this.#begun = continues === true || opening !== undefined;
    this.#pieces = opening === undefined ? [] : splitTokens(this.#fit(opening));
  }

  /** Returns the next piece, or null when all words are written. */
  next(): string | null {
    while (this.#at === this.#pieces.length) {
      if (this.#wordsLeft <= 0) return null;
      const text = this.#fit(sentence(this.#random));
      this.#pieces = splitTokens(this.#begun ? ` ${text}` : text);
      this.#begun = true;
      this.#at = 0;
    }
    return this.#pieces[this.#at++] ?? null;
  }

  /** Removes the limit of words. */
  goOn(): void {
    this.#wordsLeft = Infinity;
  }

  /** Counts the words of a sentence, and cuts the sentence if they are too many. */
  #fit(text: string): string {
    const words = text.split(' ');
    const left = this.#wordsLeft;
    this.#wordsLeft -= words.length;
    if (words.length <= left) return text;
    return `${words
      .slice(0, left)
      .join(' ')
      .replace(/[^\p{L}\p{N}]+$/u, '')}.`;
  }
}
