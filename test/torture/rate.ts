/**
 * The rate limit: one organization with a limit of 600 requests a minute sends requests to every
 * router without a pause for some minutes. In any sixty seconds, 570 to 630 requests must be
 * admitted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Call } from '../support/client-log.ts';
import { MODEL } from './load.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';

const MINUTE_MS = 60_000;
const LIMIT = 600;
const WITHIN = 0.05;
const PER_SECOND = 30;

export async function rate(stage: Stage, { forMs }: Readonly<{ forMs: number }>): Promise<Outcome> {
  const routers = stage.store === 'postgres' ? 3 : 1;
  await using loan = await borrow(stage, { routers, tokenMs: 2 });
  const { fleet } = loan;
  const { id, key } = await fleet.office.customer('Rate', 100n * PICO_PER_USD);
  await fleet.office.call('PATCH', `/organizations/${id}/terms`, {
    limits: { requests_per_minute: LIMIT },
  });
  const asked: Promise<Call>[] = [];
  const start = performance.now();
  for (let sent = 0; (sent * 1000) / PER_SECOND < forMs; sent++) {
    await pause(Math.max(0, start + (sent * 1000) / PER_SECOND - performance.now()));
    const { base } = fleet.router(sent);
    const prompt = 'Write exactly 1 token.';
    asked.push(fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: 1 }));
  }
  const calls = await Promise.all(asked);
  const admitted = calls.filter(({ status }) => status === 200).map(({ sentAt }) => sentAt);
  const counts = countsOfEveryMinute(admitted);
  const faults = [
    ...calls.flatMap(faultOf),
    ...counts
      .filter((count) => Math.abs(count - LIMIT) > LIMIT * WITHIN)
      .map((count) => `sixty seconds admitted ${count}, not ${LIMIT}`)
      .slice(0, 3),
  ];
  const figures = {
    routers,
    'asked a minute': PER_SECOND * 60,
    admitted: admitted.length,
    'refused with 429': calls.length - admitted.length,
    'minutes looked at': counts.length,
    'least in a minute': Math.min(...counts),
    'most in a minute': Math.max(...counts),
  };
  return await conclude(loan, { crashes: false }, figures, faults);
}

/**
 * Counts the requests admitted in each period of sixty seconds that begins with an admission and
 * ends before the last one.
 */
function countsOfEveryMinute(admitted: readonly number[]): number[] {
  const sorted = admitted.toSorted((a, b) => a - b);
  const last = sorted.at(-1) ?? 0;
  return sorted
    .filter((from) => from + MINUTE_MS <= last)
    .map((from) => sorted.filter((at) => at >= from && at < from + MINUTE_MS).length);
}

function faultOf({ requestId, status, code }: Call): string[] {
  if (status === 200 || code === 'rate_limited') return [];
  return [`${requestId} got ${status} ${code}`];
}
