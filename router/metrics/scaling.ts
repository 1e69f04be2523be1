/**
 * What an autoscaler needs to know of each model. Every router knows all workers that are linked to
 * it, and by echoes the requests of the other routers, so the figures of several routers are not to
 * be added up.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../shared/clock.ts';
import type { Region } from '../../shared/region.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Worker } from '../fleet/worker.ts';

type ScalingParts = Readonly<{
  fleet: Fleet;
  catalog: Pick<LiveCatalog, 'models'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Those of this router's listeners. */
  regions: readonly Region[];
}>;

/** `of` returns the figure of one worker; null if it is not known. */
type Figure = Readonly<{ name: string; help: string; of: (worker: Worker) => number | null }>;

export function watchScaling(registry: Registry, parts: ScalingParts): void {
  const figures: readonly Figure[] = [
    {
      name: 'workers_ready',
      help: 'Workers that take requests for a model at the listeners of a region.',
      of: () => 1,
    },
    {
      name: 'slots',
      help: 'Requests that the ready workers of a model may run at once.',
      of: ({ slots }) => slots,
    },
    {
      name: 'slots_free',
      help: 'Further requests that the ready workers of a model may run, as far as this router knows.',
      of: ({ slots, forecast, inFlight }) => Math.max(0, slots - inFlight - forecast.foreign),
    },
    {
      name: 'prefill_queued_seconds',
      help: 'Seconds of prefill that are queued on the ready workers of a model, all together.',
      of: ({ forecast }) => forecast.queueSeconds(parts.clock.monotonic() / 1000),
    },
    {
      name: 'kv_tokens',
      help: 'Tokens that fit the KV caches of the ready workers of a model. Engines that do not report that are left out.',
      of: ({ load }) => load.kvTokens,
    },
    {
      name: 'kv_tokens_free',
      help: 'Tokens of the KV caches of the ready workers of a model that are not in use.',
      of: ({ load, kvUse }) => load.kvTokens && Math.floor(load.kvTokens * (1 - kvUse)),
    },
  ];
  const gauges: readonly Gauge<'model' | 'region'>[] = figures.map(
    ({ name, help }, nth) =>
      new Gauge({
        name: `penstock_router_model_${name}`,
        help,
        labelNames: ['model', 'region'] as const,
        registers: [registry],
        // A registry reads its metrics in this order, so the first one fills all of them.
        ...(nth === 0 && { collect: () => fill(gauges, figures, parts) }),
      }),
  );
}

/** The sum of a figure over the workers of a model in a region, and how many workers it is known of. */
type Sum = { total: number; known: number };

/** Sets the gauges in one pass over the workers, because thousands of them may serve each model. */
function fill(
  gauges: readonly Gauge<'model' | 'region'>[],
  figures: readonly Figure[],
  { fleet, catalog, regions }: ScalingParts,
): void {
  const served = [...new Set(regions)].map((region) => ({
    region,
    models: new Map(
      [...catalog.models].map(({ entry }) => [
        entry.id,
        { workers: 0, sums: figures.map((): Sum => ({ total: 0, known: 0 })) },
      ]),
    ),
  }));
  for (const worker of fleet.workers) {
    if (!worker.isServing) continue;
    const values = figures.map(({ of }) => of(worker));
    for (const { region, models } of served) {
      if (region !== 'global' && region !== worker.region) continue;
      for (const id of worker.models) {
        const model = models.get(id);
        if (!model) continue;
        model.workers += 1;
        for (const [nth, value] of values.entries()) {
          const sum = model.sums[nth];
          if (!sum || value === null) continue;
          sum.total += value;
          sum.known += 1;
        }
      }
    }
  }
  for (const gauge of gauges) gauge.reset();
  for (const { region, models } of served) {
    for (const [model, { workers, sums }] of models) {
      for (const [nth, { total, known }] of sums.entries()) {
        // Without a worker the sum is 0; with workers that report nothing it is not known.
        if (workers === 0 || known > 0) gauges[nth]?.set({ model, region }, total);
      }
    }
  }
}
