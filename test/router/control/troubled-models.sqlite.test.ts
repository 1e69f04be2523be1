/** The models that operators are warned of, from the figures of the status page. */
import { expect, test } from 'vitest';
import { soon } from '../../../router/control/platform/soon.ts';
import { troubledIn } from '../../../router/control/platform/troubled-models.ts';
import { CachedValue } from '../../../router/control/cached-value.ts';
import type { Region } from '../../../shared/region.ts';
import type { Status } from '../../../shared/api/public-figures.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type State = Status['models'][number]['regions'][number]['state'];

const SINCE = '2026-01-01T00:00:00.000Z';

/** Figures that are made when the test resolves or rejects them. */
function make() {
  const clock = new ManualClock();
  const making = Promise.withResolvers<string>();
  const figures = new CachedValue(clock, 10_000, () => making.promise);
  return { clock, making, read: () => soon(clock, 'figures', figures) };
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

test('a model is told apart by region, and a model that never ran is not down', () => {
  expect(
    troubledIn([
      modelOf('lab/a', { eu: 'no_capacity', us: 'degraded' }),
      modelOf('lab/b', { global: 'degraded' }),
      modelOf('lab/c', { global: 'no_capacity' }, null),
    ]),
  ).toEqual({
    down: [{ model: 'lab/a', region: 'eu' }],
    degraded: [
      { model: 'lab/a', region: 'us' },
      { model: 'lab/b', region: 'global' },
    ],
  });
});

test('figures that cannot be read raise no alarm, and hide no other', async () => {
  const { read, making } = make();
  making.reject(new Error('the store is away'));
  expect(await read()).toBeNull();
});

test('the alarms wait for the figures for a second, and have them as soon as they are made', async () => {
  const { clock, read, making } = make();
  const waiting = read();
  clock.advance(1_000);
  expect(await waiting).toBeNull();
  making.resolve('figures');
  expect(await read()).toBe('figures');
  expect(clock.timers).toBe(0);
});

test('figures that are read slowly leave the alarms with those before', async () => {
  const clock = new ManualClock();
  const next = [Promise.resolve('first'), new Promise<string>(() => undefined)];
  const figures = new CachedValue(clock, 10_000, () => next.shift() as Promise<string>);
  expect(await soon(clock, 'figures', figures)).toBe('first');
  clock.advance(10_000);
  const waiting = soon(clock, 'figures', figures);
  clock.advance(1_000);
  expect(await waiting).toBe('first');
});
