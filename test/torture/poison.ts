/**
 * A request that kills the engine that reads it, sent among harmless ones. It is tried on two of
 * four workers and then refused, and the other two go on serving. It is then sent repeatedly, and
 * no worker may be taken out of service for it.
 */
import { PICO_PER_USD } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import type { Call } from '../support/client-log.ts';
import { until } from '../support/up.ts';
import { Fleet } from './fleet.ts';
import { Load, MODEL, shortAnswer } from './load.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const HOSTS = 4;
/**
 * Each request for this model kills its engine. `DEATH` has the engine's own name for the model.
 */
const DEADLY = 'qwen/qwen3.5-397b-a17b';
const DEATH = { model: 'Qwen/Qwen3.5-397B-A17B', after_tokens: 0 } as const;
const REVIVED_AFTER_MS = 1_000;

export async function poison(
  stage: Stage,
  { streams, rounds }: Readonly<{ streams: number; rounds: number }>,
): Promise<Outcome> {
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    agents: HOSTS,
    engines: HOSTS,
    models: [MODEL, DEADLY],
    tokenMs: 5,
    holdTtlMs: 30_000,
  });
  const { key } = await fleet.office.customer('innocent', 10n * PICO_PER_USD);
  const killer = await fleet.office.customer('killer', PICO_PER_USD);
  const { base } = fleet.router(0);
  const kill = () =>
    fleet.log.ask({ base, key: killer.key, model: DEADLY, prompt: 'Die.', maxTokens: 50 });
  const faults: string[] = [];
  const begin = fleet.log.calls.length;

  await using load = new Load({ log: fleet.log, streams, random, target: () => ({ base, key }) });
  await until(() => fleet.log.count('complete') > streams, 'answers under load');
  await each((nth) => fleet.fault({ death: DEATH }, nth));
  const first = await kill();
  faults.push(...faultsOfKill(first));
  const died = await deaths(fleet);
  if (died !== 2) faults.push(`${died} engines died of one request`);
  const after = await Promise.all(
    Array.from({ length: 20 }, () => fleet.log.ask({ base, key, ...shortAnswer(random) })),
  );
  const unserved = after.filter(({ ending }) => ending !== 'complete').length;
  if (unserved > 0) faults.push(`the other workers did not serve ${unserved} of 20`);

  // From here on a killed engine restarts each time, so the request can kill again and again.
  await each((nth) => fleet.fault({ death: { ...DEATH, for_ms: REVIVED_AFTER_MS } }, nth));
  for (let round = 0; round < rounds; round++) {
    await until(() => allClosed(fleet), 'all engines are back', 60_000);
    const before = await deaths(fleet);
    faults.push(...faultsOfKill(await kill()));
    const more = (await deaths(fleet)) - before;
    if (more > 2) faults.push(`${more} engines died of one request`);
    await until(async () => (await ready(fleet)) < HOSTS, 'their deaths are known');
  }
  await each((nth) => fleet.fault({}, nth));
  await until(() => allClosed(fleet), 'all workers have all of their slots', 60_000);
  await load.stop();

  const others = fleet.log.calls.slice(begin).filter((call) => call.key === key);
  const refused = others.filter(({ ending }) => ending === 'refused');
  // A request that was on both engines that died looks just like the one that killed them, so the
  // service may refuse it too.
  faults.push(...refused.filter(({ code }) => code !== 'workers_died').map(told));
  const figures = {
    'tried on': died,
    'killed again': rounds,
    'innocent requests': others.length,
    'of them on two engines that died': refused.length,
  };
  return await conclude({ fleet, from: begin }, { crashes: false }, figures, faults);
}

/**
 * One engine of four fails every request. It is taken out of service, and comes back once it
 * generates again.
 */
export async function breakOne(
  stage: Stage,
  { streams }: Readonly<{ streams: number }>,
): Promise<Outcome> {
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    agents: HOSTS,
    engines: HOSTS,
    models: [MODEL],
    tokenMs: 5,
    holdTtlMs: 30_000,
  });
  const { key } = await fleet.office.customer('breaker', 10n * PICO_PER_USD);
  const { base } = fleet.router(0);
  const faults: string[] = [];
  await using load = new Load({ log: fleet.log, streams, random, target: () => ({ base, key }) });
  await until(() => fleet.log.count('complete') > streams, 'answers under load');

  await fleet.fault({ http_500: {} }, 0);
  const brokenAt = performance.now();
  const isOpen = ({ breaker }: Shown) => breaker === 'open';
  await until(async () => (await workers(fleet)).some(isOpen), 'its breaker is open');
  const openMs = Math.round(performance.now() - brokenAt);
  const taken = await takenBy(fleet, 'http_500', 0);
  const count = fleet.log.calls.length;
  await until(() => fleet.log.calls.length > count + 3 * streams, 'three more answers each');
  const more = (await takenBy(fleet, 'http_500', 0)) - taken;
  if (more > streams) faults.push(`a worker that is left out was sent ${more} requests more`);

  await fleet.fault({}, 0);
  const healedAt = performance.now();
  await until(() => allClosed(fleet), 'it is back', 60_000);
  const backMs = Math.round(performance.now() - healedAt);
  await load.stop();
  const page = await fetch(fleet.router(0).metricsUrl).then((answer) => answer.text());
  for (const state of ['open', 'probing', 'returning', 'closed']) {
    const turned = new RegExp(
      `^penstock_router_breaker_turns_total\\{state="${state}"\\} [1-9]`,
      'm',
    );
    if (!turned.test(page)) faults.push(`the metrics have no turn to ${state}`);
  }
  const shares = page.match(/^penstock_router_worker_share\{worker="[^"]+"\} 1$/gm) ?? [];
  if (shares.length !== HOSTS) faults.push(`the metrics have ${shares.length} workers with all`);
  const failed = fleet.log.calls.filter(({ ending }) => ending !== 'complete');
  faults.push(...failed.map(told));
  const figures = {
    'left out after ms': openMs,
    'requests it failed': taken,
    'sent while left out': more,
    'back after ms': backMs,
  };
  return await conclude({ fleet, from: 0 }, { crashes: false }, figures, faults);
}

function faultsOfKill(call: Call): string[] {
  return call.status === 503 && call.code === 'workers_died' ? [] : [told(call)];
}

function told({ requestId, ending, status, code }: Call): string {
  return `${requestId} was ${ending}: ${status} ${code}`;
}

async function each(run: (nth: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: HOSTS }, (_, nth) => run(nth)));
}

async function deaths(fleet: Fleet): Promise<number> {
  const counts = Array.from({ length: HOSTS }, (_, nth) => takenBy(fleet, 'death', nth));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function takenBy(fleet: Fleet, kind: string, nth: number): Promise<number> {
  const { taken } = await fleet.faults(nth);
  return taken[kind] ?? 0;
}

type Shown = Readonly<{ phase: string; breaker: string }>;

async function workers(fleet: Fleet): Promise<readonly Shown[]> {
  return (await fleet.office.call<{ data: Shown[] }>('GET', '/workers')).data;
}

async function ready(fleet: Fleet): Promise<number> {
  return (await workers(fleet)).filter(({ phase }) => phase === 'ready').length;
}

async function allClosed(fleet: Fleet): Promise<boolean> {
  const shown = await workers(fleet);
  return shown.every(({ phase, breaker }) => phase === 'ready' && breaker === 'closed');
}
