/** Reserves a slot on a worker for a request. */
import type { Clock } from '../../shared/clock.ts';
import { isRefusal, type Refusal } from '../../shared/refusals.ts';
import type { SlotReservation } from '../fleet/fleet.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { AttemptHistory } from './attempt-history.ts';
import type { RequestMetrics } from './metrics.ts';
import { type PickParts, pick } from './pick.ts';
import type { WaitingRoom } from './waiting-room.ts';

export type ReserveParts = PickParts &
  Readonly<{ clock: Clock; metrics: RequestMetrics; waiting: WaitingRoom<SlotReservation> }>;

/** Picks a worker, at once or after waiting. Null when the client left. */
export async function reserve(
  parts: ReserveParts,
  { call, parsed, reply, hold, tries, trace }: AdmittedRequest,
  { failed, fullSince }: AttemptHistory,
): Promise<SlotReservation | Refusal | null> {
  const { waiting } = parts;
  const model = parsed.model.entry.id;
  const find = () => {
    const from = parts.clock.monotonic();
    const found = pick(parts, call, parsed, failed);
    parts.metrics.decided(parts.clock.monotonic() - from);
    if (typeof found === 'string' || isRefusal(found)) return found;
    tries.picked = found.tokens;
    return parts.fleet.reserve(found.worker, parsed.promptQuery);
  };
  const found = waiting.isEmpty(model, call.region) ? find() : 'full';
  if (typeof found !== 'string') return found;
  trace.enter('wait');
  const since = parts.clock.monotonic();
  const placed = await waiting.wait(model, call.region, {
    organization: hold.organization,
    promptTokens: parsed.promptTokensEstimate,
    reply,
    since: fullSince,
    find,
  });
  tries.waitedMs += parts.clock.monotonic() - since;
  return placed;
}
