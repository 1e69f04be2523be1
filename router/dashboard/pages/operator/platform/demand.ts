/** The demand for each model in each region against the capacity of the workers that may serve it. */
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { REGIONS, type Region } from '../../../../../shared/region.ts';
import { isReady } from '../../../api/readings.ts';
import { errorsOf, requestsOf } from '../fleet/history-series.ts';
import { usualModels } from '../fleet/unready-workers.ts';

export type ModelDemand = Readonly<{
  model: string;
  region: Region;
  /** Those that serve it, and those that served it when they were ready last. */
  workers: number;
  ready: number;
  /** Of ready workers. */
  slots: number;
  /** What these workers run now, for any of their models. */
  running: number;
  /**
   * In the last day: the highest demand of ten complete minutes by its slots, which never falls
   * within the day; null without requests.
   */
  peak: number | null;
  /** In the last day; null if it is not known, because too many models were busier. */
  requests: number | null;
  unserved: number | null;
}>;

/** The history of all regions together, and that of each, by model, as far as they are read. */
type Histories = Readonly<Partial<Record<Region | 'all', FleetHistory | undefined>>>;

/**
 * Those without a ready worker first, and then the most loaded. A model of the history counts even if
 * no worker serves it now. Requests of Global may be served in all regions, and others in theirs alone.
 */
export function demandByModel(
  workers: readonly WorkerEntry[],
  histories: Histories,
): readonly ModelDemand[] {
  const rows = REGIONS.flatMap((region) =>
    region === 'global'
      ? demandIn(region, workers, histories.global, histories.all)
      : demandIn(
          region,
          workers.filter((worker) => worker.region === region),
          histories[region],
          histories[region],
        ),
  );
  return rows.toSorted(
    (a, b) =>
      Number(b.ready === 0) - Number(a.ready === 0) ||
      (b.peak ?? 0) - (a.peak ?? 0) ||
      (b.requests ?? 0) - (a.requests ?? 0) ||
      (a.model < b.model ? -1 : 1),
  );
}

/** `history`: of the requests of the region. `load`: of the workers that may serve them. */
function demandIn(
  region: Region,
  workers: readonly WorkerEntry[],
  history: FleetHistory | undefined,
  load: FleetHistory | undefined,
): readonly ModelDemand[] {
  const groups = groupsOf(history);
  const loads = groupsOf(load);
  const unobserved = history?.omitted === 0 ? 0 : null;
  const models = new Set([...workers.flatMap(usualModels), ...groups.keys()]);
  return [...models].map((model) => {
    const own = workers.filter((worker) => usualModels(worker).includes(model));
    const ready = own.filter(isReady);
    const group = groups.get(model);
    const busy = loads.get(model);
    return {
      model,
      region,
      workers: own.length,
      ready: ready.length,
      slots: sum(ready.map(({ slots }) => slots)),
      running: sum(ready.map(({ running }) => running)),
      peak: load && busy && requestsOf(busy.total) > 0 ? peakOf(load, busy) : null,
      requests: group ? requestsOf(group.total) : unobserved,
      unserved: group ? errorsOf(group.total) : unobserved,
    };
  });
}

type Group = FleetHistory['groups'][number];

function groupsOf(history: FleetHistory | undefined): ReadonlyMap<string, Group> {
  return new Map((history?.groups ?? []).map((group) => [group.model ?? '', group]));
}

/** The mean of a bucket falls until it is complete, and its last minute may not be written yet. */
function peakOf({ end, bucket_seconds: seconds }: FleetHistory, { points }: Group): number | null {
  const loads = points.flatMap(({ at, workers, queued }) =>
    Date.parse(at) + 1_000 * seconds < Date.parse(end) && workers && workers.slots > 0
      ? [(workers.running + workers.waiting + queued) / workers.slots]
      : [],
  );
  return loads.length === 0 ? null : Math.max(...loads);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
