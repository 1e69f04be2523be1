/**
 * Converts a rendered prompt to text, and such a text back to the tokens that the same prompt has
 * when it is sent as a request. A marker becomes `<|3|>` in the text. `<||>` separates two texts
 * that would otherwise become one.
 */
import type { ServedModel } from '../models.ts';
import { type PromptSink, renderTo } from '../text/chat-template.ts';
import { encodeText, TokenList, VOCABULARY_TOKENS } from '../text/tokenizer.ts';
import { messagesOf, type PromptFields } from '../wire/chat-request.ts';

export function promptText(fields: PromptFields, model: ServedModel): string {
  const pieces: string[] = [];
  const sink: PromptSink = {
    push: (id) => pieces.push(`<|${id}|>`),
    text: (text) => pieces.push(pieces.at(-1)?.endsWith('|>') === false ? `<||>${text}` : text),
  };
  const tools = fields.tools ?? [];
  renderTo(sink, messagesOf(fields, model), { tools, open: fields.add_generation_prompt });
  return pieces.join('');
}

/**
 * Returns the tokens of a text. With `special`, markers in the text are markers. Otherwise they are
 * text like any other.
 */
export function textTokens(text: string, special: boolean): Int32Array {
  if (!special) return encodeText(text);
  const tokens = new TokenList();
  for (const piece of text.split(/(<\|\d{0,6}\|>)/)) {
    const marker = /^<\|(\d{0,6})\|>$/.exec(piece);
    if (!marker) tokens.text(piece);
    else if (marker[1] !== '') tokens.push(Number(marker[1]) % VOCABULARY_TOKENS);
  }
  return tokens.toArray();
}
