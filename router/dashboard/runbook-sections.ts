/** Reads docs/runbooks.md: the tables of all runbooks by subject, and the section of each. */
import { type DocsHeading } from './pages/docs/contents.ts';
import { sectionsOf } from './docs-sections.ts';

export type Runbook = Readonly<{
  /** The name of the alert, which is also the heading of the section. */
  name: string;
  /** What happens, as people call it: "No worker can serve a model". */
  title: string;
  /** As the table has it, such as "ticket, page two days before". */
  severity: string;
  /** What to do first, as a text. */
  first: string;
  headings: readonly DocsHeading[];
  /** The words of the section, for the search. */
  text: string;
}>;

export type RunbookGroup = Readonly<{ title: string; runbooks: readonly Runbook[] }>;

const ROW = /^\| ([^|[]+) \| \[(Penstock\w+)\]\(#(\w+)\) \| ([^|]+) \| ([^|]+) \|$/;

/** Returns the Markdown below the heading of each runbook, by its name. */
export function runbookTexts(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^## (Penstock\w+)\n/m).slice(1);
  return new Map(
    parts.flatMap((name, at) => (at % 2 === 0 ? [[name, (parts[at + 1] ?? '').trim()]] : [])),
  );
}

/** Throws if a table names a runbook that has no section, or if no table names a section. */
export function runbookGroups(page: string): readonly RunbookGroup[] {
  const texts = runbookTexts(page);
  const unlisted = new Set(texts.keys());
  const [, index = ''] = /^## All runbooks\n(.*?)^## /ms.exec(page) ?? [];
  const groups = index
    .split(/^### /m)
    .slice(1)
    .map((group) => {
      const [title = '', ...lines] = group.split('\n');
      const runbooks = lines.flatMap((line) => {
        const [, what = '', name = '', anchor, severity = '', first = ''] = ROW.exec(line) ?? [];
        if (anchor === undefined) return [];
        if (anchor !== name.toLowerCase() || !unlisted.delete(name)) {
          throw new Error(`docs/runbooks.md: the table row of ${name} leads nowhere`);
        }
        return [
          {
            name,
            title: what,
            severity,
            first: first.replaceAll('`', ''),
            ...read(texts.get(name) ?? ''),
          },
        ];
      });
      return { title, runbooks };
    });
  if (unlisted.size > 0) {
    throw new Error(`docs/runbooks.md: no table lists ${[...unlisted].join(', ')}`);
  }
  return groups;
}

/** What each alert means, by its name. */
export function runbookTitles(page: string): Readonly<Record<string, string>> {
  const runbooks = runbookGroups(page).flatMap((group) => group.runbooks);
  return Object.fromEntries(runbooks.map(({ name, title }) => [name, title]));
}

function read(section: string): Pick<Runbook, 'headings' | 'text'> {
  const sections = sectionsOf(`# Title\n\n${section}`);
  return {
    headings: sections
      .filter(({ level }) => level > 1)
      .map(({ id, title }) => ({ id, title, level: 2 })),
    text: sections.map(({ text }) => text).join(' '),
  };
}
