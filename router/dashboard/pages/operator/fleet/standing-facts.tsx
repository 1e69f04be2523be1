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
  /** When the drain began that is told elsewhere. */
  toldDrain?: string | undefined;
}>;

/** Facts among those of the host or of the worker. Nothing if nothing is known. */
export function StandingFacts({ agent, workers, toldDrain }: StandingFactsProps) {
  const events = useInfiniteQuery(agentEventsQuery(agent)).data ?? [];
  const reasons = standingReasons(workers, events);
  const shown = reasons.filter(({ kind, since }) => kind !== 'drain' || since !== toldDrain);
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
