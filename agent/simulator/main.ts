/** Composition root of the simulated engine: options -> parts -> serve until disposed of. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { Engine } from './engine.ts';
import { FaultBook } from './faults/book.ts';
import { Journal } from './journal.ts';
import { BlockPool } from './kv/block-pool.ts';
import { Life } from './life.ts';
import { servedModels } from './models.ts';
import { SimOptions, type SimOptionsInput } from './options.ts';
import { Scheduler } from './scheduler.ts';
import { makeServer } from './server.ts';
import { EngineMetrics } from './vllm/metrics.ts';

export interface SimParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface Simulator extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Throws for options or a catalog at fault. Disposing it ends every stream at once. */
export async function startSimulator(
  given: SimOptionsInput,
  { clock, random, log }: SimParts,
): Promise<Simulator> {
  const options = SimOptions.parse(given);
  const models = await servedModels(options);
  const scheduler = new Scheduler(new BlockPool(options.kvBlocks), options, {
    tokenBudget: options.tokenBudget,
    runningMax: options.maxRunning,
  });
  const engine = new Engine(scheduler, clock);
  const life = new Life(clock);
  const faults = new FaultBook(random, () => {
    life.revive();
    engine.resume();
  });
  const server = makeServer({
    models,
    engine,
    faults,
    life,
    meter: new EngineMetrics(scheduler, [...models.keys()]),
    journal: new Journal(options.recordBodies),
    clock,
    random,
    log,
    seed: options.seed,
    queuedMax: options.maxQueued ?? null,
    tokensPerChunk: options.tokensPerChunk,
    promptTokensDetails: options.promptTokensDetails,
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address, 'a listening server has an address');
  const { port } = address;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  log.info({ url, models: models.size }, 'simulated engine listening');
  return {
    url,
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      engine[Symbol.dispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}
