/** Why workers are not ready, in words. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { isReady, type WorkerRow } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import { drainsInWords } from '../fleet/drain-progress.ts';
import { readyInTroubleInWords } from '../fleet/listed-workers.ts';
import { disconnectedInWords, lostInWords } from '../fleet/lost-hosts.ts';

const ALL_READY = 'All are ready';

/** Why workers are not ready, and how many of the ready ones need attention. */
export function readinessInWords(
  rows: readonly WorkerRow[],
  hosts: readonly Pick<Agent, 'absence'>[],
): string {
  const words = notReadyInWords(
    rows.map(({ worker }) => worker),
    hosts,
  );
  const troubled = readyInTroubleInWords(rows);
  if (troubled === null) return words;
  return words === ALL_READY ? troubled : `${words}. ${troubled}`;
}

/**
 * Only workers that should be ready, and are not, are named. Lost hosts, which have no workers here,
 * and what operators drain on purpose are counted before them: "1 host lost, 2 drained. Not ready:
 * second/first".
 */
export function notReadyInWords(
  workers: readonly WorkerEntry[],
  hosts: readonly Pick<Agent, 'absence'>[],
): string {
  const [first, ...others] = workers.filter(
    (worker) => !isReady(worker) && worker.phase !== 'draining',
  );
  const told = [lostInWords(hosts), disconnectedInWords(hosts), drainsInWords(workers)].filter(
    (part) => part !== null,
  );
  if (first === undefined) return told.length === 0 ? ALL_READY : told.join(', ');
  const more = others.length > 0 ? ` and ${shownCount(others.length)} more` : '';
  const named = `Not ready: ${first.agent_name}/${first.name}${more}`;
  return told.length === 0 ? named : `${told.join(', ')}. ${named}`;
}
