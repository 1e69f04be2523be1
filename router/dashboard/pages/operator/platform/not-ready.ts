/** Why workers are not ready, in words. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { shownCount } from '../../../format/count.ts';
import { drainsInWords } from '../fleet/drain-progress.ts';
import { disconnectedInWords, lostInWords } from '../fleet/lost-hosts.ts';
import { readyWorkers } from './demand.ts';

/**
 * "1 host lost, 2 drained. Not ready: second/first". A lost host has no workers here, so it is told
 * beside those that are not ready, and so is what operators drain on purpose.
 */
export function notReadyInWords(
  workers: readonly WorkerEntry[],
  hosts: readonly Pick<Agent, 'absence'>[],
): string {
  const ready = new Set(readyWorkers(workers));
  const [first, ...others] = workers.filter(
    (worker) => !ready.has(worker) && worker.phase !== 'draining',
  );
  const told = [lostInWords(hosts), disconnectedInWords(hosts), drainsInWords(workers)].filter(
    (part) => part !== null,
  );
  if (first === undefined) return told.length === 0 ? 'All are ready' : told.join(', ');
  const more = others.length > 0 ? ` and ${shownCount(others.length)} more` : '';
  const named = `Not ready: ${first.agent_name}/${first.name}${more}`;
  return told.length === 0 ? named : `${told.join(', ')}. ${named}`;
}
