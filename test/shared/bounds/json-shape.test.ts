import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkJsonShape } from '../../../shared/bounds/json-shape.ts';

const ANY = { depthMax: Infinity, nodesMax: Infinity };

function check(text: string, max: Partial<typeof ANY>) {
  return checkJsonShape(Buffer.from(text), { ...ANY, ...max });
}

/** Values of every kind, and keys; and how deep arrays and objects are within one another. */
function shapeOf(value: unknown): { nodes: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { nodes: 1, depth: 0 };
  const below = Object.values(value).map(shapeOf);
  const keys = Array.isArray(value) ? 0 : below.length;
  return {
    nodes: 1 + keys + below.reduce((sum, { nodes }) => sum + nodes, 0),
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
  };
}

test('any JSON has exactly the depth and the nodes that its value has', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('\\', '"', 'a', '[', '{') }),
  );
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(text, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('json'), { maxLength: 5 }),
      fc.dictionary(text, tie('json'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const written = JSON.stringify(value, null, indent);
      const { nodes, depth } = shapeOf(JSON.parse(written));
      expect(check(written, { nodesMax: nodes, depthMax: depth })).toBe('ok');
      expect(check(written, { nodesMax: nodes - 1 })).toBe('too_many');
      if (depth > 0) expect(check(written, { depthMax: depth - 1 })).toBe('too_deep');
    }),
  );
});

test('brackets, quotes and backslashes in a string are no structure, however long it is', () => {
  for (const length of [1, 23, 24, 25, 26, 1_000]) {
    const inner = `${'\\'.repeat(length)}"[[{{${'x'.repeat(length)}`;
    expect(check(JSON.stringify({ [inner]: [inner] }), { nodesMax: 4, depthMax: 2 })).toBe('ok');
  }
});

test('what does not end, or closes what is not open, is for the parser to refuse', () => {
  for (const text of ['', '"', '"\\', `"${'\\'.repeat(99)}`, ']]]]', '{"a":', 'nul']) {
    expect(check(text, { nodesMax: 9, depthMax: 9 })).toBe('ok');
  }
});
