/**
 * The plugin of the build for docs/runbooks.md. Each section becomes a module of its own, which the
 * plugin of `inference-docs.ts` compiles as it does the pages for customers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { runbookGroups, runbookTexts, runbookTitles } from './runbook-sections.ts';

const FILE = join(import.meta.dirname, '../../docs/runbooks.md');
const INDEX = 'virtual:runbooks';
const SECTION = 'virtual:runbooks/';
/** Apart from the index, which has all words for the search. */
const TITLES = 'virtual:runbook-titles';
const QUERY = '?runbook=';

export function runbookDocs(): Plugin {
  return {
    name: 'runbook-docs',
    enforce: 'pre',
    resolveId(id) {
      if (id === INDEX || id === TITLES) return `\0${id}`;
      return id.startsWith(SECTION) ? FILE + QUERY + id.slice(SECTION.length) : null;
    },
    load(id) {
      const isSection = id.startsWith(FILE + QUERY);
      if (!isSection && id !== `\0${INDEX}` && id !== `\0${TITLES}`) return null;
      this.addWatchFile(FILE);
      const page = readFileSync(FILE, 'utf8');
      if (isSection) return runbookTexts(page).get(id.slice((FILE + QUERY).length)) ?? null;
      if (id === `\0${INDEX}`) return index(page);
      return `export const TITLES = ${JSON.stringify(runbookTitles(page))};`;
    },
  };
}

/** The runbooks by subject, and a function for each that loads its text. */
function index(page: string): string {
  const loads = [...runbookTexts(page).keys()].map(
    (name) => `${name}: () => import('${SECTION}${name}')`,
  );
  return [
    `export const GROUPS = ${JSON.stringify(runbookGroups(page))};`,
    `export const LOADS = { ${loads.join(', ')} };`,
  ].join('\n');
}
