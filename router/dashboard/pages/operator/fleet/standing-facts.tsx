/** Since when and why workers of one host drain or have an open breaker. */
import { useQueries } from '@tanstack/react-query';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { lastEventQuery } from '../../../api/fleet.ts';
import { Fact } from '../../../parts/page.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { actionsOfStandings, standingReasons } from './standing-reasons.ts';

const NAMES = { drain: 'Draining since', breaker: 'Breaker open since' } as const;

type StandingFactsProps = Readonly<{
  agent: string;
  workers: readonly WorkerEntry[];
  /** When the drain began that is told elsewhere. */
  toldDrain?: string | undefined;
}>;

/** Facts among those of the host or of the worker. Nothing if nothing is known. */
export function StandingFacts({ agent, workers, toldDrain }: StandingFactsProps) {
  const read = useQueries({
    queries: workers.flatMap((worker) =>
      actionsOfStandings(worker).map((actions) => lastEventQuery(agent, worker.name, actions)),
    ),
  });
  const events = read.flatMap(({ data }) => data ?? []);
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
