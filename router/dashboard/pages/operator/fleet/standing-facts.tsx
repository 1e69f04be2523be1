/** Since when and why workers of one host drain or have an open breaker. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { agentEventsQuery } from '../../../api/fleet.ts';
import { Fact } from '../../../parts/page.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { standingReasons } from './standing-reasons.ts';

const NAMES = { drain: 'Draining since', breaker: 'Breaker open since' } as const;

type StandingFactsProps = Readonly<{
  agent: string;
  workers: readonly WorkerEntry[];
  hidesDrain?: boolean;
}>;

/** Facts among those of the host or of the worker. Nothing if nothing is known. */
export function StandingFacts({ agent, workers, hidesDrain = false }: StandingFactsProps) {
  const events = useInfiniteQuery(agentEventsQuery(agent)).data ?? [];
  const reasons = standingReasons(workers, events);
  const shown = hidesDrain ? reasons.filter(({ kind }) => kind !== 'drain') : reasons;
  return shown.map(({ workers: names, kind, since, why }) => (
    <Fact key={`${kind} ${since} ${names[0]}`} name={NAMES[kind]}>
      {names.length < workers.length && (
        <>
          <Code>{names.join(', ')}</Code>{' '}
        </>
      )}
      <When at={since} relative />. {why.replace(/\.$/, '')}.
    </Fact>
  ));
}
