/**
 * The inputs of tools with their numbers as the client wrote them. `JSON.parse` makes them doubles,
 * which have no 12345678901234567890, and no 1.10. It also puts keys that are integers first, and
 * keeps one of two equal keys: that stays so.
 *
 * Only calls that have such numbers are parsed again. A walk over the text finds them.
 */
import { type Json, typeOf } from './chat-draft.ts';

/**
 * Numbers that JavaScript may write otherwise: below 1e-6, for example, it writes an exponent. Texts
 * may look the same: they only cost time.
 */
const LOSSY = /[:[,]\s*(?:-0(?![\d.])|-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|0\.0{6}|\d+(?:\.\d+)?[eE]))/;

type Context = Readonly<{ source?: string }>;
/** TypeScript has no types for the text of a number. */
const json = JSON as unknown as {
  parse: (text: string, reviver: (key: string, value: unknown, at: Context) => unknown) => unknown;
  rawJSON: (text: string) => unknown;
};

/** Returns the body with the exact inputs. `text` is the body that was parsed. */
export function withExactInputs(object: Json, text: string): Json {
  const { messages } = object;
  if (!Array.isArray(messages) || !messages.some((one) => blocksOf(one)?.some(isCall))) {
    return object;
  }
  const texts = blockTexts(text);
  return {
    ...object,
    messages: messages.map((message: unknown, turn) => {
      const blocks = blocksOf(message);
      if (!blocks?.some(isCall)) return message;
      const content = blocks.map((block, index) =>
        isCall(block) ? exactly(block, texts[turn]?.[index]) : block,
      );
      return { ...(message as Json), content };
    }),
  };
}

function exactly(block: unknown, text: string | undefined): unknown {
  if (text === undefined || !LOSSY.test(text)) return block;
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );
}

function blocksOf(message: unknown): readonly unknown[] | null {
  const content = (message as Json | null)?.['content'];
  return Array.isArray(content) ? content : null;
}

function isCall(block: unknown): boolean {
  return typeOf(block) === 'tool_use';
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
/** What `{` and `[`, and `}` and `]`, have in common once the case bit is set. */
const [CASE, OPENS, CLOSES] = [0x20, 0x7b, 0x7d];

/** The nesting depth at which each begins. */
const DEPTH = { body: 1, messages: 2, message: 3, content: 4, block: 5 } as const;

/** Returns the text of each block, by message and block. `text` is valid JSON. */
function blockTexts(text: string): readonly (readonly string[])[] {
  let turns: string[][] = [];
  let [depth, turn, index, start] = [0, 0, 0, 0];
  let key = '';
  let [isMessages, isContent] = [false, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (depth === DEPTH.body || depth === DEPTH.message) key = text.slice(at, end + 1);
      at = end;
    } else if (code === COLON && depth === DEPTH.body) {
      // Of equal keys, the last one counts.
      isMessages = isKey(key, 'messages');
      if (isMessages) [turns, turn] = [[], 0];
    } else if (code === COLON && depth === DEPTH.message && isMessages) {
      isContent = isKey(key, 'content');
      if (isContent) [turns[turn], index] = [[], 0];
    } else if (code === COMMA) {
      if (depth === DEPTH.messages) turn += 1;
      else if (depth === DEPTH.content) index += 1;
    } else if ((code | CASE) === OPENS) {
      depth += 1;
      if (depth === DEPTH.block) start = at;
    } else if ((code | CASE) === CLOSES) {
      if (depth === DEPTH.block && isMessages && isContent) {
        (turns[turn] ??= [])[index] = text.slice(start, at + 1);
      }
      depth -= 1;
    }
  }
  return turns;
}

/** Where the string that begins at `start` ends. */
function stringEnd(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    // Each backslash before it escapes the next character.
    if ((end - before) % 2 === 0) return end;
  }
}

function isKey(written: string, key: string): boolean {
  return written === `"${key}"` || (written.includes('\\') && JSON.parse(written) === key);
}
