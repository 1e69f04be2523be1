/** The demand for each model against the capacity of its workers. */
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { isReady } from '../../../api/readings.ts';
import { errorsOf, requestsOf } from '../fleet/history-series.ts';
import { usualModels } from '../fleet/unready-workers.ts';

export type ModelDemand = Readonly<{
  model: string;
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

/** The most loaded first. A model of the history counts even if no worker serves it now. */
export function demandByModel(
  workers: readonly WorkerEntry[],
  history: FleetHistory | undefined,
): readonly ModelDemand[] {
  const groups = new Map((history?.groups ?? []).map((group) => [group.model ?? '', group]));
  const unobserved = history?.omitted === 0 ? 0 : null;
  const models = new Set([...workers.flatMap(usualModels), ...groups.keys()]);
  const rows = [...models].map((model) => {
    const own = workers.filter((worker) => usualModels(worker).includes(model));
    const ready = own.filter(isReady);
    const group = groups.get(model);
    return {
      model,
      workers: own.length,
      ready: ready.length,
      slots: sum(ready.map(({ slots }) => slots)),
      running: sum(ready.map(({ running }) => running)),
      peak: history && group && requestsOf(group.total) > 0 ? peakOf(history, group) : null,
      requests: group ? requestsOf(group.total) : unobserved,
      unserved: group ? errorsOf(group.total) : unobserved,
    };
  });
  return rows.toSorted(
    (a, b) =>
      (b.peak ?? 0) - (a.peak ?? 0) ||
      (b.requests ?? 0) - (a.requests ?? 0) ||
      (a.model < b.model ? -1 : 1),
  );
}

type Group = FleetHistory['groups'][number];

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
