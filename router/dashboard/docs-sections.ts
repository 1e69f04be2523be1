/**
 * Reads the sections of a page of `docs/inference/` for the search and for the list of headings: each
 * heading with its id, as `rehype-slug` makes it, and the text below it.
 */
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

export type PageSection = Readonly<{
  /** The id of the heading; empty for what is above the first heading below the title. */
  id: string;
  title: string;
  /** 2 or 3; 1 for the title of the page. */
  level: number;
  text: string;
}>;

const markdown = new MarkdownIt({ html: true });
const SHOWN = new Set(['inline', 'fence', 'code_block']);

export function sectionsOf(page: string): readonly PageSection[] {
  const slugger = new GithubSlugger();
  const sections: { id: string; title: string; level: number; pieces: string[] }[] = [];
  let level = 0;
  for (const token of markdown.parse(page, {})) {
    if (token.type === 'heading_open') level = Number(token.tag.slice(1));
    else if (token.type === 'heading_close') level = 0;
    else if (SHOWN.has(token.type)) {
      const text = token.type === 'inline' ? plain(token.children ?? []) : token.content;
      if (level === 0) sections.at(-1)?.pieces.push(text);
      else {
        const slug = slugger.slug(text);
        sections.push({ id: level === 1 ? '' : slug, title: text, level, pieces: [] });
      }
    }
  }
  return sections.map(({ pieces, ...section }) => ({
    ...section,
    text: pieces.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

type Inline = Readonly<{ type: string; content: string }>;

/** The text of a line as it is read: without marks, and links without their addresses. */
function plain(tokens: readonly Inline[]): string {
  return tokens
    .map(({ type, content }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'html_inline' ? '' : content;
    })
    .join('');
}
