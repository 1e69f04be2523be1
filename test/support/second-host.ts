/** A second host of a running service: an agent in this process, with a simulated engine. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAgentConfig } from '../../agent/config.ts';
import { startAgent } from '../../agent/main.ts';
import { startSimulator } from '../../agent/simulator/main.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { type Up, until } from './up.ts';

type Worker = Readonly<{ id: string; phase: string; breaker: string }>;

const log = makeLog('test', 'silent');

export interface SecondHost extends AsyncDisposable {
  /** Replaces the faults of its engine. */
  setFaults(faults: object): Promise<void>;
  /** How many requests a fault has hit. */
  taken(fault: string): Promise<number>;
}

export async function readyWorkers(up: Up): Promise<Worker[]> {
  const workers = await up.admin<Worker[]>('worker', 'list');
  return workers.filter(({ phase }) => phase === 'ready');
}

/** Resolves when both hosts are ready. `slots`: how many requests the second one takes at once. */
export async function startSecondHost(
  up: Up,
  { slots }: Readonly<{ slots?: number }> = {},
): Promise<SecondHost> {
  await using parts = new AsyncDisposableStack();
  const engine = parts.use(
    await startSimulator(
      { catalog: 'configs/catalog.yaml', port: 0, logLevel: 'silent' },
      { clock, random, log },
    ),
  );
  const enrol = ['agent', 'enrol', '--name', 'second', '--region', 'global'];
  const { join_token } = await up.admin<{ join_token: string }>(...enrol);
  const config = parseAgentConfig(
    JSON.stringify({
      name: 'second',
      data: await mkdtemp(join(tmpdir(), 'penstock-agent-')),
      routers: [`${up.origin.replace('http', 'ws')}/agent`],
      join: join_token,
      metrics: { port: 0 },
      engines: [{ name: 'second', url: engine.url, ...(slots !== undefined && { slots }) }],
    }),
  );
  parts.use(await startAgent(config, { clock, random, log }));
  await until(async () => (await readyWorkers(up)).length === 2, 'two workers');
  const faults = `${engine.url}/sim/faults`;
  const running = parts.move();
  return {
    async setFaults(wanted) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(faults, { method: 'PUT', headers, body: JSON.stringify(wanted) });
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    },
    async taken(fault) {
      const state = (await (await fetch(faults)).json()) as { taken: Record<string, number> };
      return state.taken[fault] ?? 0;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
