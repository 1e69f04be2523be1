/**
 * Rules that find mathematics: `$…$`, `\(…\)`, and `$$…$$` or `\[…\]`, which may span lines. The
 * tokens `math_inline` and `math_block` have the TeX source as their content.
 */
import type MarkdownIt from 'markdown-it';

type InlineRule = Parameters<MarkdownIt['inline']['ruler']['before']>[2];
type BlockRule = Parameters<MarkdownIt['block']['ruler']['before']>[2];
type InlineState = Parameters<InlineRule>[0];

/** A formula that is longer is plain text. */
export const FORMULA_CHARS_MAX = 4_096;

const CLOSES = { $$: '$$', '\\[': '\\]' } as const;

export function addMath(parser: MarkdownIt): void {
  parser.block.ruler.before('fence', 'math_block', mathBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  // Before the rule that takes a backslash as an escape.
  parser.inline.ruler.before('escape', 'math_inline', mathInline);
}

/** A block begins with `$$` or `\[` at the start of a line, and ends with the line of its closer. */
const mathBlock: BlockRule = (state, first, end, silent) => {
  const start = (state.bMarks[first] ?? 0) + (state.tShift[first] ?? 0);
  const opener = state.src.slice(start, start + 2);
  if (opener !== '$$' && opener !== '\\[') return false;
  if ((state.sCount[first] ?? 0) - state.blkIndent >= 4) return false;
  const close = CLOSES[opener];
  const at = closerAt(state, close, start + 2);
  if (at - start > FORMULA_CHARS_MAX) return false;
  let last = first;
  while (last < end && (state.eMarks[last] ?? 0) < at + 2) {
    last += 1;
    // A line that is indented less ends a list item, and the block with it.
    if ((state.sCount[last] ?? 0) < state.blkIndent) return false;
  }
  if (last >= end || state.src.slice(at + 2, state.eMarks[last]).trim() !== '') return false;
  if (state.src.slice(start + 2, at).trim() === '') return false;
  if (silent) return true;
  // Without the marks of a quotation that the block stands in.
  const text = state.getLines(first, last + 1, state.blkIndent, false);
  state.line = last + 1;
  const token = state.push('math_block', 'math', 0);
  token.content = text.slice(text.indexOf(opener) + 2, text.lastIndexOf(close));
  token.map = [first, last + 1];
  return true;
};

const mathInline: InlineRule = (state, silent) => {
  const found = formulaAt(state);
  if (found === null) return false;
  if (!silent) {
    const token = state.push('math_inline', 'math', 0);
    token.content = found.source;
    token.meta = { display: found.display };
  }
  state.pos = found.end;
  return true;
};

type Found = Readonly<{ source: string; display: boolean; end: number }>;

function formulaAt(state: InlineState): Found | null {
  const { src, pos, posMax } = state;
  const opener = src.slice(pos, pos + 2);
  if (opener === '\\(') return between(state, '\\)', false);
  if (opener === '\\[') return between(state, '\\]', true);
  if (opener === '$$') return between(state, '$$', true);
  return src[pos] === '$' ? betweenDollars(src, pos + 1, posMax) : null;
}

function between(state: InlineState, close: string, display: boolean): Found | null {
  const from = state.pos + 2;
  const at = closerAt(state, close, from);
  if (at - from > FORMULA_CHARS_MAX || at + close.length > state.posMax) return null;
  const source = state.src.slice(from, at);
  return source.trim() === '' ? null : { source, display, end: at + close.length };
}

/** The last searches in a text: no closer is between `from` and `at`. */
type Searched = Record<string, Readonly<{ from: number; at: number }>>;
const searches = new WeakMap<object, Searched>();

/**
 * Returns where the next closer is; Infinity when there is none. It remembers the last search, so
 * that many openers without a closer do not each search the whole text.
 */
function closerAt(state: Readonly<{ src: string }>, close: string, from: number): number {
  const searched = searches.get(state) ?? {};
  const last = searched[close];
  if (last && from >= last.from && from <= last.at) return last.at;
  const found = state.src.indexOf(close, from);
  const at = found < 0 ? Infinity : found;
  searched[close] = { from, at };
  searches.set(state, searched);
  return at;
}

/**
 * As in Pandoc, so that "$5 and $10" is no formula: no space after the first dollar nor before the
 * last, and no digit after the last.
 */
function betweenDollars(src: string, from: number, max: number): Found | null {
  if (/\s/.test(src[from] ?? ' ')) return null;
  let at = src.indexOf('$', from);
  while (at >= 0 && src[at - 1] === '\\') at = src.indexOf('$', at + 1);
  if (at <= from || at >= max || at - from > FORMULA_CHARS_MAX) return null;
  const source = src.slice(from, at);
  if (/\s$/.test(source) || /\d/.test(src[at + 1] ?? '') || source.includes('\n\n')) return null;
  return { source, display: false, end: at + 1 };
}
