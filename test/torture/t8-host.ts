/**
 * One of four hosts is lost under streams (T8): its agent is killed with -9, or its cable is cut,
 * so that no packet reports the loss. Requests without a first byte are answered by the other
 * hosts, only answers that had begun are cut, and nothing hangs.
 */
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Call } from '../support/client-log.ts';
import { until } from '../support/up.ts';
import { FarHost } from './far-host.ts';
import { Fleet } from './fleet.ts';
import { MODEL } from './load.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const HOSTS = 4;
/** The router notices a killed agent at once, and an agent that is cut off after a few pings. */
const WINDOW_MS_MAX = { killed: 1_000, 'cut off': 15_000 } as const;
const HUNG_MS = 45_000;
const LATE_REQUESTS = 40;

export type LoseHostOptions = Readonly<{ how: 'killed' | 'cut off'; streams: number }>;

export async function loseHost(stage: Stage, options: LoseHostOptions): Promise<Outcome> {
  await using parts = new AsyncDisposableStack();
  const { how, streams } = options;
  const farHosts = how === 'cut off' ? [parts.use(await FarHost.plug())] : [];
  const fleet = parts.use(
    await Fleet.start({
      postgres: stage.postgres,
      agents: HOSTS,
      engines: HOSTS,
      farHosts,
      tokenMs: 40,
      holdTtlMs: 30_000,
    }),
  );
  const { key } = await fleet.office.customer('T8', 10n * PICO_PER_USD);
  const asked = startStreams(fleet, key, streams);
  await asked.ready;

  const gone = workersAre(fleet, HOSTS - 1);
  if (how === 'killed') await fleet.agents[0]?.kill();
  else await farHosts[0]?.lose(1);
  const lostAt = performance.now();
  const late = Array.from({ length: LATE_REQUESTS }, () => ask(fleet, key, 'Write 10 words.'));
  const missedMs = Math.max(0, Math.round((await gone) - lostAt));
  const { calls, hung } = await ended([...asked.calls, ...late]);

  const cut = calls.filter(({ ending }) => ending === 'cut');
  const windowMs = Math.round(Math.max(0, ...cut.map(({ endedAt }) => (endedAt ?? 0) - lostAt)));
  const faults = calls.flatMap((call) => faultOf(call) ?? []);
  if (hung > 0) faults.push(`${hung} requests hang`);
  if (cut.length === 0) faults.push('the lost host served no stream');
  const before = calls.filter(({ firstByteAt }) => (firstByteAt ?? Infinity) > lostAt);
  if (before.length < LATE_REQUESTS + streams / 4)
    faults.push('too few waited for their first byte');
  const most = WINDOW_MS_MAX[how];
  if (missedMs > most) faults.push(`the router missed its agent after ${missedMs} ms`);
  if (windowMs > most) faults.push(`streams broke off up to ${windowMs} ms after`);
  const figures = {
    streams: calls.length,
    'before their first byte': before.length,
    'lost streams': cut.length,
    'agent missed after ms': missedMs,
    'error window ms': windowMs,
    hung,
  };
  return await conclude({ fleet, from: 0 }, { crashes: false }, figures, faults);
}

/**
 * Starts the requests. When `ready` resolves, half of them stream and the other half wait for their
 * first token.
 */
function startStreams(fleet: Fleet, key: string, streams: number) {
  const begun = Promise.withResolvers<void>();
  let waiting = streams / 2;
  const calls: Promise<Call>[] = Array.from({ length: streams / 2 }, (_, client) =>
    ask(fleet, key, 'Write exactly 250 tokens.', ({ events }) => {
      if (events !== 1 + (client % 20)) return;
      waiting -= 1;
      if (waiting === 0) begun.resolve();
    }),
  );
  const beginAll = async () => {
    await begun.promise;
    for (let client = 0; client < streams / 2; client++) {
      // At 50 µs per token, reading these prompts takes the engines seconds.
      calls.push(ask(fleet, key, `${`${client} `.repeat(5_000)} Write exactly 20 tokens.`));
    }
    const taken = async () => (await inFlight(fleet)) >= streams * 0.95;
    await until(taken, 'the engines have all of them');
  };
  return { calls, ready: beginAll() };
}

function ask(fleet: Fleet, key: string, prompt: string, onEvent?: (call: Call) => void) {
  const to = { base: fleet.router(0).base, key, model: MODEL, prompt, maxTokens: 1_000 };
  return fleet.log.ask(onEvent ? { ...to, onEvent } : to);
}

async function inFlight(fleet: Fleet): Promise<number> {
  const page = await fetch(fleet.router(0).metricsUrl).then((answer) => answer.text());
  const lines = page.matchAll(/^penstock_router_worker_running\{[^}]*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Resolves with the time at which the router has this many ready workers. */
async function workersAre(fleet: Fleet, count: number): Promise<number> {
  const page = () => fetch(fleet.router(0).metricsUrl).then((answer) => answer.text());
  const ready = `penstock_router_workers{phase="ready"} ${count}\n`;
  await until(async () => (await page()).includes(ready), `${count} workers`, HUNG_MS);
  return performance.now();
}

async function ended(asked: readonly Promise<Call>[]): Promise<{ calls: Call[]; hung: number }> {
  const calls: Call[] = [];
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, HUNG_MS);
  const all = Promise.all(asked.map((one) => one.then((call) => calls.push(call))));
  await Promise.race([all, late.promise]);
  clearTimeout(timer);
  return { calls, hung: asked.length - calls.length };
}

function faultOf(call: Call): string | null {
  const { requestId, ending, done, finish, firstByteAt, code } = call;
  if (ending === 'complete') return null;
  if (ending !== 'cut') return `${requestId} was ${ending}: ${code}`;
  if (done || finish !== null) return `${requestId} was cut, but looks whole`;
  if (firstByteAt === null) return `${requestId} was cut before it began`;
  return null;
}
