/**
 * The Markdown that models write: CommonMark with tables, bare addresses and mathematics. HTML is
 * plain text.
 */
import MarkdownIt from 'markdown-it';
import { addMath } from './math-rules.ts';

const COLUMNS_MAX = 50;

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
// Only addresses that name their scheme become links, so that no file name does.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
limitColumns();
addMath(parser);

/**
 * A table with more columns is plain text: each of its rows would be filled up with empty cells.
 */
function limitColumns(): void {
  const [table] = parser.block.ruler.getRules('');
  if (!table) throw new Error('the parser has no rules');
  parser.block.ruler.at(
    'table',
    (state, first, end, silent) => {
      const line = state.src.slice(state.bMarks[first], state.eMarks[first]);
      return (
        line.split('|', COLUMNS_MAX + 2).length < COLUMNS_MAX + 2 &&
        table(state, first, end, silent)
      );
    },
    { alt: ['paragraph', 'reference'] },
  );
}

/** The definitions of links, which later blocks may use. */
export type Definitions = Record<string, unknown>;

export type Token = ReturnType<typeof parser.parse>[number];

export function parseMarkdown(text: string, definitions: Definitions): readonly Token[] {
  return parser.parse(text, definitions);
}
