/**
 * `npm run bench:decision`: the cost of a routing decision (hash the prompt, look it up for every
 * worker, pick a worker, record the dispatch), and the memory of the index with a million unique
 * prompts.
 *
 * The same decisions are made several times from the same start. `least` takes the shortest time of
 * each decision, which is its time with the processor to itself. `wall` takes all times, including
 * what else the machine does.
 */
import {
  Forecasts,
  type EligibleWorker,
  type PromptQuery,
} from '../../router/routing/forecasts.ts';
import { leastTtft } from '../../router/routing/policies/least-ttft.ts';
import { promptOf } from '../../router/routing/prompt.ts';
import { systemClock } from '../../shared/clock.ts';
import { seededRandom } from '../../shared/random.ts';

const WARM_UP = 500;
const ROUNDS = 5;
const MODEL = 'bench';

let random = seededRandom(1);

/** Returns text of this many characters that no two prompts share, as in the JSON of a chat. */
function text(chars: number): string {
  let told = `${random.unit()} `;
  while (told.length < chars) told += `${random.below(100_000)} words of a long conversation, `;
  return told.slice(0, chars);
}

function makeFleet(workers: number): { forecasts: Forecasts; able: EligibleWorker[] } {
  const forecasts = new Forecasts({ clock: systemClock, random });
  const able = Array.from({ length: workers }, (_, index): EligibleWorker => {
    const id = `agt_${index}/engine`;
    const forecast = forecasts.join(id);
    if (!forecast) throw new Error('too many workers');
    return { id, forecast, inFlight: 0, waiting: 0, slots: 256, kvUse: 0, rttSeconds: 0.001 };
  });
  return { forecasts, able };
}

function decide({ forecasts, able }: ReturnType<typeof makeFleet>, body: string): () => void {
  const request: PromptQuery = {
    model: MODEL,
    prompt: promptOf('model|salt', body),
    promptTokens: Math.ceil(body.length / 4),
  };
  const { query, candidates } = forecasts.estimate(request, able);
  const { worker } = leastTtft(query, candidates, random);
  const flight = forecasts.dispatched(request, worker.forecast);
  return () => {
    worker.forecast.firstToken(flight);
    worker.forecast.ended(flight, { promptTokens: request.promptTokens, cachedTokens: null });
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function quantiles(taken: number[]): string {
  const sorted = taken.toSorted((one, other) => one - other);
  const at = (share: number) =>
    `${((sorted[Math.floor(share * sorted.length)] as number) * 1000).toFixed(0)} µs`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}`;
}

/**
 * Growing conversations: half of the prompts were seen before, except for their last two thousand
 * characters.
 */
function measure(workers: number, chars: number, runs: number): void {
  const rounds = Array.from({ length: ROUNDS }, () => once(workers, chars, runs));
  const least = (rounds[0] as number[]).map((_, run) =>
    Math.min(...rounds.map((round) => round[run] as number)),
  );
  print(
    `${workers} workers, ${chars} characters, ${runs} decisions: ` +
      `least ${quantiles(least)}; wall ${quantiles(rounds.flat())}`,
  );
}

function once(workers: number, chars: number, runs: number): number[] {
  random = seededRandom(1);
  const fleet = makeFleet(workers);
  const heads = Array.from({ length: 200 }, () => text(chars - 2_000));
  const taken: number[] = [];
  const open: (() => void)[] = [];
  for (let run = 0; run < WARM_UP + runs; run++) {
    const head = heads[random.below(heads.length)] as string;
    // A flat string, as JSON.stringify returns one.
    const body = Buffer.from(run % 2 === 0 ? text(chars) : head + text(2_000)).toString();
    const from = systemClock.monotonic();
    open.push(decide(fleet, body));
    if (run >= WARM_UP) taken.push(systemClock.monotonic() - from);
    if (open.length > 8 * workers) open.shift()?.();
  }
  return taken;
}

function measureMemory(workers: number, prompts: number): void {
  const { forecasts, able } = makeFleet(workers);
  const started = cpuMs();
  for (let run = 0; run < prompts; run++) {
    const chunks = Uint32Array.from({ length: 8 }, () => random.below(2 ** 32));
    const request = {
      model: MODEL,
      prompt: { chunks, chars: 3_500, whole: null },
      promptTokens: 900,
    };
    const { query, candidates } = forecasts.estimate(request, able);
    const { worker } = leastTtft(query, candidates, random);
    worker.forecast.lost(forecasts.dispatched(request, worker.forecast));
    if ((run + 1) % (prompts / 10) === 0) {
      const { bytes, entries } = forecasts.index;
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      const mib = [bytes, arrayBuffers, heapUsed].map((size) => (size / 2 ** 20).toFixed(0));
      print(
        `${run + 1} unique prompts: ${entries} entries, index ${mib[0]} MiB; ` +
          `process: array buffers ${mib[1]} MiB, heap ${mib[2]} MiB`,
      );
    }
  }
  const perPrompt = (cpuMs() - started) / prompts;
  print(`${(perPrompt * 1000).toFixed(1)} µs of CPU a prompt of four chunks, sweeping included`);
}

measure(16, 48_000, 2_000);
measure(16, 220_000, 1_000);
measure(64, 48_000, 1_000);
measureMemory(16, 1_000_000);
