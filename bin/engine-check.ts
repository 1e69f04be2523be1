/**
 * Compares the engine of `penstock up --engine` with the catalog before anything starts. Without a
 * model that both have, nothing would ever be served.
 */
import { EngineClient } from '../agent/engine/client.ts';
import { matchModels, ModelList, noMatch } from '../agent/engine/models.ts';
import { readCatalog } from '../shared/catalog.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { UsageError } from './faults.ts';

const ANSWER_MS_MAX = 3_000;
/** The most names of a list that are shown. */
const NAMES_MAX = 32;

/**
 * Throws UsageError if the engine lists its models and the catalog has none of them. An engine that
 * does not list them may still be loading, so it is waited for.
 */
export async function checkEngine(url: string, catalogFile: string): Promise<void> {
  const catalog = [...(await readCatalog(catalogFile)).values()].map(
    ({ id, hub_model_id: hubModelId }) => ({ id, hubModelId }),
  );
  await using client = new EngineClient({ url, slots: 1 }, clock);
  const query = { path: '/v1/models', timeoutMs: ANSWER_MS_MAX };
  const list = ModelList.safeParse(await client.queryJson(query));
  if (!list.success) {
    const line = `The engine at ${url} does not list its models yet. Penstock waits for it.\n`;
    return void process.stderr.write(line);
  }
  const listed = list.data.data;
  if (matchModels(catalog, {}, listed).length > 0) return;
  throw new UsageError(
    `${noMatch(catalog, listed, NAMES_MAX)}. Serve one of these models at ${url}, or give a catalog ` +
      "that has the engine's models with --catalog",
  );
}
