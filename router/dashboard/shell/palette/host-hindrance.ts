/** Why an operator cannot drain a host, or end its drain, right now. */
import type { Agent } from '../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../shared/api/workers.ts';
import { drainChoicesOf } from '../../pages/operator/fleet/drain-progress.ts';
import { hostStatus } from '../../pages/operator/fleet/host-status.ts';

/** Returns a few words for the palette, or null if nothing hinders the operator. */
export function hindranceOf(
  verb: 'drain' | 'undrain',
  host: Agent,
  workers: readonly WorkerEntry[],
): string | null {
  if (!host.connected) return hostStatus(host, null).name;
  const can = drainChoicesOf(host.id, workers);
  if (can[verb]) return null;
  return verb === 'drain' ? 'Already drained' : 'Not drained';
}
