/** The cells of the history as they are stored. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCell, addToChunk, cellOf, cellsOf } from '../../../router/history/cells.ts';
import { COUNTS, noFigures, SPEED, TTFT } from '../../../router/history/figures.ts';
import { BUCKETS } from '../../../router/usage/rollups/histogram.ts';

const addition = fc.record({
  offset: fc.nat(14),
  at: fc.nat(noFigures().length - 1),
  by: fc.oneof(fc.nat(200), fc.nat(2 ** 50)),
});

test('a chunk has the sum of everything that was added to each of its cells', () => {
  const all = fc.array(fc.array(addition, { minLength: 1, maxLength: 20 }), { maxLength: 20 });
  fc.assert(
    fc.property(all, (batches) => {
      const expected = new Map<number, Float64Array>();
      let chunk: Uint8Array | null = null;
      for (const batch of batches) {
        const { offset } = batch[0] as { offset: number };
        const figures = noFigures();
        const sums = expected.get(offset) ?? noFigures();
        expected.set(offset, sums);
        for (const { at, by } of batch) {
          figures[at] = (figures[at] as number) + by;
          sums[at] = (sums[at] as number) + by;
        }
        chunk = addToChunk(chunk, offset, figures);
      }
      const read = [...cellsOf(chunk ?? Uint8Array.of(1))].map(([offset, cell]) => {
        const sums = noFigures();
        addCell(sums, cell);
        return [offset, sums] as const;
      });
      expect(read).toEqual([...expected].toSorted(([a], [b]) => a - b));
    }),
  );
});

test('a cell of a later version with more counts is read without them', () => {
  const figures = noFigures();
  figures[0] = 3;
  figures[TTFT + 5] = 2;
  figures[SPEED + BUCKETS - 1] = 7;
  const cell = cellOf(figures);
  const later = Uint8Array.of(
    COUNTS + 2,
    ...cell.slice(1, 1 + COUNTS),
    9,
    9,
    ...cell.slice(1 + COUNTS),
  );
  const read = noFigures();
  addCell(read, later);
  expect(read).toEqual(figures);
});
