/**
 * By what usage is folded. A shape is a set of dimensions, and a series one choice of their values. There are as
 * many shapes as any query needs to find its sums ready: it never adds up what it was not asked to tell apart.
 * A key has one member and one source, so a shape that has keys has those, too.
 */
import { createHash } from 'node:crypto';
import type { UsageRow } from '../../store/schema/ledger.ts';

export const DIMENSIONS = ['model', 'key', 'member', 'source'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
/** The values of a row; an empty text for none, or for one that the shape leaves out. */
export type Values = Readonly<Record<Dimension, string>>;

const BIT: Readonly<Record<Dimension, number>> = { model: 1, key: 2, member: 4, source: 8 };
const WITH_KEY = BIT.key | BIT.member | BIT.source;

export const SHAPES: readonly number[] = [
  0,
  BIT.model,
  BIT.member,
  BIT.source,
  BIT.model | BIT.member,
  BIT.model | BIT.source,
  BIT.member | BIT.source,
  BIT.model | BIT.member | BIT.source,
  WITH_KEY,
  WITH_KEY | BIT.model,
];

/** The one that tells apart these dimensions, and as little else as may be. */
export function shapeOf(dimensions: Iterable<Dimension>): number {
  let shape = 0;
  for (const dimension of dimensions) shape |= dimension === 'key' ? WITH_KEY : BIT[dimension];
  return shape;
}

/** A playground session has a key of its own, which nobody knows it by: all of them are one. */
export function valuesOf(row: Pick<UsageRow, Dimension>): Values {
  const { model, key, member, source } = row;
  return { model, key: source === 'playground' ? '' : key, member: member ?? '', source };
}

export type Series = Readonly<{ id: bigint; shape: number }> & Values;

/** Two of an organization would have to agree in 63 bits of a digest to be taken for one. */
export function seriesOf(shape: number, values: Values): Series {
  const within = (dimension: Dimension) => (shape & BIT[dimension] ? values[dimension] : '');
  const [model, key, member, source] = DIMENSIONS.map(within) as [string, string, string, string];
  const text = JSON.stringify([shape, model, key, member, source]);
  const id = createHash('sha256').update(text).digest().readBigInt64BE() >> 1n;
  return { id, shape, model, key, member, source };
}
