/**
 * The answers about all models, as bytes. However many ask, the history is read once in ten seconds
 * for the last hour or two, and once in ten minutes for what was before, and for uptimes. Only in the
 * first hours of an installation, until a model has an uptime, these are read once in ten seconds,
 * too: there is little to read, and the first uptime need not wait for ten minutes.
 */
import type { PublicModels, Status } from '../../../shared/api/public-figures.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { INCIDENT_DAYS } from '../../../shared/incidents.ts';
import type { ModelFault } from '../../history/faults.ts';
import { type ModelsQuery, readLongFigures, readRecentFigures } from '../../history/models.ts';
import { isoInstant } from '../api.ts';
import { listIncidents } from '../incidents/procedures.ts';
import { shownIncident } from '../incidents/serialize.ts';
import { ServedNow } from '../models/served-now.ts';
import type { ControlParts } from '../parts.ts';
import { CachedValue } from '../cached-value.ts';
import { compose } from './compose.ts';
import { type Feed, incidentFeed } from './feed.ts';

const RECENT_MS_MAX = 10_000;
const LONG_MS_MAX = 10 * MINUTE_MS;

export type PublicFigures = CachedValue<
  Readonly<{
    /** The answers as bytes. */
    models: Uint8Array;
    status: Uint8Array;
    feed: Feed;
    /** The models that have a fault now, for the alarms of operators. */
    troubled: readonly ModelFault[];
  }>
>;

type Parts = Pick<ControlParts, 'store' | 'clock' | 'catalog' | 'urls' | 'fleet' | 'seller'>;

export function cacheFigures(parts: Parts): PublicFigures {
  const { store, clock, catalog, urls, fleet, seller } = parts;
  const servedNow = new ServedNow(fleet);
  const query = (): ModelsQuery => {
    const now = clock.now();
    const models = [...catalog.models].map(({ entry }) => entry.id);
    return { models, now: now - (now % MINUTE_MS) };
  };
  const long = new CachedValue(
    clock,
    LONG_MS_MAX,
    async () => await store.call(readLongFigures, query()),
  );
  return new CachedValue(clock, RECENT_MS_MAX, async () => {
    const asked = query();
    const known = await long.get();
    if (known.isNew && known.uptime.length === 0) long.outdate();
    const composed = compose({
      models: [...catalog.models],
      recent: await store.call(readRecentFigures, { ...asked, longUntil: known.until }),
      long: known,
      regions: urls.regions,
      isServed: servedNow.snapshot(),
    });
    const since = clock.now() - INCIDENT_DAYS * DAY_MS;
    const incidents = (await store.call(listIncidents, { since })).map(shownIncident);
    const as_of = isoInstant(asked.now);
    const models: PublicModels = { as_of, data: [...composed.models] };
    const status: Status = { as_of, models: composed.status, incidents };
    const feed = incidentFeed({
      incidents,
      names: new Map(composed.status.map(({ id, name }) => [id, name])),
      origin: urls.dashboard,
      author: seller?.name ?? 'Penstock',
      now: asked.now,
    });
    return {
      models: written(models),
      status: written(status),
      feed,
      troubled: composed.troubled,
    };
  });
}

function written(answer: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answer));
}
