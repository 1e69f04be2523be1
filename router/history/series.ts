/**
 * A series is what cells are about: a region, a model in a region, or a worker. A request belongs to
 * the region of the listener that it came in at, a worker to the region of its agent.
 */
import { createHash } from 'node:crypto';
import type { Region } from '../../shared/region.ts';

/** Empty: all models, or no worker. The series of a worker is about all of its models. */
export type SeriesName = Readonly<{ region: Region; model: string; agent: string; worker: string }>;
export type Series = SeriesName & Readonly<{ id: bigint }>;

/** The id is 63 bits of a digest, so that no router has to look it up. */
export function seriesOf({ region, model, agent, worker }: SeriesName): Series {
  const text = JSON.stringify([region, model, agent, worker]);
  const id = createHash('sha256').update(text).digest().readBigInt64BE() >> 1n;
  return { id, region, model, agent, worker };
}
