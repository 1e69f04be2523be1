/** A real agent with the real simulator, and a router that the test controls. */
import { startAgent } from '../../../agent/main.ts';
import { type Simulator, startSimulator } from '../../../agent/simulator/main.ts';
import { type CatalogModel, readCatalog } from '../../../shared/catalog.ts';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import type { WireModel } from '../../../shared/wire/messages.ts';
import { FakeRouter } from './fake-router.ts';
import { agentConfig, scratch } from './rig.ts';

const CATALOG = new URL('../../../configs/catalog.yaml', import.meta.url).pathname;

type Seen = { running: number; waiting: number; aborted: number };

function wireModel(entry: CatalogModel): WireModel {
  return {
    id: entry.id,
    hubModelId: entry.hub_model_id,
    contextLength: entry.context_length,
    maxOutputLength: entry.max_output_length,
    images: entry.input_modalities.includes('image'),
    thinking: entry.thinking,
  };
}

/**
 * Resolves when the engine is ready. `sim`: options of the simulator, in addition to those that
 * make it fast.
 */
export async function startSimulated(sim: object = {}) {
  await using undo = new AsyncDisposableStack();
  const parts = { clock: systemClock, random: seededRandom(1), log: makeLog('agent', 'silent') };
  const given = { port: 0, catalog: CATALOG, tokenMs: 1, prefillUs: 1, recordBodies: true, ...sim };
  const engine = undo.use(await startSimulator(given, parts));
  const models = [...(await readCatalog(CATALOG)).values()].map(wireModel);
  const router = undo.use(await FakeRouter.start({ models }));
  const { folder } = undo.use(await scratch());
  const config = agentConfig({
    data: folder,
    routers: [router.url],
    engines: [{ name: 'engine', url: engine.url, ...kvEventsOf(engine) }],
  });
  undo.use(await startAgent(config, parts));
  const session = await router.joined();
  await session.until(() => session.load()?.phase === 'ready');
  const owned = undo.move();
  return {
    session,
    engine,
    faults: (faults: object) =>
      fetch(`${engine.url}/sim/faults`, { method: 'PUT', body: JSON.stringify(faults) }),
    requests: async () => (await fetch(`${engine.url}/sim/requests`)).json() as Promise<Seen>,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The setting `kvEvents` of a simulator that publishes its KV events. */
export function kvEventsOf({ kvEventsEndpoint, kvReplayEndpoint }: Simulator) {
  if (kvEventsEndpoint === null) return {};
  const replay = kvReplayEndpoint === null ? {} : { replay: kvReplayEndpoint };
  return { kvEvents: { endpoint: kvEventsEndpoint, ...replay } };
}

export function chatOf(model: string, more: object = {}) {
  return { model, messages: [{ role: 'user', content: 'Tell me of locks and weirs.' }], ...more };
}
