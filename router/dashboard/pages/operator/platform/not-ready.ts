/** Why workers are not ready, in words. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { isReady, type WorkerRow } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import { drainsInWords } from '../fleet/drain-progress.ts';
import { readyInTroubleInWords } from '../fleet/listed-workers.ts';
import { disconnectedInWords, lostInWords } from '../fleet/lost-hosts.ts';

/** Why workers are not ready, and how many of the ready ones need attention. */
export function readinessInWords(
  rows: readonly WorkerRow[],
  hosts: readonly Pick<Agent, 'absence'>[],
): string {
  const told = [
    notReadyInWords(
      rows.map(({ worker }) => worker),
      hosts,
    ),
    readyInTroubleInWords(rows),
  ].filter((part) => part !== null);
  return told.length === 0 ? 'All are ready' : told.join('. ');
}

/**
 * Only workers that should be ready, and are not, are named. Lost hosts, which have no workers here,
 * and what operators drain on purpose are counted before them: "1 host lost, 2 drained. Not ready:
 * second/first". Null if all are ready.
 */
export function notReadyInWords(
  workers: readonly WorkerEntry[],
  hosts: readonly Pick<Agent, 'absence'>[],
): string | null {
  const expected = [lostInWords(hosts), disconnectedInWords(hosts), drainsInWords(workers)].filter(
    (part) => part !== null,
  );
  const told = [expected.length === 0 ? null : expected.join(', '), unreadyInWords(workers)].filter(
    (part) => part !== null,
  );
  return told.length === 0 ? null : told.join('. ');
}

/** "Not ready: second/first and 2 more", of those that nobody drains. Null if there are none. */
function unreadyInWords(workers: readonly WorkerEntry[]): string | null {
  const [first, ...others] = workers.filter(
    (worker) => !isReady(worker) && worker.phase !== 'draining',
  );
  if (first === undefined) return null;
  const more = others.length > 0 ? ` and ${shownCount(others.length)} more` : '';
  return `Not ready: ${first.agent_name}/${first.name}${more}`;
}
