/** Workers of a host whose breaker is not closed, and what that means for requests. */
import type { WorkerRow } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import type { Tone } from '../../../parts/tone.ts';

/** Not of a worker that drains: it gets no requests anyway. */
export function trippedOf(rows: readonly WorkerRow[]): readonly WorkerRow[] {
  return rows.filter(({ state }) => isShut(state) || state === 'returning');
}

/** Whether the breaker lets no requests through. */
function isShut(state: WorkerRow['state']): boolean {
  return state === 'open' || state === 'probing';
}

export type TrippedWords = Readonly<{
  tone: Extract<Tone, 'warn' | 'bad'>;
  title: string;
  means: string;
}>;

/** `tripped`: at least one of the host's workers. `workers`: how many it has. */
export function trippedWords(tripped: readonly WorkerRow[], workers: number): TrippedWords {
  const shut = tripped.filter(({ state }) => isShut(state));
  const named = shut.length > 0 ? shut : tripped;
  const one = named.length === 1 ? named[0]?.worker.name : undefined;
  const some = `${shownCount(named.length)} of ${shownCount(workers)} workers`;
  if (shut.length === 0) {
    return {
      tone: 'warn',
      title: one === undefined ? `${some} are recovering` : `Worker ${one} is recovering`,
      means: `${one === undefined ? 'They get' : 'It gets'} more slots back with each request that succeeds.`,
    };
  }
  return {
    tone: 'bad',
    title:
      one === undefined
        ? `The breakers of ${some} are open`
        : `The breaker of worker ${one} is open`,
    means:
      one === undefined
        ? 'This router probes them by itself, and sends them no requests until a probe succeeds.'
        : 'This router probes it by itself, and sends it no requests until a probe succeeds.',
  };
}
