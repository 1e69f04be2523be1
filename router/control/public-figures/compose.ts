/** Puts the catalog and the history together, as visitors see them. */
import type { PublicModel, RegionState, Status } from '../../../shared/api/public-figures.ts';
import { HOUR_MS } from '../../../shared/durations.ts';
import { REGIONS, type Region } from '../../../shared/region.ts';
import { publicEntry, type ServedModel } from '../../catalog/live.ts';
import {
  type LongFigures,
  type ModelSums,
  type RecentFigures,
  shownToVisitors,
} from '../../history/models.ts';
import type { ModelFault } from '../../history/faults.ts';
import { type ModelState, stateNow } from '../../history/state.ts';
import { type Outage, shownDays, type UpHours, uptimeOf } from '../../history/uptime.ts';
import { earliest, instantOrNull, isoInstant } from '../api.ts';

export type Known = Readonly<{
  /** In the order of the catalog. */
  models: readonly ServedModel[];
  recent: RecentFigures;
  long: LongFigures;
  /** The regions whose base URL the router knows, in which every model is listed. */
  regions: readonly Region[];
  /** Whether a model is served now in a region. Null: the router does not know. */
  isServed: (model: string, region: Region) => boolean | null;
}>;

type InRegion = Readonly<{ model: string; region: Region }>;

export type Composed = Readonly<{
  models: readonly PublicModel[];
  status: Status['models'];
  /** What operators are warned of. */
  troubled: readonly ModelFault[];
}>;

export function compose({ models, recent, long, regions, isServed }: Known): Composed {
  const states = new Map(recent.states.map((one) => [keyOf(one), one]));
  const uptimes = new Map(long.uptime.map((one) => [keyOf(one), one]));
  const placesOf = (model: string) =>
    REGIONS.flatMap((region) => {
      const key = keyOf({ model, region });
      const { days = [], since = null, outages = [] } = uptimes.get(key) ?? {};
      const { state: recorded = null, hasFaultNow = false } = states.get(key) ?? {};
      const isOffered = regions.includes(region) || days.length > 0 || recorded !== null;
      const isReady = isServed(model, region);
      const state = stateNow(recorded, isReady);
      const fault = faultOf({ state, isReady, hasFaultNow, since });
      return isOffered ? [{ region, state, fault, days: shownDays(days), since, outages }] : [];
    });
  const longFigures = (model: string, sums: ModelSums) =>
    long.unread.has(model)
      ? shownToVisitors()
      : shownToVisitors(sums.get(model), recent.rest.get(model));
  const all = models.map(({ entry }) => ({ entry, places: placesOf(entry.id) }));
  return {
    models: all.map(({ entry, places }) => ({
      ...publicEntry(entry),
      regions: places.map(({ region, state }): RegionState => ({ region, state })),
      uptime: uptimeOf(places.flatMap(({ days }) => days)),
      uptime_since: instantOrNull(earliest(places.map(({ since }) => since))),
      figures: {
        hour: shownToVisitors(recent.hour.get(entry.id)),
        day: longFigures(entry.id, long.day),
        month: longFigures(entry.id, long.month),
      },
    })),
    status: all.map(({ entry: { id, name }, places }) => ({
      id,
      name,
      regions: places.map(({ region, state, days, since, outages }) => ({
        region,
        state,
        uptime: uptimeOf(days),
        uptime_since: instantOrNull(since),
        days: days.map((day: UpHours) => uptimeOf([day])),
        // Nothing is told of a model that was measured for less than an hour.
        outages: uptimeOf(days) === null ? [] : outages.map(shownOutage),
      })),
    })),
    troubled: all.flatMap(({ entry, places }) =>
      places.flatMap(({ region, fault }) =>
        fault === null ? [] : [{ kind: fault, model: entry.id, region }],
      ),
    ),
  };
}

type Place = Readonly<{
  state: ModelState;
  isReady: boolean | null;
  hasFaultNow: boolean;
  since: number | null;
}>;

/**
 * A model that was never served is not down: it has not started yet. A state that holds until the next
 * minute is recorded, or tells of ten minutes, is no fault once its cause has gone.
 */
function faultOf({ state, isReady, hasFaultNow, since }: Place): ModelFault['kind'] | null {
  if (state === 'no_capacity') return isReady !== true && since !== null ? 'unserved' : null;
  return state === 'degraded' && hasFaultNow ? 'degraded' : null;
}

function shownOutage({ from, until, up, of }: Readonly<Outage>) {
  return {
    start: isoInstant(from * HOUR_MS),
    end: isoInstant(until * HOUR_MS),
    uptime: uptimeOf([{ up, of }]) ?? 0,
  };
}

function keyOf({ model, region }: InRegion): string {
  return `${region} ${model}`;
}
