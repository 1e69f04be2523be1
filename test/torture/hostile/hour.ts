/**
 * T25, the hostile hour: fifty clients carry out all acts of `clients.ts` at the same time, and
 * five dishonest hosts send false reports and floods of messages. Three honest customers with a
 * hundred streams must not notice: their p99 time to first token stays within twice its quiet
 * value, and none of their requests fails. The router's event loop stays responsive, its memory
 * stays flat, and the books are clean.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PICO_PER_USD } from '../../../shared/money.ts';
import { seededRandom } from '../../../shared/random.ts';
import type { Call } from '../../support/client-log.ts';
import { openReader } from '../books.ts';
import { Fleet } from '../fleet.ts';
import { Load, MODEL } from '../load.ts';
import { conclude, type Outcome, type Stage } from '../scene.ts';
import type { Attack, Attacked } from './attackers.ts';
import { quantile, Vitals } from './vitals.ts';

const ATTACKERS = fileURLToPath(new URL('./attackers.ts', import.meta.url));
const ROGUES_MODEL = 'moonshotai/kimi-k2.5';
const HOSTILE_CLIENTS = 50;
const ROGUES = 5;
const HONEST_CUSTOMERS = 3;
const HONEST_STREAMS = 100;
const HONEST_TOKENS = [60, 120, 240] as const;
const TTFT_RATIO_MAX = 2;
const LAG_P99_MS_MAX = 50;
/** The allowed growth of memory from the second sixth of the time to the last. */
const GROWTH_MAX = 0.1;
const STOP_MS_MAX = 60_000;
/** The interval between checks that the router still runs. */
const LOOK_MS = 250;

export type HostileHour = Readonly<{
  quietMs: number;
  hostileMs: number;
  /** Whether times and memory are judged, or only reported. */
  isMeasured: boolean;
}>;

export async function hostileHour(
  stage: Stage,
  { quietMs, hostileMs, isMeasured }: HostileHour,
): Promise<Outcome> {
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    agents: 2,
    models: [MODEL],
    holdTtlMs: 30_000,
  });
  const random = seededRandom(stage.seed);
  const honest = await customers(fleet, HONEST_CUSTOMERS, 1_000n * PICO_PER_USD);
  const router = fleet.router(0);
  await using load = new Load({
    log: fleet.log,
    streams: HONEST_STREAMS,
    random,
    target: (nth) => ({ base: router.base, key: honest[nth % honest.length]?.key ?? '' }),
    ask: () => {
      const tokens = HONEST_TOKENS[random.below(HONEST_TOKENS.length)] ?? 60;
      const prompt = `Write exactly ${tokens} tokens about number ${random.below(1e6)}.`;
      return { model: MODEL, prompt, maxTokens: tokens + 10 };
    },
  });
  using vitals = new Vitals(router);
  // Resets the lag metric, so that it covers only the time from now on.
  await vitals.lag();
  await pause(quietMs);
  await vitals.look();
  const quiet = {
    calls: fleet.log.calls.length,
    looks: vitals.megabytes.length,
    lag: await vitals.lag(),
  };

  const hostile = await hostileCustomers(fleet);
  using attackers = new Attackers();
  attackers.begin({
    prey: { origin: router.origin, keys: hostile.keys, model: MODEL, roguesModel: ROGUES_MODEL },
    clients: HOSTILE_CLIENTS,
    joinTokens: await joinTokens(fleet),
    seed: stage.seed,
  });
  const end = performance.now() + hostileMs;
  while (performance.now() < end && router.process.isRunning) await pause(LOOK_MS);
  await vitals.look();
  const lag = await vitals.lag();
  const attacked = await attackers.stop();
  await load.stop();

  const before = fleet.log.calls.slice(0, quiet.calls);
  const during = fleet.log.calls.slice(quiet.calls);
  const seen = {
    ttft: { quiet: ttftP99(before), hostile: ttftP99(during) },
    failed: fleet.log.calls.filter(({ ending }) => ending !== 'complete'),
  };
  const memory = memoryOf(vitals.megabytes.slice(quiet.looks));
  const faults = seen.failed
    .slice(0, 5)
    .map((call) => `an honest request was ${call.ending} with ${call.status} ${call.code}`);
  if (!router.process.isRunning) faults.push(`the router is gone:\n${router.process.output}`);
  if (vitals.missed > 0) faults.push(`the router did not tell its metrics ${vitals.missed} times`);
  if (isMeasured) {
    if (seen.ttft.hostile > TTFT_RATIO_MAX * seen.ttft.quiet) {
      faults.push(`p99 TTFT was ${seen.ttft.hostile} ms, and ${seen.ttft.quiet} ms while quiet`);
    }
    if (!(lag.p99Ms <= LAG_P99_MS_MAX)) {
      faults.push(`the event loop's p99 was ${Math.round(lag.p99Ms)} ms`);
    }
    if (memory.growth > GROWTH_MAX) faults.push(`memory grew by ${percent(memory.growth)}`);
  }
  await setApart(fleet, hostile.organizations);
  return await conclude(
    { fleet, from: 0 },
    { crashes: false },
    {
      'hostile s': Math.round(hostileMs / 1_000),
      'hostile acts': attacked.acts,
      kinds: attacked.kinds,
      'rogue sessions ended': attacked.ended,
      'honest requests': during.length,
      'honest failed': seen.failed.length,
      'quiet p99 TTFT ms': seen.ttft.quiet,
      'hostile p99 TTFT ms': seen.ttft.hostile,
      'quiet loop p99 ms': Math.round(quiet.lag.p99Ms),
      'hostile loop p99 ms': Math.round(lag.p99Ms),
      'loop longest ms': Math.round(lag.maxMs),
      'MB quiet': Math.round(vitals.megabytes[quiet.looks - 1] ?? Number.NaN),
      'MB at most': Math.round(memory.most),
      'memory growth': percent(memory.growth),
    },
    faults,
  );
}

class Attackers implements Disposable {
  readonly #process = fork(ATTACKERS);

  begin(attack: Attack): void {
    this.#process.send(attack);
  }

  async stop(): Promise<Attacked> {
    const said = once(this.#process, 'message', { signal: AbortSignal.timeout(STOP_MS_MAX) });
    this.#process.send('stop');
    return (await said)[0] as Attacked;
  }

  [Symbol.dispose](): void {
    this.#process.kill('SIGKILL');
  }
}

function customers(fleet: Fleet, count: number, credit: bigint) {
  return Promise.all(
    Array.from({ length: count }, (_, nth) => fleet.office.customer(`Customer ${nth}`, credit)),
  );
}

async function hostileCustomers(fleet: Fleet) {
  const [broke, poor, paying] = await Promise.all([
    fleet.office.customer('Broke', 0n),
    fleet.office.customer('Poor', PICO_PER_USD / 100n),
    fleet.office.customer('Paying', 1_000n * PICO_PER_USD),
  ]);
  return {
    keys: { broke: broke.key, poor: poor.key, paying: paying.key },
    organizations: [broke.id, poor.id, paying.id],
  };
}

async function joinTokens(fleet: Fleet): Promise<string[]> {
  const made = Array.from({ length: ROGUES }, (_, nth) =>
    fleet.office.call<{ join_token: string }>('POST', '/agents', { name: `rogue-${nth}` }),
  );
  return (await Promise.all(made)).map(({ join_token }) => join_token);
}

/**
 * Leaves the charges of organizations to `ledger verify`, because no log records what their clients
 * saw.
 */
export async function setApart(fleet: Fleet, organizations: readonly string[]): Promise<void> {
  await using reader = await openReader(fleet.storeUrl);
  const ids = organizations.map((id) => `'${id}'`).join(',');
  const rows = await reader.rows<{ request: string }>(
    `SELECT request FROM usage WHERE organization IN (${ids})`,
  );
  for (const { request } of rows) fleet.apart.add(request);
}

function ttftP99(calls: readonly Call[]): number {
  const waits = calls.flatMap(({ firstByteAt, sentAt }) =>
    firstByteAt === null ? [] : [firstByteAt - sentAt],
  );
  return Math.round(quantile(waits, 0.99));
}

/** Leaves out the first sixth, in which caches and heaps grow to their working size. */
function memoryOf(pss: readonly number[]): { most: number; growth: number } {
  const sixth = Math.max(1, Math.floor(pss.length / 6));
  const early = quantile(pss.slice(sixth, 2 * sixth), 0.5);
  const late = quantile(pss.slice(-sixth), 0.5);
  return { most: Math.max(...pss), growth: late / early - 1 };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
