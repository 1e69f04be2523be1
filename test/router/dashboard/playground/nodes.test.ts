import { expect, test } from 'vitest';
import { MarkdownStream } from '../../../../router/dashboard/pages/playground/markdown/markdown-stream.ts';
import {
  isTask,
  type Node,
  nodesOf,
} from '../../../../router/dashboard/pages/playground/markdown/nodes.ts';
import { parseMarkdown } from '../../../../router/dashboard/pages/playground/markdown/parser.ts';

function parsed(text: string): readonly Node[] {
  return nodesOf(parseMarkdown(text, {}));
}

/** All nodes of a tree. */
function flat(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [node, ...('children' in node ? flat(node.children) : [])]);
}

function urlsIn(text: string): string[] {
  return flat(parsed(text)).flatMap((node) => (node.kind === 'link' ? [node.url] : []));
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg/onload=alert(1)>',
  '<iframe src="//evil.example"></iframe>',
  '<style>* { display: none }</style>',
  '<!-- --><b>x</b>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:x)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://example.com/1)',
  '[x](//evil.example)',
  '[x](/org_1/settings)',
  '[x](#api)',
  '[x](mailto:a@example.com)',
  '[x](https:evil.example)',
  '[x](https:\\\\evil.example)',
  '<javascript:alert(1)>',
  '<data:text/html,x>',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x](javascript:alert(1))',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '![x][y]\n\n[y]: data:text/html,x',
  'javascript:alert(1)',
] as const;

test.each(HOSTILE)('a hostile text has no link and is shown as text: %j', (text) => {
  expect(urlsIn(text)).toEqual([]);
  const kinds = new Set(flat(parsed(text)).map(({ kind }) => kind));
  expect([...kinds].every((kind) => ['plain', 'text', 'break'].includes(kind))).toBe(true);
});

test('links lead to http and https alone, and an image is a link', () => {
  expect(urlsIn('[a](https://example.com/a) <http://example.com/b> https://example.com/c')).toEqual(
    ['https://example.com/a', 'http://example.com/b', 'https://example.com/c'],
  );
  expect(parsed('![A cat](https://example.com/cat.png)')).toEqual([
    {
      kind: 'plain',
      name: 'p',
      children: [
        {
          kind: 'link',
          url: 'https://example.com/cat.png',
          children: [{ kind: 'text', text: 'Image: A cat' }],
        },
      ],
    },
  ]);
  expect(urlsIn('readme.md and example.com and 10.0.0.1')).toEqual([]);
});

test('mathematics is found, and amounts of money are not', () => {
  const formulas = (text: string) =>
    flat(parsed(text)).flatMap((node) => (node.kind === 'formula' ? [node] : []));
  expect(formulas('so $x^2$ and \\(y_1\\) and $$z$$')).toEqual([
    { kind: 'formula', source: 'x^2', display: false },
    { kind: 'formula', source: 'y_1', display: false },
    { kind: 'formula', source: 'z', display: true },
  ]);
  expect(formulas('> $$\n> a\n> $$')).toEqual([
    { kind: 'formula', source: '\na\n', display: true },
  ]);
  expect(formulas('- item\n  \\[\n  a\n  \\]')).toHaveLength(1);
  for (const text of ['It costs $5 or $10.', '$5', '`$x$`', '\\$x\\$', '$ x $', '$$$', '$$$$']) {
    expect(formulas(text)).toEqual([]);
  }
});

test('tables, tasks and lists keep what they say', () => {
  const nodes = flat(
    parsed('| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n7. seven'),
  );
  const cells = nodes.flatMap((node) => (node.kind === 'cell' ? [node] : []));
  expect(cells.map(({ isHead, align }) => [isHead, align])).toEqual([
    [true, 'center'],
    [true, 'right'],
    [false, 'center'],
    [false, 'right'],
  ]);
  const texts = nodes.flatMap((node) => (node.kind === 'text' ? [node.text] : []));
  expect(texts).toEqual(['a', 'b', '1', '2', '☑ done', '☐ open', 'seven']);
  expect(nodes).toContainEqual(expect.objectContaining({ kind: 'ordered', start: 7 }));
  const items = nodes.flatMap((node) =>
    node.kind === 'plain' && node.name === 'li' ? [isTask(node.children)] : [],
  );
  expect(items).toEqual([true, true, false]);
});

/** Texts that take some parsers of Markdown a time that grows with the square of their length. */
const SLOW: Readonly<Record<string, string>> = {
  brackets: '['.repeat(50_000),
  'images in images': '![['.repeat(20_000),
  quotations: `${'> '.repeat(5_000)}x\n`.repeat(5),
  'nested lists': Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}- x`).join('\n'),
  emphasis: '*a **b '.repeat(10_000),
  backticks: Array.from({ length: 800 }, (_, at) => '`'.repeat(at)).join(' '),
  dollars: '$a '.repeat(20_000),
  formulas: '\\[\n'.repeat(20_000),
  'inline formulas': '\\('.repeat(30_000),
  addresses: 'http://'.repeat(10_000),
  'links without an end': '[a](https://'.repeat(5_000),
  tables: `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|\n'.repeat(2_000)}`,
  entities: '&'.repeat(50_000),
  definitions: Array.from({ length: 5_000 }, (_, at) => `[${at}]: https://a.example\n`).join(''),
  fences: '```\n'.repeat(10_000),
};

test.each(Object.keys(SLOW))('a hostile text has few nodes, and is parsed: %s', (name) => {
  const text = SLOW[name] ?? '';
  const stream = new MarkdownStream(null);
  for (let at = 0; at < text.length; at += 4_000) stream.write(text.slice(at, at + 4_000));
  expect(JSON.stringify(stream.pages).length).toBeLessThan(60 * text.length);
});
