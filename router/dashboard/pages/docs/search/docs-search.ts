/** Finds sections of the documentation by the words of a search. */
import { searchWords } from '../../../format/search-words.ts';

/** A heading of a page with the text below it, as the build has written it. */
export type Section = Readonly<{
  /** The name of the page in its address. */
  page: string;
  pageTitle: string;
  /** The id of the heading; empty for the beginning of the page. */
  id: string;
  title: string;
  text: string;
}>;

export type Hit = Readonly<{ section: Section; excerpt: string }>;

const HITS_MAX = 20;
const BEFORE_CHARS = 40;
const EXCERPT_CHARS = 150;

/**
 * Returns the sections that have every word in their title, the title of their page or their text.
 * Those with more of the words in a title come first; equal ones keep the order of the pages.
 */
export function searched(sections: readonly Section[], search: string): readonly Hit[] {
  const words = searchWords(search);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, HITS_MAX)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

/** Returns 0 if a word is missing. */
function rankOf({ pageTitle, title, text }: Section, words: readonly string[]): number {
  const [inTitle, inPage, inText] = [title, pageTitle, text].map((one) => one.toLowerCase());
  let rank = 0;
  for (const word of words) {
    if (inTitle?.includes(word)) rank += inTitle.startsWith(word) ? 12 : 10;
    else if (inPage?.includes(word)) rank += 4;
    else if (inText?.includes(word)) rank += 1;
    else return 0;
  }
  return rank;
}

/** Cuts the text around the first word that it has. */
function excerptOf(text: string, words: readonly string[]): string {
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((at) => at !== -1);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = at <= BEFORE_CHARS ? 0 : text.indexOf(' ', at - BEFORE_CHARS) + 1;
  const rest = text.slice(start);
  const before = start > 0 ? '…' : '';
  if (rest.length <= EXCERPT_CHARS) return `${before}${rest}`;
  // A word that is longer than the excerpt is cut.
  const space = rest.lastIndexOf(' ', EXCERPT_CHARS);
  return `${before}${rest.slice(0, space === -1 ? EXCERPT_CHARS : space)}…`;
}
