/**
 * Counts the tokens of an answer. Each token of the bench's engine has one `TOKEN_TEXT`, which
 * nothing else in an answer has. A streamed answer is read by lines, so an event may come in pieces.
 */
export const TOKEN_TEXT = ' tok';

export class TokenCounter {
  tokens = 0;
  /** Whether the end of the stream came. */
  isDone = false;
  /** The first event that says that the answer failed. */
  failure: string | null = null;
  #held = '';

  /** Takes a piece of a stream. Returns the number of tokens in the events that it completes. */
  feed(piece: string): number {
    const text = this.#held + piece;
    let tokens = 0;
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      if (text.startsWith('data:', at)) tokens += this.#event(text.slice(at + 5, end).trim());
      at = end + 1;
    }
    this.#held = text.slice(at);
    this.tokens += tokens;
    return tokens;
  }

  #event(data: string): number {
    if (data === '[DONE]') {
      this.isDone = true;
      return 0;
    }
    const tokens = countTokens(data);
    if (tokens === 0 && data.includes('"error"')) this.failure ??= data.slice(0, 300);
    return tokens;
  }
}

export function countTokens(text: string): number {
  let tokens = 0;
  for (let at = text.indexOf(TOKEN_TEXT); at >= 0; at = text.indexOf(TOKEN_TEXT, at + 1)) tokens++;
  return tokens;
}
