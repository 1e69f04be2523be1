/** The status of a worker in words, and what it means for requests. */
import type { WorkerRow } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import type { Tone } from '../../../parts/tone.ts';
import { requestsOn } from './drain-progress.ts';

type WorkerStatus = Readonly<{ name: string; tone: Tone; means: string }>;

const STATES: Readonly<Record<Exclude<WorkerRow['state'], 'draining'>, WorkerStatus>> = {
  joining: {
    name: 'Starting',
    tone: 'neutral',
    means: 'It gets requests once its engine is ready.',
  },
  unready: { name: 'Not ready', tone: 'bad', means: 'It gets no requests until it is ready.' },
  ready: { name: 'Ready', tone: 'good', means: 'It gets new requests.' },
  gone: { name: 'Disconnected', tone: 'neutral', means: 'Its host is no longer connected.' },
  closed: { name: 'Ready', tone: 'good', means: 'It gets new requests.' },
  open: {
    name: 'Breaker open',
    tone: 'bad',
    means: 'It kept failing, so it gets no requests until a probe of the router succeeds.',
  },
  probing: {
    name: 'Probing',
    tone: 'bad',
    means: 'It kept failing. The router tries it with a request of its own.',
  },
  returning: {
    name: 'Recovering',
    tone: 'warn',
    means: 'It gets more of its slots back with each request that succeeds.',
  },
};

export function workerStatus({ worker, state }: WorkerRow): WorkerStatus {
  if (state !== 'draining') return STATES[state];
  const left = requestsOn(worker);
  if (left === 0) {
    return { name: 'Drained', tone: 'neutral', means: 'It gets no new requests, and none runs.' };
  }
  const running = left === 1 ? '1 request still runs' : `${shownCount(left)} requests still run`;
  return { name: 'Draining', tone: 'warn', means: `It gets no new requests, and ${running}.` };
}
