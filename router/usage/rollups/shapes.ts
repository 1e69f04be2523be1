/**
 * The dimensions by which usage is folded. A shape is a set of dimensions, and a series is one
 * combination of their values. There are enough shapes for every query to find its sums ready,
 * without adding up over dimensions that it does not name. A key has one member and one source, so
 * a shape with keys has both as well.
 */
import { createHash } from 'node:crypto';
import type { UsageRow } from '../../store/schema/ledger.ts';

export const DIMENSIONS = ['model', 'key', 'member', 'source'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
/** The values of a row; empty where it has none, or where the shape leaves the dimension out. */
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

/** Returns the shape that separates these dimensions and as few others as possible. */
export function shapeOf(dimensions: Iterable<Dimension>): number {
  let shape = 0;
  for (const dimension of dimensions) shape |= dimension === 'key' ? WITH_KEY : BIT[dimension];
  return shape;
}

/** Each playground session has its own key, which users never see: all these keys count as one. */
export function valuesOf(row: Pick<UsageRow, Dimension>): Values {
  const { model, key, member, source } = row;
  return { model, key: source === 'playground' ? '' : key, member: member ?? '', source };
}

export type Series = Readonly<{ id: bigint; shape: number }> & Values;

/** The id is 63 bits of a digest: too many for two series of one organization to collide. */
export function seriesOf(shape: number, values: Values): Series {
  const within = (dimension: Dimension) => (shape & BIT[dimension] ? values[dimension] : '');
  const [model, key, member, source] = DIMENSIONS.map(within) as [string, string, string, string];
  const text = JSON.stringify([shape, model, key, member, source]);
  const id = createHash('sha256').update(text).digest().readBigInt64BE() >> 1n;
  return { id, shape, model, key, member, source };
}
