/**
 * The inputs of tools with their numbers as the client wrote them. `JSON.parse` makes them doubles,
 * which have no 12345678901234567890, and no 1.10.
 */
import { type Json, typeOf } from './chat-draft.ts';

/** Numbers that may be written otherwise. Texts may look the same: they only cost time. */
const LOSSY = /[:[,]\s*(?:-0(?![\d.])|-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|\d+(?:\.\d+)?[eE]))/;

type Context = Readonly<{ source?: string }>;
/** TypeScript has no types for the text of a number. */
const json = JSON as unknown as {
  parse: (text: string, reviver: (key: string, value: unknown, at: Context) => unknown) => unknown;
  rawJSON: (text: string) => unknown;
};

/** Returns the body with the exact inputs. `text` is the body that was parsed. */
export function withExactInputs(object: Json, text: string): Json {
  const { messages } = object;
  if (!Array.isArray(messages) || !text.includes('tool_use') || !LOSSY.test(text)) return object;
  const exact = json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  ) as { messages: unknown[] };
  const exactBlocks = exact.messages.map(blocksOf);
  return {
    ...object,
    messages: messages.map((message: unknown, turn) => {
      const blocks = blocksOf(message);
      if (!blocks?.some(isCall)) return message;
      const content = blocks.map((block, index) =>
        isCall(block) ? exactBlocks[turn]?.[index] : block,
      );
      return { ...(message as Json), content };
    }),
  };
}

function blocksOf(message: unknown): readonly unknown[] | null {
  const content = (message as Json | null)?.['content'];
  return Array.isArray(content) ? content : null;
}

function isCall(block: unknown): boolean {
  return typeOf(block) === 'tool_use';
}
