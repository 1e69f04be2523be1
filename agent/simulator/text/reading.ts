/**
 * What the simulated model understands of a prompt: the wanted length of the answer, and the topic.
 */

/**
 * Instructions are expected at the ends of a prompt. The middle of a long prompt is not searched.
 */
const READ_CHARS = 4_000;
const WORDS_MAX = 50_000;

/** Returns both ends of a text, which may have megabytes. */
export function skim(text: string): string {
  if (text.length <= 2 * READ_CHARS) return text;
  return `${text.slice(0, READ_CHARS)}\n${text.slice(-READ_CHARS)}`;
}

export type WantedLength =
  | { readonly kind: 'words'; readonly words: number }
  | { readonly kind: 'tokens'; readonly tokens: number };

/**
 * Returns the length that a text asks for: «Write exactly 500 tokens», «in 300 words». The last
 * such wish counts. Null when there is none.
 */
export function wantedLength(text: string): WantedLength | null {
  const wishes = [...text.matchAll(/\b(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})[ -](word|token)s?\b/gi)];
  const wish = wishes.at(-1);
  const count = Number(wish?.[1]?.replaceAll(',', '') ?? 0);
  if (count < 1) return null;
  if (wish?.[2]?.toLowerCase() === 'token') return { kind: 'tokens', tokens: count };
  return { kind: 'words', words: Math.min(count, WORDS_MAX) };
}

const COMMON = new Set(
  `about after also answer before below could describe exactly explain from give have into just like
  make more name other please return said short should some tell than that their them then there
  these they this those token tokens what when where which while with word words would write your`.split(
    /\s+/,
  ),
);

/**
 * Returns the key words of a text, in its order and each once: words of four letters or more that
 * are not common.
 */
export function keyWords(text: string, wordsMax: number): string[] {
  const words = new Map<string, string>();
  for (const [word] of text.matchAll(/\p{L}{4,20}/gu)) {
    if (words.size === wordsMax) break;
    const lower = word.toLowerCase();
    if (!COMMON.has(lower) && !words.has(lower)) words.set(lower, word);
  }
  return [...words.values()];
}

/**
 * Whether a prompt needs reasoning: it is long, or asks for figures, a proof, steps or a reason.
 */
export function looksHard(text: string): boolean {
  if (text.length > 600) return true;
  return /\d[^?]{0,200}\?|\?[^?]{0,200}\d|step by step|\bprove\b|\bproof\b|\bwhy\b/i.test(text);
}
