/** Composition root of the simulated engine: builds its parts and serves until disposed of. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Clock, sleep } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Dialect, RouteParts } from './dialect.ts';
import { Engine } from './engine.ts';
import { FaultBook } from './faults/book.ts';
import { Journal } from './journal.ts';
import { BlockPool } from './kv/block-pool.ts';
import { Life } from './life.ts';
import { llamacpp } from './llamacpp/dialect.ts';
import { servedModels } from './models.ts';
import { type DialectName, SimOptions, type SimOptionsInput } from './options.ts';
import { Scheduler } from './scheduler.ts';
import { makeServer } from './server.ts';
import { sglang } from './sglang/dialect.ts';
import { vllm } from './vllm/dialect.ts';
import { KvEvents } from './vllm/kv-events.ts';
import { KvPublisher } from './vllm/kv-publisher.ts';

export interface SimParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called with each line that the engine itself prints while it starts. */
  readonly say?: (line: string) => void;
  /** Aborts the loading. */
  readonly signal?: AbortSignal;
  /** Ends the process, as a crash does. Without it, a crash only ends the responses. */
  readonly exit?: () => void;
}

export interface Simulator extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The address at which KV events are published, or null. */
  readonly kvEventsEndpoint: string | null;
  /** The address at which missed KV events can be requested, or null. */
  readonly kvReplayEndpoint: string | null;
  /** Resolves when the model is loaded. */
  readonly loaded: Promise<void>;
}

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { vllm, sglang, llamacpp };
const LOADING_STEPS = 8;

/**
 * Starts a simulated engine. Throws when the options or the catalog are not valid. Resolves when
 * the engine listens, which may be before its model is loaded. Disposing of it ends every stream at
 * once.
 */
export async function startSimulator(given: SimOptionsInput, parts: SimParts): Promise<Simulator> {
  const options = SimOptions.parse(given);
  const dialect = DIALECTS[options.dialect];
  const { random, clock, log } = parts;
  const models = await servedModels({
    ...options,
    contextShares: options.divideKv ? options.maxRunning : 1,
  });
  await using building = new AsyncDisposableStack();
  const publisher =
    options.kvEventsEndpoint === undefined
      ? null
      : building.use(
          await KvPublisher.bind({
            endpoint: options.kvEventsEndpoint,
            replay: options.kvReplayEndpoint,
            loseEvery: options.kvEventsLoseEvery,
          }),
        );
  const kvEvents =
    publisher && new KvEvents(clock, options.kvEventsForm, (batch) => publisher.publish(batch));
  const scheduler = new Scheduler(new BlockPool(options.kvBlocks, kvEvents), options, {
    tokenBudget: options.tokenBudget,
    runningMax: options.maxRunning,
    cutsWhenFull: dialect.cutsWhenFull,
  });
  const engine = new Engine(scheduler, clock, () => kvEvents?.flush());
  const life = new Life(clock, parts.exit ?? (() => {}));
  const faults = new FaultBook(random, () => {
    life.revive();
    engine.resume();
  });
  if (options.poison !== undefined) {
    const poison = { after_tokens: 0, probability: 1, containing: options.poison };
    faults.set({ death: { ...poison, exit: true } });
  }
  const serverParts: RouteParts = {
    dialect,
    models,
    engine,
    live: new Map(),
    faults,
    life,
    page: dialect.page(scheduler, models),
    journal: new Journal(options.recordBodies),
    clock,
    random,
    log,
    options,
    loading: true,
  };
  const server = makeServer(serverParts);
  const stopped = new AbortController();
  parts.signal?.addEventListener('abort', () => stopped.abort(), { once: true });
  const loads = load(
    dialect,
    options,
    { ...parts, model: [...models.keys()][0] ?? '' },
    stopped.signal,
  );
  await loads.next();
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port, url } = addressOf(server, options.host);
  const finishLoading = async (): Promise<void> => {
    await loads.next();
    serverParts.loading = false;
    log.info(
      { url, models: models.size, dialect: dialect.name, kvEventsEndpoint: publisher?.endpoint },
      'simulated engine started',
    );
  };
  const loaded = finishLoading();
  if (options.loadSeconds === 0) await loaded;
  const undo = building.move();
  return {
    url,
    port,
    kvEventsEndpoint: publisher && publisher.endpoint,
    kvReplayEndpoint: publisher && publisher.replayEndpoint,
    loaded,
    async [Symbol.asyncDispose]() {
      stopped.abort();
      const closed = once(server, 'close');
      server.close();
      engine[Symbol.dispose]();
      server.closeAllConnections();
      await Promise.all([closed, loaded]);
      await undo.disposeAsync();
    },
  };
}

/**
 * Simulates the loading of a model, and prints its progress. Yields when the engine is to listen,
 * and returns when the model is loaded.
 */
async function* load(
  { loading }: Dialect,
  { loadSeconds }: SimOptions,
  { clock, say, model }: SimParts & { model: string },
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  let listens = false;
  for (let step = 0; step <= LOADING_STEPS && !signal.aborted; step++) {
    const share = step / LOADING_STEPS;
    if (step > 0 && loadSeconds > 0)
      await sleep(clock, (loadSeconds * 1000) / LOADING_STEPS, signal);
    if (loadSeconds > 0) {
      for (const line of loading.lines(share, { model, elapsedSeconds: share * loadSeconds })) {
        say?.(line);
      }
    }
    if (listens || share < loading.listensFrom) continue;
    listens = true;
    yield;
  }
}

function addressOf(server: Server, host: string): { port: number; url: string } {
  const address = server.address();
  assert(typeof address === 'object' && address, 'a listening server has an address');
  const { port } = address;
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}
