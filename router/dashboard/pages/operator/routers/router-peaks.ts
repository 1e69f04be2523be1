import type { RouterHistory } from '../../../../../shared/api/routers.ts';

/** The highest value of a figure in a history; null if none was measured. */
export function highestOf(
  { points }: Pick<RouterHistory, 'points'>,
  figure: 'store_ms' | 'loop_delay_ms' | 'memory_bytes',
): number | null {
  const values = points.flatMap(({ [figure]: value }) => value ?? []);
  return values.length === 0 ? null : Math.max(...values);
}
