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

/** Returns a figure of one worker; null if it is not known. */
type Figure = (worker: Worker) => number | null;

export function watchScaling(registry: Registry, parts: ScalingParts): void {
  const gauge = (name: string, help: string, figure: Figure) =>
    watchModels(registry, parts, { name: `penstock_router_model_${name}`, help, figure });
  gauge(
    'workers_ready',
    'Workers that take requests for a model at the listeners of a region.',
    () => 1,
  );
  gauge(
    'slots',
    'Requests that the ready workers of a model may run at once.',
    ({ slots }) => slots,
  );
  gauge(
    'slots_free',
    'Further requests that the ready workers of a model may run, as far as this router knows.',
    ({ slots, forecast, inFlight }) => Math.max(0, slots - inFlight - forecast.foreign),
  );
  gauge(
    'prefill_queued_seconds',
    'Seconds of prefill that are queued on the ready workers of a model, all together.',
    ({ forecast }) => forecast.queueSeconds(parts.clock.monotonic() / 1000),
  );
  gauge(
    'kv_tokens',
    'Tokens that fit the KV caches of the ready workers of a model. Engines that do not report that are left out.',
    ({ load }) => load.kvTokens,
  );
  gauge(
    'kv_tokens_free',
    'Tokens of the KV caches of the ready workers of a model that are not in use.',
    ({ load, kvUse }) => load.kvTokens && Math.floor(load.kvTokens * (1 - kvUse)),
  );
}

/** Adds a gauge with the sum of a figure over the workers of each model. */
function watchModels(
  registry: Registry,
  { fleet, catalog, regions }: ScalingParts,
  { name, help, figure }: Readonly<{ name: string; help: string; figure: Figure }>,
): void {
  const served = [...new Set(regions)];
  new Gauge({
    name,
    help,
    labelNames: ['model', 'region'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { entry } of catalog.models) {
        for (const region of served) {
          const figures = fleet.serving(entry.id, region).map(figure);
          const known = figures.filter((value) => value !== null);
          // Without a worker the sum is 0; with workers that report nothing it is not known.
          if (figures.length > 0 && known.length === 0) continue;
          const sum = known.reduce((total, value) => total + value, 0);
          this.set({ model: entry.id, region }, sum);
        }
      }
    },
  });
}
