/**
 * The paused router: `kill -STOP` under load for twice the holds' time to live, then `-CONT`. Other
 * routers may have declared it dead and freed its holds meanwhile. Nothing may be charged twice,
 * and no balance may go below zero.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { type Random, seededRandom } from '../../shared/random.ts';
import { Fleet } from './fleet.ts';
import { Load, MODEL, shortAnswer } from './load.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';
import { Watch } from './watch.ts';

/**
 * Enough for only some of the requests, so that the test would show if too much were given away.
 */
const POOR_CREDIT = PICO_PER_USD / 400n;

export async function pauseRouters(
  stage: Stage,
  of: Readonly<{ rounds: number; streams: number; holdTtlMs: number }>,
): Promise<Outcome> {
  const { rounds, streams, holdTtlMs } = of;
  const random = seededRandom(stage.seed);
  const routers = stage.store === 'postgres' ? 2 : 1;
  await using fleet = await Fleet.start({ postgres: stage.postgres, routers, holdTtlMs });
  const rich = await fleet.office.customer('Rich', 100n * PICO_PER_USD);
  const poor = await fleet.office.customer('Poor', POOR_CREDIT);
  using watch = await Watch.start(fleet.storeUrl, poor.id);
  await using load = new Load({
    log: fleet.log,
    streams,
    random,
    target: (client) => ({
      base: fleet.router(client).base,
      key: (client % 4 < 2 ? poor : rich).key,
    }),
    ask: anyAnswer,
  });
  for (let round = 0; round < rounds; round++) {
    const victim = fleet.router(random.below(routers));
    await pause(1_000 + random.below(1_000));
    victim.process.pause();
    await pause(2 * holdTtlMs);
    victim.process.resume();
    await victim.serving();
  }
  await pause(1_500);
  await load.stop();
  const watched = await watch.stop();
  const faults = [
    ...(watched.balanceMin < 0n ? [`a balance went to ${watched.balanceMin}`] : []),
    ...(watched.freeMin < 0n ? [`${watched.freeMin} less was there than was held`] : []),
    ...(fleet.log.count('complete') === 0 ? ['no answer was complete'] : []),
  ];
  return await conclude(
    { fleet, from: 0 },
    { crashes: false },
    {
      routers,
      pauses: rounds,
      'time to live ms': holdTtlMs,
      'lowest balance pico-USD': String(watched.balanceMin),
    },
    faults,
  );
}

/** Mostly short answers, and some long ones that hold slice after slice. */
function anyAnswer(random: Random) {
  if (random.below(8) > 0) return shortAnswer(random);
  return { model: MODEL, prompt: 'Write exactly 300 tokens.', maxTokens: 5_000 };
}
