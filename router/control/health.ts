/** The health checks of load balancers. They need no authentication. */
import type { Clock } from '../../shared/clock.ts';
import type { Api } from './api.ts';
import type { ControlParts } from './parts.ts';

export type HealthParts = Pick<ControlParts, 'notReadyBecause' | 'catalog' | 'fleet' | 'clock'>;

/** How often the list of models is made at most, however many requests come. */
const MODELS_EVERY_MS = 1_000;

export function healthRoutes(app: Api, parts: HealthParts): void {
  const modelsWithoutWorkers = atMostEvery(MODELS_EVERY_MS, parts.clock, () =>
    listModelsWithoutWorkers(parts),
  );
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = parts.notReadyBecause();
    if (reason !== null) return reply.code(503).send({ status: 'not ready', reason });
    return reply.send({ status: 'ready', models_without_workers: modelsWithoutWorkers() });
  });
}

/** Returns the models of the catalog that no ready worker serves, in the order of the catalog. */
export function listModelsWithoutWorkers({
  catalog,
  fleet,
}: Pick<HealthParts, 'catalog' | 'fleet'>): string[] {
  const served = new Set<string>();
  for (const { phase, models } of fleet.workers) {
    if (phase === 'ready') for (const model of models) served.add(model);
  }
  return [...catalog.models].map(({ entry }) => entry.id).filter((id) => !served.has(id));
}

function atMostEvery<Value>(
  ms: number,
  clock: Pick<Clock, 'monotonic'>,
  make: () => Value,
): () => Value {
  let last: { value: Value; madeAt: number } | null = null;
  return () => {
    const now = clock.monotonic();
    if (last === null || now - last.madeAt >= ms) last = { value: make(), madeAt: now };
    return last.value;
  };
}
