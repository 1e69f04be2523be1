/** The models that operators are warned of, from the figures of the status page. */
import { expect, test } from 'vitest';
import { readTroubledModels } from '../../../router/control/platform/troubled-models.ts';
import type { PublicFigures } from '../../../router/control/public-figures/answers.ts';
import { CachedValue } from '../../../router/control/public-figures/cached-value.ts';
import type { Region } from '../../../shared/region.ts';
import type { Status } from '../../../shared/api/public-figures.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Figures = Awaited<ReturnType<PublicFigures['get']>>;
type State = Status['models'][number]['regions'][number]['state'];

const NONE = { down: [], degraded: [] };
const SINCE = '2026-01-01T00:00:00.000Z';

/** Figures that are made when the test resolves or rejects them. */
function make() {
  const clock = new ManualClock();
  const making = Promise.withResolvers<Figures>();
  const figures: PublicFigures = new CachedValue(clock, 10_000, () => making.promise);
  return { clock, figures, making };
}

function figuresOf(states: Status['models']): Figures {
  const feed = { bytes: new Uint8Array(), etag: '""' };
  return { models: new Uint8Array(), status: new Uint8Array(), feed, states };
}

function modelOf(id: string, states: Partial<Record<Region, State>>, since: string | null = SINCE) {
  const regions = Object.entries(states).map(([region, state]) => ({
    region: region as Region,
    state,
    uptime: null,
    uptime_since: since,
    days: [],
    outages: [],
  }));
  return { id, name: id, regions };
}

test('a model is told apart by region, and a model that never ran is not down', async () => {
  const { clock, figures, making } = make();
  making.resolve(
    figuresOf([
      modelOf('lab/a', { eu: 'no_capacity', us: 'degraded' }),
      modelOf('lab/b', { global: 'degraded' }),
      modelOf('lab/c', { global: 'no_capacity' }, null),
    ]),
  );
  expect(await readTroubledModels(figures, clock)).toEqual({
    down: [{ model: 'lab/a', region: 'eu' }],
    degraded: [
      { model: 'lab/a', region: 'us' },
      { model: 'lab/b', region: 'global' },
    ],
  });
  expect(clock.timers).toBe(0);
});

test('figures that cannot be read raise no alarm, and hide no other', async () => {
  const { clock, figures, making } = make();
  making.reject(new Error('the store is away'));
  expect(await readTroubledModels(figures, clock)).toEqual(NONE);
});

test('the alarms wait for the figures for a second, and have them as soon as they are made', async () => {
  const { clock, figures, making } = make();
  const waiting = readTroubledModels(figures, clock);
  clock.advance(1_000);
  expect(await waiting).toEqual(NONE);
  making.resolve(figuresOf([modelOf('lab/b', { global: 'degraded' })]));
  expect(await readTroubledModels(figures, clock)).toEqual({
    down: [],
    degraded: [{ model: 'lab/b', region: 'global' }],
  });
});
