/** The table of `penstock top`: it fits the terminal, whatever names and figures are in it. */
import { expect, test } from 'vitest';
import { widthOf } from '../../../bin/printable.ts';
import { type Order, sorted, tableOf, textOf } from '../../../bin/top/table.ts';
import { row } from './rows.ts';

const LONG = row({
  name: `${'a-very-long-agent-name'.repeat(4)}/${'x'.repeat(64)}`,
  running: 1_234_567,
  waiting: 99_999,
  kvUse: 1,
  looked: 10,
  found: 10,
  tokensPerSecond: 123_456.7,
  gpuUse: 1,
  models: ['some/' + 'model'.repeat(30), 'b/c'],
});
const WIDE = row({ name: '東京のホスト一号機/推論エンジン', models: ['汉/模型'.repeat(20)] });

test.each([80, 100, 132, 200])('every line fits into %i columns', (columns) => {
  const { heading, lines } = tableOf([LONG, WIDE, row()], columns);
  for (const line of [heading, ...lines]) {
    expect(widthOf(line.map(({ text }) => text).join(' '))).toBeLessThanOrEqual(columns);
  }
  for (const title of [
    'WORKER',
    'PHASE',
    'RUN',
    'WAIT',
    'KV',
    'HIT',
    'TOK/S',
    'GPU',
    'AGENT',
    'MODELS',
  ]) {
    expect(textOf(heading)).toContain(title);
  }
});

test('columns stand below each other, with wide characters too', () => {
  const { heading, lines } = tableOf([LONG, WIDE], 120);
  const starts = (line: typeof heading) => line.map(({ text }) => widthOf(text));
  for (const line of lines) expect(starts(line)).toEqual(starts(heading));
});

test('without a width nothing is cut', () => {
  const { lines } = tableOf([LONG], null);
  expect(textOf(lines[0] ?? [])).toContain(LONG.name);
  expect(textOf(lines[0] ?? [])).toContain('model'.repeat(30));
});

test('figures are short, and what nobody says is a dash', () => {
  const texts = (fields: Parameters<typeof row>[0]) =>
    Object.fromEntries(
      (tableOf([row(fields)], 80).lines[0] ?? []).map(({ title, text }) => [title, text.trim()]),
    );
  expect(texts({ running: 9_999, waiting: 10_000, tokensPerSecond: 2_500_000 })).toMatchObject({
    RUN: '9999',
    WAIT: '10k',
    'TOK/S': '3M',
    HIT: '-',
    GPU: '-',
  });
  expect(texts({ kvUse: 0.256, looked: 4, found: 1, gpuUse: 0.5 })).toMatchObject({
    KV: '26%',
    HIT: '25%',
    GPU: '50%',
  });
  expect(texts({ kvUse: 0.001, gpuUse: 0 })).toMatchObject({ KV: '<1%', GPU: '0%' });
});

test.each<[Order, string[]]>([
  ['name', ['a', 'b', 'c']],
  ['running', ['b', 'a', 'c']],
  ['waiting', ['c', 'a', 'b']],
  ['kv', ['b', 'c', 'a']],
  ['hit', ['a', 'b', 'c']],
  ['tokens', ['c', 'b', 'a']],
])('by %s the highest come first, equal ones by name', (order, names) => {
  const rows = [
    row({ name: 'c', waiting: 2, kvUse: 0.5, tokensPerSecond: 9 }),
    row({ name: 'a', running: 1, looked: 2, found: 2 }),
    row({ name: 'b', running: 3, kvUse: 0.9, looked: 2, found: 1, tokensPerSecond: 1 }),
  ];
  expect(sorted(rows, order).map(({ name }) => name)).toEqual(names);
});
