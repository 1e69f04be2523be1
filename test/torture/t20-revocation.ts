/**
 * T20: a key is revoked under load on several routers. No router accepts a request after it has
 * refused one, or a request that was sent after the revocation was answered (MONEY 11). The first
 * refusal comes within seconds. The streams of a suspended organization are cut.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { type Random, seededRandom } from '../../shared/random.ts';
import type { Call } from '../support/client-log.ts';
import { until } from '../support/up.ts';
import type { Fleet } from './fleet.ts';
import { Load, MODEL } from './load.ts';
import { isStoreAway } from './probes.ts';
import { borrow, conclude, type Figures, type Outcome, type Stage } from './scene.ts';

const CLIENTS_PER_ROUTER = 8;
const FIRST_REFUSAL_MS_MAX = 5_000;
const CUT_MS_MAX = 10_000;

type Found = { figures: Figures; faults: string[] };

export async function revoke(
  stage: Stage,
  { streams, ...of }: Readonly<{ afterMs: number; pauseMs: number; streams: number }>,
): Promise<Outcome> {
  const routers = stage.store === 'postgres' ? 3 : 1;
  await using loan = await borrow(stage, { routers, tokenMs: 5 });
  const { fleet } = loan;
  const revoked = await revokeUnderLoad(fleet, seededRandom(stage.seed), of);
  const suspended = await suspendUnderStreams(fleet, streams);
  return await conclude(
    loan,
    { crashes: false },
    { routers, ...revoked.figures, ...suspended.figures },
    [...revoked.faults, ...suspended.faults],
  );
}

async function revokeUnderLoad(
  fleet: Fleet,
  random: Random,
  { afterMs, pauseMs }: Readonly<{ afterMs: number; pauseMs: number }>,
): Promise<Found> {
  const { id, key, keyId } = await fleet.office.customer('Revoked', PICO_PER_USD);
  const calls: Call[] = [];
  await using load = new Load({
    log: fleet.log,
    streams: CLIENTS_PER_ROUTER * fleet.routers.length,
    random,
    target: (client) => ({ base: fleet.router(client).base, key }),
    ask: () => ({ model: MODEL, prompt: 'Write exactly 5 tokens.', maxTokens: 10 }),
    onEnded: (call) => calls.push(call),
  });
  await pause(2_000);
  // One of several routers is paused, so that it is not notified of the revocation in time.
  const deaf = pauseMs > 0 && fleet.routers.length > 1 ? fleet.router(1).process : null;
  deaf?.pause();
  await fleet.office.revokeKey(id, keyId);
  const revokedAt = performance.now();
  await pause(pauseMs);
  deaf?.resume();
  await pause(afterMs);
  await load.stop();
  const delays: number[] = [];
  const faults = fleet.routers.flatMap(({ base }) => {
    const own = calls.filter((call) => call.base === base);
    const refusedAt = Math.min(...own.filter(isRefused).map((call) => call.headersAt ?? Infinity));
    delays.push(Math.round(refusedAt - revokedAt));
    return faultsOf(own, { base, revokedAt, refusedAt });
  });
  const accepted = calls.filter((call) => call.status === 200);
  return {
    figures: {
      'accepted before': accepted.length,
      'refused after': calls.filter(isRefused).length,
      'first refusal after ms': delays.join(' '),
    },
    faults,
  };
}

function isRefused(call: Call): boolean {
  return call.code === 'invalid_api_key';
}

function faultsOf(
  calls: readonly Call[],
  at: Readonly<{ base: string; revokedAt: number; refusedAt: number }>,
): string[] {
  const { base, revokedAt, refusedAt } = at;
  const faults: string[] = [];
  const accepted = calls.filter((call) => call.status === 200);
  const since = (ms: number) => accepted.filter((call) => call.sentAt > ms).length;
  if (accepted.length === 0) faults.push(`${base} accepted nothing before the revocation`);
  if (refusedAt - revokedAt > FIRST_REFUSAL_MS_MAX) faults.push(`${base} did not refuse in time`);
  if (since(refusedAt) > 0) faults.push(`${base} accepted ${since(refusedAt)} after a refusal`);
  if (since(revokedAt) > 0) {
    faults.push(`${base} accepted ${since(revokedAt)} that were sent after the revocation`);
  }
  // A router that was paused may find its store unavailable. It reports that, and admits nobody.
  const others = calls.filter(
    (call) => call.status !== 200 && !isRefused(call) && !isStoreAway(call),
  );
  for (const call of others) faults.push(`${call.requestId} got ${call.status} ${call.code}`);
  return faults;
}

/** Runs long streams on every router, and then suspends their organization. */
async function suspendUnderStreams(fleet: Fleet, streams: number): Promise<Found> {
  const { id, key } = await fleet.office.customer('Suspended', PICO_PER_USD);
  let begun = 0;
  const calls = Array.from({ length: streams * fleet.routers.length }, (_, client) =>
    fleet.log.ask({
      base: fleet.router(client).base,
      key,
      model: MODEL,
      prompt: 'Write exactly 20000 tokens.',
      maxTokens: 20_000,
      onEvent: ({ events }) => {
        if (events === 3) begun += 1;
      },
    }),
  );
  const all = () => begun === calls.length;
  await until(all, 'the streams of the organization to suspend', 60_000);
  await fleet.office.suspend(id);
  const suspendedAt = performance.now();
  const ended = await Promise.all(calls);
  for (const { requestId } of ended) fleet.stopped.add(requestId ?? '');
  const slowest = Math.max(...ended.map((call) => call.endedAt ?? Infinity)) - suspendedAt;
  const faults = ended
    .filter((call) => call.ending !== 'cut')
    .map((call) => `${call.requestId} of a suspended organization was ${call.ending}`);
  if (slowest > CUT_MS_MAX) faults.push(`the last stream was cut after ${slowest} ms`);
  return {
    figures: { 'streams suspended': calls.length, 'last cut after ms': Math.round(slowest) },
    faults,
  };
}
