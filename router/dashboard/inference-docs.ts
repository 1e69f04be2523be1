/**
 * Plugins of the build for `docs/inference/`. Each page becomes a module with a React component, so
 * that browsers load no Markdown parser and no highlighter. The pages are also written as text, with
 * `llms.txt` as their index, for the router to serve.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import mdx from '@mdx-js/rollup';
import type { Element, ElementContent, Root, RootContent } from 'hast';
import rehypeHighlight from 'rehype-highlight';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { SKIP, visit } from 'unist-util-visit';
import type { Plugin } from 'vite';
import { sectionsOf } from './docs-sections.ts';
import {
  type DocsHeading,
  type DocsSection,
  EXAMPLES,
  type ExampleName,
} from './pages/docs/contents.ts';
import type { Section } from './pages/docs/search/docs-search.ts';

const FOLDER = join(import.meta.dirname, '../../docs/inference');
/** Lists all pages in the order in which they are read, and becomes `llms.txt`. */
const INDEX = join(FOLDER, 'README.md');
/** The pages with their headings, and the texts that the search reads. */
const MODULES: Readonly<Record<string, () => string>> = {
  'virtual:inference-docs': () => `export const SECTIONS = ${JSON.stringify(sections())};`,
  'virtual:inference-texts': () => `export const TEXTS = ${JSON.stringify(texts())};`,
};

/** A page in the index, as in `- [Streaming](streaming.md): Answers that arrive as they are made.` */
const LISTED = /^- \[([^\]]+)\]\(([a-z-]+)\.md\): (.+)$/;

export function inferenceDocs(): Plugin[] {
  return [
    {
      ...(mdx({
        format: 'md',
        remarkPlugins: [remarkGfm],
        rehypePlugins: [rehypeSlug, rehypeHighlight, groupSnippets, markExamples],
      }) as Plugin),
      enforce: 'pre',
    },
    {
      name: 'inference-docs',
      resolveId: (id) => (id in MODULES ? `\0${id}` : null),
      load(id) {
        const module = id.startsWith('\0') ? MODULES[id.slice(1)] : undefined;
        if (!module) return null;
        for (const file of readdirSync(FOLDER)) this.addWatchFile(join(FOLDER, file));
        return module();
      },
      generateBundle() {
        const emit = (fileName: string, source: string) =>
          this.emitFile({ type: 'asset', fileName, source: withPlaceholders(source) });
        for (const { pages } of sections()) {
          for (const { name } of pages) emit(`docs/${name}.md`, read(`${name}.md`));
        }
        emit(
          'docs/llms.txt',
          read('README.md').replace(/\]\(([a-z-]+\.md)\)/g, '](%SITE%/docs/$1)'),
        );
      },
    },
  ];
}

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

/** Returns the pages under the headings of the index. Throws if the index lacks a page. */
function sections(): DocsSection[] {
  const found = read('README.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf('\n')),
      pages: text.split('\n').flatMap((line) => {
        const [, title, name, about] = LISTED.exec(line) ?? [];
        if (title === undefined || name === undefined || about === undefined) return [];
        return [{ name, title, about, headings: headingsOf(name) }];
      }),
    }));
  const listed = found.flatMap(({ pages }) => pages.map(({ name }) => `${name}.md`));
  const files = readdirSync(FOLDER).filter((file) => file !== basename(INDEX));
  const lost = files.filter((file) => !listed.includes(file));
  if (lost.length > 0) throw new Error(`docs/inference/README.md does not list ${lost.join(', ')}`);
  return found;
}

function headingsOf(page: string): DocsHeading[] {
  return sectionsOf(read(`${page}.md`))
    .filter(({ level }) => level === 2 || level === 3)
    .map(({ id, title, level }) => ({ id, title, level }));
}

/** Returns what the search reads: every section of every page. */
function texts(): Section[] {
  return sections().flatMap(({ pages }) =>
    pages.flatMap(({ name, title: pageTitle }) =>
      sectionsOf(read(`${name}.md`)).map(({ id, title, text }) => ({
        page: name,
        pageTitle,
        id,
        title,
        text,
      })),
    ),
  );
}

/** The router replaces the placeholder with the base URL, as it does in `index.html`. */
function withPlaceholders(page: string): string {
  return page.replaceAll(EXAMPLES.origin, '%BASE%').replaceAll(/^<!--.*?-->\n+/gms, '');
}

/**
 * Groups neighbouring blocks of code that have a name after their language, as in "```sh curl". They
 * are shown as tabs.
 */
function groupSnippets() {
  return (tree: Root) => {
    const children: RootContent[] = [];
    let group: Element | null = null;
    for (const node of tree.children) {
      const snippet = snippetOf(node);
      if (snippet === null) {
        if (node.type !== 'text' || node.value.trim() !== '') group = null;
        children.push(node);
      } else if (group !== null && snippet.properties['name'] !== null) {
        group.children.push(snippet);
      } else {
        const made: Element = element('snippets', {}, [snippet]);
        children.push(made);
        group = snippet.properties['name'] === null ? null : made;
      }
    }
    tree.children = children;
  };
}

function snippetOf(node: RootContent): Element | null {
  if (node.type !== 'element' || node.tagName !== 'pre') return null;
  const [code] = node.children;
  if (code?.type !== 'element') return null;
  const name = (code.data as { meta?: string } | undefined)?.meta ?? null;
  const text = textOf(code).replace(/\n$/, '');
  const classes = [code.properties['className']].flat().map(String);
  const language = classes.find((one) => one.startsWith('language-'))?.slice('language-'.length);
  return element('snippet', { name, language: language ?? null, text }, code.children);
}

/** Marks the values that are replaced with the reader's own, wherever a text has them. */
function markExamples() {
  return (tree: Root) => {
    const before = occurrences(textOf(tree));
    let marked = 0;
    visit(tree, 'text', (node, index, parent) => {
      const pieces = node.value.split(ANY_EXAMPLE);
      if (pieces.length === 1 || index === undefined || !parent) return;
      const filled = pieces.map((piece): ElementContent => {
        const name = NAMES.get(piece);
        return name === undefined
          ? { type: 'text', value: piece }
          : element('filled', { name }, []);
      });
      marked += filled.filter(({ type }) => type === 'element').length;
      (parent as Element).children.splice(index, 1, ...filled);
      return [SKIP, index + filled.length];
    });
    // The highlighter may have split a value.
    if (marked !== before) throw new Error(`${before - marked} example values are not whole`);
  };
}

const NAMES: ReadonlyMap<string, string> = new Map(
  (Object.keys(EXAMPLES) as ExampleName[]).map((name) => [EXAMPLES[name], name]),
);
const ANY_EXAMPLE = new RegExp(
  `(${[...NAMES.keys()].map((value) => RegExp.escape(value)).join('|')})`,
);

function occurrences(text: string): number {
  return text.split(ANY_EXAMPLE).filter((piece) => NAMES.has(piece)).length;
}

function textOf(node: Root | RootContent): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function element(
  tagName: string,
  properties: Record<string, string | null>,
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children };
}
