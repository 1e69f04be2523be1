import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Buffer, BUFFERS } from './table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const [BEGIN, END] = ['<!-- buffers: test/bounds/table.ts -->', '<!-- end of buffers -->'] as const;
const HEAD =
  '| Buffer | Where | Bound for a peer | In total | When a bound is exceeded |\n|---|---|---|---|---|';

function line({ what, where, peer, inAll, beyond }: Buffer): string {
  const files = where.map((file) => `\`${file.replace(/^router\//, '')}\``).join(', ');
  return `| ${what} | ${files} | ${peer} | ${inAll} | ${beyond} |`;
}

function tables(): string {
  const parts = Object.entries(BUFFERS).map(
    ([title, rows]) => `${title}:\n\n${HEAD}\n${rows.map(line).join('\n')}`,
  );
  return `${BEGIN}\n${parts.join('\n\n')}\n${END}`;
}

test('docs/ARCHITECTURE.md has the table of buffers as it is', async () => {
  const document = await readFile(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  expect(Math.min(from, to)).toBeGreaterThan(0);
  const anew = document.slice(0, from) + tables() + document.slice(to + END.length);
  await expect(anew).toMatchFileSnapshot('../../docs/ARCHITECTURE.md');
});

test.each(Object.values(BUFFERS).flat())(
  '$what: its files are there, and so is the test that drives it over its bound',
  async ({ where, test: [file, title] }) => {
    for (const path of where) await readFile(join(ROOT, path), 'utf8');
    const text = await readFile(join(ROOT, 'test', file), 'utf8');
    const titles = [...text.matchAll(/\btest\(\s*(['"`])((?:(?!\1).)+)\1/g)].map(
      ([, , name]) => name,
    );
    expect(titles).toContain(title);
  },
);
