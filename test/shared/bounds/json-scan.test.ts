import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scan } from '../../../shared/bounds/json-scan.ts';

const BOUNDS = { depthMax: 1_000_000, nodesMax: 1_000_000 };

function scanText(text: string, bounds = BOUNDS) {
  return scan(Buffer.from(text), bounds);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

test('of any JSON it knows the depth, no fewer values than there are, and whether every text is well-formed', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 8 }).chain((text) =>
    // Halves of surrogate pairs, quotes and other special characters at any place.
    fc
      .array(fc.constantFrom('\ud83d', '\ude00', '"', '\\', '{', '[', ',', '\\u'), { maxLength: 4 })
      .map((extras) => text + extras.join('')),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      anyText,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(anyText, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.constantFrom(0, 2), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const parsed: unknown = JSON.parse(text);
      const values = valuesOf(parsed);
      const { nodes, hasLoneSurrogate, exceeded } = scanText(text);
      expect(exceeded).toBeNull();
      expect(nodes).toBeGreaterThanOrEqual(values);
      expect(nodes).toBeLessThanOrEqual(2 * values);
      expect(hasLoneSurrogate).toBe(!isWellFormed(parsed));
      const depth = depthOf(parsed);
      expect(scanText(text, { ...BOUNDS, depthMax: depth }).exceeded).toBeNull();
      if (depth > 0) {
        expect(scanText(text, { ...BOUNDS, depthMax: depth - 1 }).exceeded).toBe('depth');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('it stops at the bound, and counts nothing that stands in a text', () => {
  expect(scanText(`[${'[],'.repeat(1_000)}[]]`, { ...BOUNDS, nodesMax: 10 })).toMatchObject({
    exceeded: 'nodes',
    nodes: 11,
  });
  expect(scanText(`"${'[{,'.repeat(1_000)}\\"["`)).toMatchObject({ exceeded: null, nodes: 1 });
});

test.each([
  [String.raw`"\ud83d\ude00"`, false],
  [String.raw`"\uD83D\uDE00"`, false],
  [String.raw`"\ud83d"`, true],
  [String.raw`"\ude00"`, true],
  [String.raw`"\ude00\ud83d"`, true],
  [String.raw`"\ud83d\ud83d\ude00"`, true],
  [String.raw`"\ud83d\n\ude00"`, true],
  [String.raw`"\\ud83d"`, false],
  [String.raw`"\\\ud83d"`, true],
  [String.raw`"\ud7ff\ue000"`, false],
])('of %s, whether half of a surrogate pair stands alone: %s', (text, isAlone) => {
  expect(scanText(text).hasLoneSurrogate).toBe(isAlone);
});
