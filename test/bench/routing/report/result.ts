/** The content of a report: for each row, the median over its seeds. */
import type { Figures } from '../figures.ts';
import type { Contender, Row } from '../plan.ts';

export type Result = Readonly<{ row: Row; figures: Figures; runs: readonly Figures[] }>;

export type Report = Readonly<{
  blocks: number;
  seeds: readonly number[];
  requestsMax: number;
  lagMs: number;
  results: readonly Result[];
}>;

export type Wanted = Partial<Omit<Row, 'policy'>> & { policy?: Contender };

export function find(results: readonly Result[], wanted: Wanted): Result[] {
  const fields = Object.entries(wanted) as [keyof Row, unknown][];
  return results.filter(({ row }) => fields.every(([field, value]) => row[field] === value));
}

/** The traces and sizes, in the order in which they were run. */
export function placesOf(results: readonly Result[]): Pick<Row, 'trace' | 'workers'>[] {
  const places = new Map(
    results.map(({ row: { trace, workers } }) => [`${trace} ${workers}`, { trace, workers }]),
  );
  return [...places.values()];
}
