/**
 * Picks a worker that serves the model to this listener, has room, and has not failed this request.
 * Returns `full` when all such workers are full, and `full_for_it` when the only ones with room
 * have failed this request.
 */
import type { Random } from '../../shared/random.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/region.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Policy } from '../routing/policies/policy.ts';
import type { ParsedRequest } from './arrive.ts';
import type { NoRoom } from './waiting-room.ts';

export type PickParts = Readonly<{ fleet: Fleet; policy: Policy; random: Random }>;

export function pick(
  { fleet, policy, random }: PickParts,
  parsed: ParsedRequest,
  region: Region,
  failed: ReadonlySet<string>,
): Worker | Refusal | NoRoom {
  const serving = fleet.serving(parsed.model.entry.id, region);
  const able = failed.size === 0 ? serving : serving.filter(({ id }) => !failed.has(id));
  if (able.length === 0) return new Refusal('no_worker', { retryAfterS: 5 });
  const free = able.filter(({ hasRoom }) => hasRoom);
  if (free.length === 0) {
    return able !== serving && serving.some(({ hasRoom }) => hasRoom) ? 'full_for_it' : 'full';
  }
  const { query, candidates } = fleet.forecasts.estimate(parsed.promptQuery, free);
  return policy(query, candidates, random).worker;
}
