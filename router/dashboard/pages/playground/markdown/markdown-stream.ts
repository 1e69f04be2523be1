/**
 * Markdown as it streams. The text is split into blocks, such as a paragraph or a list. Only the
 * last block can still change, so only the last block is parsed again when text arrives. Blocks are
 * kept in pages of a few kB: a page that is full never changes again.
 */
import { breakIn } from '../text-buffer.ts';
import { FORMULA_CHARS_MAX } from './math-rules.ts';
import { languageOf, type Node, nodesOf } from './nodes.ts';
import { type Definitions, parseMarkdown, type Token } from './parser.ts';

type Block = readonly Node[];
export type Page = readonly Block[];

/** A page with this much text is full. */
const PAGE_CHARS = 4_096;
/** A paragraph, list or table that is longer is continued in a block of its own. */
const SPLIT_CHARS = 4_096;
/** Any other block that is longer is broken, except for code. */
const BLOCK_CHARS_MAX = 8_192;

const FORMULA_START = /^ {0,3}(\$\$|\\\[)/gm;

/** Matches no text. */
const NEVER = /(?!)/;

type Fence = Readonly<{ closer: RegExp; prefix: RegExp; language: string }>;

export class MarkdownStream {
  /** The pages before the last one. */
  readonly #full: Page[] = [];
  /** The settled blocks of the last page. */
  #settled: Block[] = [];
  #pageChars = 0;
  /** The text after the settled blocks. */
  #tail = '';
  /** The header of a table that the tail continues. */
  #header = '';
  /** The code block that is being written, and its complete lines. */
  #fence: Fence | null = null;
  #code = '';
  readonly #definitions: Definitions = Object.create(null) as Definitions;
  #pages: readonly Page[] = [];
  #ended = false;

  /** With `language`, the whole text is code in this language. */
  constructor(language: string | null) {
    if (language !== null) this.#fence = { closer: NEVER, prefix: /^/, language };
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  /** The last page is another object after every change; a full page never is. */
  get pages(): readonly Page[] {
    return this.#pages;
  }

  /** Called for each frame with the text that has arrived since the last one. */
  write(text: string): void {
    this.#tail += text.replaceAll('\r', '');
    this.#update();
  }

  /** No text follows: a formula without an end is not waited for any longer. */
  end(): void {
    this.#ended = true;
    this.#update();
  }

  #update(): void {
    const open = this.#advance();
    const last = open.length === 0 ? this.#settled : [...this.#settled, open];
    this.#pages = last.length === 0 ? [...this.#full] : [...this.#full, last];
  }

  /** Settles every block that is complete, and returns the nodes of the tail. */
  #advance(): Block {
    for (;;) {
      if (this.#fence !== null && !this.#continueCode(this.#fence)) {
        return [this.#codeBlock(this.#fence)];
      }
      if (this.#tail.trim() === '') return [];
      const source = this.#header + this.#tail;
      const tokens = parseMarkdown(source, { references: Object.create(this.#definitions) });
      const blocks = blocksOf(tokens);
      const starts = lineStarts(source);
      if (blocks.length === 0 && this.#settleDefinitions()) continue;
      const at = this.#lastStart(blocks, source, starts);
      if (at > this.#header.length) {
        this.#settle(at - this.#header.length);
        continue;
      }
      const [block] = blocks;
      if (block && this.#beginCode(block, starts)) continue;
      if (block && this.#split(block, tokens, source, starts)) continue;
      const next = starts[blocks[1]?.map?.[0] ?? starts.length];
      const formula = this.#openFormula(source, block, 0, next ?? source.length);
      if (formula === null) return nodesOf(tokens);
      return [...nodesOf(parseMarkdown(source.slice(0, formula), {})), ...plain(source, formula)];
    }
  }

  /**
   * Returns where the last block starts, or a formula whose end is missing. A block that starts in
   * the last line, which may be incomplete, could still become part of the block before it.
   */
  #lastStart(blocks: readonly Token[], source: string, starts: readonly number[]): number {
    const complete = starts.length - 1;
    let last = 0;
    for (const [index, block] of blocks.entries()) {
      const line = block.map?.[0] ?? 0;
      if (line >= complete) break;
      last = starts[line] ?? 0;
      const next = starts[blocks[index + 1]?.map?.[0] ?? complete];
      if (this.#openFormula(source, block, last, next ?? source.length) !== null) break;
    }
    return last;
  }

  /**
   * Returns where a formula starts in a block if its end has not arrived; null if there is none.
   * Its next lines could look like other blocks.
   */
  #openFormula(source: string, block: Token | undefined, from: number, to: number): number | null {
    if (this.#ended || !block?.type.endsWith('_open')) return null;
    for (const { 0: start, 1: opener, index } of source.slice(from, to).matchAll(FORMULA_START)) {
      const at = from + index;
      const isLong = source.length - at > FORMULA_CHARS_MAX;
      const close = opener === '$$' ? '$$' : '\\]';
      if (!isLong && !source.includes(close, at + start.length)) return at;
    }
    return null;
  }

  /**
   * Definitions of links make no block, so a long text of them alone would be parsed again and again.
   * Keeps the definitions of its complete lines, and returns whether there are enough of them.
   */
  #settleDefinitions(): boolean {
    const complete = this.#tail.lastIndexOf('\n') + 1;
    if (complete < SPLIT_CHARS) return false;
    this.#settle(complete);
    return true;
  }

  /** Moves the first `chars` of the tail into blocks of the last page. */
  #settle(chars: number): void {
    const source = this.#header + this.#tail.slice(0, chars);
    this.#tail = this.#tail.slice(chars);
    this.#header = '';
    this.#add(nodesOf(parseMarkdown(source, { references: this.#definitions })), chars);
  }

  #add(block: Block, chars: number): void {
    if (block.length === 0) return;
    this.#settled = [...this.#settled, block];
    this.#pageChars += chars;
    if (this.#pageChars < PAGE_CHARS) return;
    this.#full.push(this.#settled);
    this.#settled = [];
    this.#pageChars = 0;
  }

  /** Code is never parsed: its lines are taken as they are until its end. */
  #beginCode(block: Token, starts: readonly number[]): boolean {
    const first = block.map?.[0] ?? 0;
    const from = starts[first + 1];
    if (block.type !== 'fence' || from === undefined || this.#header !== '') return false;
    const indent = /^ */.exec(this.#tail.slice(starts[first]))?.[0].length ?? 0;
    const mark = block.markup[0] === '~' ? '~' : '`';
    this.#fence = {
      closer: new RegExp(`^ {0,3}${mark}{${block.markup.length},}[ \\t]*$`),
      prefix: new RegExp(`^ {0,${indent}}`),
      language: languageOf(block.info),
    };
    this.#code = '';
    this.#tail = this.#tail.slice(from);
    return true;
  }

  /** Takes lines of code, and returns whether the code has ended. */
  #continueCode(fence: Fence): boolean {
    let from = 0;
    const lines: string[] = [];
    for (let end = this.#tail.indexOf('\n'); end >= 0; end = this.#tail.indexOf('\n', from)) {
      const line = this.#tail.slice(from, end);
      from = end + 1;
      if (fence.closer.test(line)) {
        const text = this.#code + lines.join('');
        this.#tail = this.#tail.slice(from);
        this.#fence = null;
        this.#add([{ kind: 'block', language: fence.language, text }], text.length);
        return true;
      }
      lines.push(`${line.replace(fence.prefix, '')}\n`);
    }
    this.#code += lines.join('');
    this.#tail = this.#tail.slice(from);
    return false;
  }

  /** Includes the incomplete line, unless it looks like the start of the end. */
  #codeBlock({ language }: Fence): Node {
    const line = /^ {0,3}[`~]+[ \t]*$/.test(this.#tail) ? '' : this.#tail;
    return { kind: 'block', language, text: this.#code + line };
  }

  /** Settles the first part of a block that is too long to be parsed again and again. */
  #split(
    block: Token,
    tokens: readonly Token[],
    source: string,
    starts: readonly number[],
  ): boolean {
    const before = this.#header.length;
    if (this.#tail.length > SPLIT_CHARS) {
      const complete = starts.length - 1;
      if (/^(?:bullet|ordered)_list_open$/.test(block.type)) {
        const items = tokens.filter(({ type, level }) => type === 'list_item_open' && level === 1);
        const at = starts[items.at(-1)?.map?.[0] ?? 0] ?? 0;
        if (at > before) return this.#cut(at - before);
      }
      // The last complete row stays, so that the continued table is never empty.
      const row = starts[complete - 1] ?? 0;
      if (block.type === 'table_open' && row > before) {
        const header = source.slice(0, starts[2]);
        this.#cut(row - before);
        this.#header = header;
        return true;
      }
    }
    const max = block.type === 'paragraph_open' ? SPLIT_CHARS : BLOCK_CHARS_MAX;
    return this.#tail.length > max && this.#cut(breakIn(this.#tail, max));
  }

  #cut(chars: number): true {
    this.#settle(chars);
    return true;
  }
}

/** The tokens that begin the outermost blocks. */
function blocksOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ level, nesting, map }) => level === 0 && nesting >= 0 && map !== null);
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

function plain(source: string, from: number): Block {
  const text = source.slice(from).trim();
  return [{ kind: 'plain', name: 'p', children: [{ kind: 'text', text }] }];
}
