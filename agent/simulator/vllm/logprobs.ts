/**
 * Log probabilities as vLLM writes them: of every token of a chunk, whatever its text becomes. They
 * follow from the text, so that a chunk needs no more than its text.
 */
import { splitTokens, tokenId } from '../text/tokenizer.ts';

/** The end of an answer, which vLLM reports as a token although it is no text. */
const END_TEXT = '<|im_end|>';
const STEPS = 1_000;

/** Returns `logprobs` of a chunk of a chat with this text, which may be the last. */
export function chatLogprobs(text: string, top: number, isLast = false): string {
  const content = [...splitTokens(text), ...(isLast ? [END_TEXT] : [])].map((token) => {
    const chosen = entryOf(token, logprobOf(token));
    return { ...chosen, top_logprobs: candidatesOf(token, top).map(([of, at]) => entryOf(of, at)) };
  });
  return JSON.stringify({ content });
}

/** Returns `logprobs` of a chunk of a text completion, whose text begins at a character. */
export function textLogprobs(text: string, top: number, begin: number): string {
  const tokens = splitTokens(text);
  let offset = begin;
  const offsets = tokens.map((token) => {
    const at = offset;
    offset += token.length;
    return at;
  });
  return JSON.stringify({
    text_offset: offsets,
    token_logprobs: tokens.map(logprobOf),
    tokens,
    top_logprobs: tokens.map((token) => Object.fromEntries(candidatesOf(token, top))),
  });
}

/** The token itself is the likeliest. */
function candidatesOf(token: string, top: number): [string, number][] {
  const all = Array.from({ length: top }, (_, at) => at);
  return all.map((at) => [at === 0 ? token : `${token}${at}`, logprobOf(token) - at]);
}

function logprobOf(token: string): number {
  return -(tokenId(token) % STEPS) / STEPS;
}

function entryOf(token: string, logprob: number) {
  return { token, logprob, bytes: [...Buffer.from(token)] };
}
