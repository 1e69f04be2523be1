/**
 * Takes values from the user's prompt: «the weather in Paris tomorrow» has a location and a day.
 */
import { keyWords } from '../text/reading.ts';
import type { Json, Wordings } from './json-schema.ts';

const TEXT_CHARS_MAX = 200;

/** Matches names of properties for a place or a person, which get a capitalized name. */
const PROPER =
  /city|place|location|country|town|destination|origin|name|person|author|title|company/i;
/** Matches names of properties for the whole request, which get quoted text or the whole prompt. */
const WHOLE = /query|question|prompt|message|text|input|content|expression|search/i;

export function wordingsOf(prompt: string): Wordings {
  const quoted = [...prompt.matchAll(/["“`]([^"”`\n]{1,80})["”`]/g)].map(([, text]) => text ?? '');
  // A capitalized word after a preposition comes first, then one that does not begin a sentence.
  const placed =
    /\b(?:in|at|to|from|for|of|near|about)\s+(\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)*)/u.exec(
      prompt,
    )?.[1];
  const proper =
    placed ?? /(?<=[\p{Ll},]\s)\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)*/u.exec(prompt)?.[0];
  const [word] = keyWords(prompt, 1);
  const numbers = [...prompt.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text));
  const lower = prompt.toLowerCase();
  return {
    text(name) {
      const whole = prompt.trim().slice(0, TEXT_CHARS_MAX);
      if (WHOLE.test(name) && whole !== '') return quoted[0] ?? whole;
      if (PROPER.test(name)) return proper ?? quoted[0] ?? word ?? 'example';
      return quoted[0] ?? proper ?? word ?? 'example';
    },
    number: (fits) => numbers.find(fits) ?? null,
    mentioned: (options: readonly Json[]) =>
      options.find((option) => typeof option === 'string' && lower.includes(option.toLowerCase())),
  };
}
