/** The log probabilities of tokens as engines write them, read leniently: what is unclear is left out. */
import {
  type Candidate,
  LOGPROB_LEAST,
  TOKEN_BYTES_MAX,
  type TokenLogprob,
} from '../../shared/wire/logprobs.ts';
import { text as textOf } from './chunk.ts';
import { isObject, type JsonObject, list } from './json.ts';

/** Reads `logprobs` of a choice: as in a chat, or as in the older text completions. */
export function tokensOf(logprobs: unknown, top: number): TokenLogprob[] {
  if (!isObject(logprobs)) return [];
  const { content } = logprobs;
  if (Array.isArray(content)) return content.flatMap((entry) => tokenOf(entry, top));
  return olderTokens(logprobs, top);
}

function tokenOf(entry: unknown, top: number): TokenLogprob[] {
  const chosen = candidateOf(entry);
  if (chosen === null || !isObject(entry)) return [];
  const others = list(entry['top_logprobs']).map(candidateOf);
  return [{ ...chosen, top_logprobs: likeliest(others, top) }];
}

function olderTokens(logprobs: JsonObject, top: number): TokenLogprob[] {
  const { tokens, token_logprobs: values, top_logprobs: others } = logprobs;
  return list(tokens).flatMap((token, at) => {
    const chosen = candidateOf({ token, logprob: list(values)[at] });
    if (chosen === null) return [];
    const here: unknown = list(others)[at];
    const pairs = Object.entries(isObject(here) ? here : {});
    const all = pairs.map(([name, logprob]) => candidateOf({ token: name, logprob }));
    return [{ ...chosen, top_logprobs: likeliest(all, top) }];
  });
}

/** vLLM adds the chosen token to the alternatives, and llama.cpp always has one. */
function likeliest(candidates: readonly (Candidate | null)[], top: number): Candidate[] {
  const all = candidates.filter((candidate) => candidate !== null);
  return all.toSorted((one, other) => other.logprob - one.logprob).slice(0, top);
}

function candidateOf(entry: unknown): Candidate | null {
  if (!isObject(entry)) return null;
  const { token, logprob, bytes: given } = entry;
  if (typeof logprob !== 'number') return null;
  const bytes = isBytes(given) ? given : [...Buffer.from(textOf(token))];
  if (bytes.length > TOKEN_BYTES_MAX) return null;
  // Rounding may take it above 0.
  return { logprob: Math.min(0, Math.max(LOGPROB_LEAST, logprob)), bytes };
}

function isBytes(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  );
}
