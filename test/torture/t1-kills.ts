/**
 * T1: `kill -9` of the router at random points under load. An answer that was seen complete has
 * exactly one charge, for the usage it showed. Every other answer has at most one charge, at most
 * its hold. No hold is left.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { type Random, seededRandom } from '../../shared/random.ts';
import { Fleet } from './fleet.ts';
import { Load } from './load.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const ORGANIZATIONS = 4;
/** The longest time between a router's serving again and the next kill. */
const DELAY_MS_MAX = 1_500;
const BURST_MS_MAX = 4_000;

export async function killRouters(
  stage: Stage,
  { kills, streams }: Readonly<{ kills: number; streams: number }>,
): Promise<Outcome> {
  const random = seededRandom(stage.seed);
  // On a shared store, the surviving router sweeps the holds of the killed one.
  const routers = stage.store === 'postgres' ? 2 : 1;
  await using fleet = await Fleet.start({ postgres: stage.postgres, routers });
  const customers = await Promise.all(
    Array.from({ length: ORGANIZATIONS }, (_, index) =>
      fleet.office.customer(`T1 ${index}`, 100n * PICO_PER_USD),
    ),
  );
  const bursts = new Bursts();
  await using load = new Load({
    log: fleet.log,
    streams,
    random,
    target: (client) => ({
      base: fleet.router(client).base,
      key: customers[Math.floor(client / routers) % ORGANIZATIONS]?.key ?? '',
    }),
    onEnded: (call) => {
      if (call.ending === 'complete') bursts.ended(call.base);
    },
  });
  let inBursts = 0;
  for (let kill = 0; kill < kills; kill++) {
    const victim = fleet.router(random.below(routers));
    if (await untilMoment(random, bursts, victim.base)) inBursts += 1;
    await victim.process.kill();
    await victim.start();
    await victim.serving();
  }
  await pause(500);
  await load.stop();
  const { log } = fleet;
  const nothing = log.count('complete') < kills || log.count('cut') < kills;
  return await conclude(
    { fleet, from: 0 },
    { crashes: true },
    {
      kills,
      'in bursts of settlements': inBursts,
      begun: log.calls.filter((call) => call.status === 200).length,
    },
    nothing ? ['too few answers were complete, or cut, for this to show anything'] : [],
  );
}

/**
 * Waits for the moment of the next kill: half of the kills come at a random time, and the others
 * while answers are ending. Returns true for the latter.
 */
async function untilMoment(random: Random, bursts: Bursts, base: string): Promise<boolean> {
  if (random.below(2) === 0) {
    await pause(random.below(DELAY_MS_MAX));
    return false;
  }
  const late = new AbortController();
  await Promise.race([
    bursts.next(base, 1 + random.below(40)),
    pause(BURST_MS_MAX, null, { signal: late.signal }).catch(() => {}),
  ]);
  late.abort();
  return true;
}

/** Waits until a given number of a router's answers have ended. */
class Bursts {
  #waiting: { base: string; left: number; resolve: () => void }[] = [];

  next(base: string, endings: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ base, left: endings, resolve });
    });
  }

  ended(base: string): void {
    for (const one of this.#waiting) {
      if (one.base !== base) continue;
      one.left -= 1;
      if (one.left === 0) one.resolve();
    }
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
  }
}
