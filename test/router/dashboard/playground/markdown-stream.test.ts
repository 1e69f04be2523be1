import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MarkdownStream } from '../../../../router/dashboard/pages/playground/markdown/markdown-stream.ts';
import {
  type Node,
  nodesOf,
} from '../../../../router/dashboard/pages/playground/markdown/nodes.ts';
import { parseMarkdown } from '../../../../router/dashboard/pages/playground/markdown/parser.ts';

function streamed(pieces: readonly string[]): readonly Node[] {
  const stream = new MarkdownStream(null);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return stream.pages.flat().flat();
}

function whole(text: string): readonly Node[] {
  return nodesOf(parseMarkdown(text, {}));
}

/** Lines that begin, continue and interrupt blocks of all kinds. */
const LINES = [
  'A line of text with **strong**, `code` and $x^2$.',
  'another line',
  '',
  '',
  '# A heading',
  '#hashtag',
  '---',
  '===',
  '- an item',
  '  - a nested item',
  '  its continuation',
  '1. one',
  '2. two',
  '> quoted',
  '```python',
  '```',
  '   ```',
  '~~~',
  '    indented',
  '| a | b |',
  '|---|--:|',
  '| 1 | 2 |',
  '$$',
  'x = 1',
  '\\[ y = 2 \\]',
  '\\(z\\) and more',
  '[a link](https://example.com)',
] as const;

test('a text that streams is shown as the whole text would be, wherever its pieces end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...LINES), { maxLength: 24 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
      (lines, sizes) => {
        const text = `${lines.join('\n')}\n`;
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(streamed(pieces)).toEqual(whole(text));
      },
    ),
    { numRuns: 500 },
  );
});

test('what is settled never changes, and only the last page is another', () => {
  const stream = new MarkdownStream(null);
  const paragraph = `${'word '.repeat(60)}\n\n`;
  for (let index = 0; index < 40; index += 1) stream.write(paragraph);
  const before = stream.pages;
  expect(before.length).toBeGreaterThan(2);
  stream.write(paragraph);
  for (const [index, page] of before.slice(0, -1).entries()) expect(stream.pages[index]).toBe(page);
  expect(stream.pages.at(-1)?.[0]).toBe(before.at(-1)?.[0]);
});

test('definitions of links alone are settled, too, and hold for what follows', () => {
  const stream = new MarkdownStream(null);
  for (let n = 0; n < 2_000; n++) stream.write(`[name${n}]: https://example.com/${n}\n`);
  expect(stream.pages).toEqual([]);
  stream.write('\nSee [this][name7].\n');
  expect(JSON.stringify(stream.pages)).toContain('https://example.com/7');
});

test('a block stays the same object in its page when the next one begins', () => {
  const stream = new MarkdownStream(null);
  stream.write('One\n\nTwo\n');
  const [one] = stream.pages[0] ?? [];
  stream.write('more words');
  expect(stream.pages[0]?.[0]).toBe(one);
  expect(stream.pages[0]).toHaveLength(2);
});

test('a long list and a long table go on in blocks of their own, with their numbers and header', () => {
  const items = Array.from({ length: 400 }, (_, index) => `${index + 1}. item ${index + 1}\n`);
  const lists = streamed(items);
  expect(lists.length).toBeGreaterThan(1);
  const numbers = lists.flatMap((list) =>
    list.kind === 'ordered' ? list.children.map((_, index) => list.start + index) : [],
  );
  expect(numbers).toEqual(items.map((_, index) => index + 1));

  const rows = Array.from({ length: 400 }, (_, index) => `| row ${index} | value |\n`);
  const tables = streamed(['| name | value |\n|---|---|\n', ...rows, '\nAfter it']);
  const shown = tables.flatMap((table) => (table.kind === 'table' ? [table.children] : []));
  expect(shown.length).toBeGreaterThan(1);
  const bodies = shown.map(([, body]) => (body?.kind === 'plain' ? body.children.length : 0));
  expect(bodies.every((length) => length > 0)).toBe(true);
  expect(bodies.reduce((sum, length) => sum + length)).toBe(400);
  expect(tables.at(-1)).toMatchObject({ kind: 'plain', name: 'p' });
});

test('code is one block however long it is, and is shown before it ends', () => {
  const line = 'const value = 1;\n';
  const code = line.repeat(2_000);
  const stream = new MarkdownStream(null);
  stream.write('```ts\n');
  for (let index = 0; index < 2_000; index += 1) stream.write(line);
  const open = stream.pages.flat().flat();
  expect(open).toEqual([{ kind: 'block', language: 'ts', text: code }]);
  stream.write('```\nAfter it');
  expect(stream.pages.flat().flat()).toEqual([
    { kind: 'block', language: 'ts', text: code },
    { kind: 'plain', name: 'p', children: [{ kind: 'text', text: 'After it' }] },
  ]);
});

test('an answer in JSON is one block of code', () => {
  const stream = new MarkdownStream('json');
  stream.write('{"a": "__b__",\n');
  stream.write('```');
  expect(stream.pages).toEqual([[[{ kind: 'block', language: 'json', text: '{"a": "__b__",\n' }]]]);
});

test('a formula is plain text until it ends, and for good when it is too long', () => {
  const stream = new MarkdownStream(null);
  stream.write('\\[\n- x\n');
  expect(JSON.stringify(stream.pages)).not.toContain('"ul"');
  stream.write('= 1\n\\]\n');
  expect(stream.pages.flat().flat()).toEqual([
    { kind: 'formula', source: '\n- x\n= 1\n', display: true },
  ]);
  const endless = streamed(['$$\n', ...Array.from({ length: 500 }, () => 'a line of text\n\n')]);
  expect(endless.length).toBeGreaterThan(100);
});
