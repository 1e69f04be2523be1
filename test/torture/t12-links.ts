/**
 * T12: a thousand agents dial one router at the same moment: first to enrol, then because all links
 * broke, then because the router was killed and restarted. All are back within a minute, and the
 * router's event loop stays responsive.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PICO_PER_USD } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import type { Dial, Dialled } from './crowd-of-agents.ts';
import { Fleet } from './fleet.ts';
import { Load, MODEL } from './load.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const CROWD = fileURLToPath(new URL('./crowd-of-agents.ts', import.meta.url));
const BACK_MS_MAX = 60_000;
const LAG_MS_MAX = 200;
const LAG_P99 = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m;
const STREAMS = 10;

export async function dialTogether(
  stage: Stage,
  { agents, isAlone }: Readonly<{ agents: number; isAlone: boolean }>,
): Promise<Outcome> {
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    agents: 1,
    models: [MODEL],
    holdTtlMs: 30_000,
  });
  const router = fleet.router(0);
  const tokens = await joinTokens(fleet, agents);
  using crowd = new Crowd();
  const figures: Record<string, number> = { agents };
  const faults: string[] = [];
  const measure = async (what: string, ask: Promise<Dialled>) => {
    const { ms, retries, breaks } = await ask;
    const lagMs = Math.round(await lagP99(router.metricsUrl));
    figures[`${what}: ms`] = ms;
    figures[`${what}: lag p99 ms`] = lagMs;
    if (retries > 0) figures[`${what}: dialled again`] = retries;
    if (breaks > 0) faults.push(`${what}: ${breaks} links broke`);
    if (ms > BACK_MS_MAX) faults.push(`${what} took ${ms} ms`);
    // Beside other scenes the router waits for CPU time, so the lag is reported but not judged.
    if (isAlone && !(lagMs <= LAG_MS_MAX))
      faults.push(`${what}: the event loop's p99 was ${lagMs} ms`);
  };

  const { key } = await fleet.office.customer('T12', PICO_PER_USD);
  await using load = new Load({
    log: fleet.log,
    streams: STREAMS,
    random,
    target: () => ({ base: router.base, key }),
  });
  await lagP99(router.metricsUrl);
  await measure('enrolled', crowd.dial({ dial: router.origin, tokens }));
  await measure('back after a break', crowd.dial({ dial: router.origin, tokens: [] }));
  await router.serving(agents + 1);
  await load.stop();
  if (isAlone) {
    await router.process.kill();
    const dialled = crowd.dial({ dial: router.origin, tokens: [] });
    await router.start();
    await measure('back after a kill', dialled);
    await router.serving(agents + 1);
  }
  return await conclude({ fleet, from: 0 }, { crashes: false }, figures, faults);
}

export async function joinTokens(fleet: Fleet, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let first = 0; first < count; first += 50) {
    const made = Array.from({ length: Math.min(50, count - first) }, (_, index) =>
      fleet.office.call<{ join_token: string }>('POST', '/agents', { name: `a${first + index}` }),
    );
    tokens.push(...(await Promise.all(made)).map(({ join_token }) => join_token));
  }
  return tokens;
}

/** The p99 event loop lag in ms since the last read of the metrics. */
async function lagP99(metricsUrl: string): Promise<number> {
  const page = await fetch(metricsUrl).then((answer) => answer.text());
  return Number(LAG_P99.exec(page)?.[1] ?? Number.NaN) * 1_000;
}

class Crowd implements Disposable {
  readonly #process = fork(CROWD);

  async dial(to: Dial): Promise<Dialled> {
    const said = once(this.#process, 'message', { signal: AbortSignal.timeout(2 * BACK_MS_MAX) });
    this.#process.send(to);
    return (await said)[0] as Dialled;
  }

  [Symbol.dispose](): void {
    this.#process.kill('SIGKILL');
  }
}
