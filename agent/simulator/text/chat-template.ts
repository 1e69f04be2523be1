/**
 * Renders a conversation to tokens: markers around each message, the tools before all messages, and
 * images at a fixed cost.
 */
import { hash } from 'node:crypto';
import { FIRST_TEXT_TOKEN, TokenList, VOCABULARY_TOKENS } from './tokenizer.ts';

/**
 * The ids of markers are below every token that text can produce, so that no message contains one.
 */
export const MARKER = {
  begin: 1,
  end: 2,
  newline: 3,
  tools: 4,
  callBegin: 5,
  callArguments: 6,
  callEnd: 7,
  thinkEnd: 8,
  image: 9,
} as const;

/** The tokens of any image, including its markers, as with a fixed number of patches. */
export const IMAGE_TOKENS = 1_024;

interface TemplatePart {
  readonly text?: string | undefined;
  readonly imageUrl?: string | undefined;
}

export interface TemplateMessage {
  readonly role: string;
  readonly parts: readonly TemplatePart[];
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** Receives a prompt as it is rendered: markers and text, in order. */
export interface PromptSink {
  push(id: number): void;
  text(text: string): void;
}

/**
 * Returns the tokens of a prompt. With `open`, the prompt ends where the assistant's turn begins.
 */
export function renderChat(
  messages: readonly TemplateMessage[],
  tools: readonly unknown[],
  open = true,
): Int32Array {
  const out = new TokenList();
  renderTo(out, messages, { tools, open });
  return out.toArray();
}

export function renderTo(
  out: PromptSink,
  messages: readonly TemplateMessage[],
  { tools, open }: { tools: readonly unknown[]; open: boolean },
): void {
  if (tools.length > 0) {
    out.push(MARKER.begin);
    out.push(MARKER.tools);
    for (const tool of tools) {
      out.push(MARKER.newline);
      out.text(JSON.stringify(tool));
    }
    close(out);
  }
  for (const message of messages) {
    begin(out, message.role);
    for (const part of message.parts) {
      if (part.text !== undefined) out.text(part.text);
      if (part.imageUrl !== undefined) image(out, part.imageUrl);
    }
    for (const call of message.calls) {
      out.push(MARKER.callBegin);
      out.text(call.name);
      out.push(MARKER.callArguments);
      out.text(call.arguments);
      out.push(MARKER.callEnd);
    }
    close(out);
  }
  if (open) begin(out, 'assistant');
}

function begin(out: PromptSink, role: string): void {
  out.push(MARKER.begin);
  out.text(role);
  out.push(MARKER.newline);
}

function close(out: PromptSink): void {
  out.push(MARKER.end);
  out.push(MARKER.newline);
}

/** Adds tokens that depend on the image, so that the prefix cache distinguishes images. */
function image(out: PromptSink, url: string): void {
  const seed = Number.parseInt(hash('sha1', url, 'hex').slice(0, 12), 16);
  const span = VOCABULARY_TOKENS - FIRST_TEXT_TOKEN;
  out.push(MARKER.image);
  for (let i = 0; i < IMAGE_TOKENS - 2; i++)
    out.push(FIRST_TEXT_TOKEN + ((seed + i * 7919) % span));
  out.push(MARKER.image);
}
