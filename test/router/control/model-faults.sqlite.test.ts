/** The models that operators are warned of. */
import { expect, test } from 'vitest';
import type { ServedModel } from '../../../router/catalog/live.ts';
import { compose, type Known } from '../../../router/control/public-figures/compose.ts';
import type { RecordedState } from '../../../router/history/state.ts';
import type { Region } from '../../../shared/region.ts';

type Place = Readonly<{
  region: Region;
  recorded?: RecordedState | null;
  hasFaultNow?: boolean;
  isReady?: boolean | null;
  /** Since when it has been measured; null: it never had a ready worker. */
  since?: number | null;
}>;

/** The faults of one model in these regions, as kinds by region. */
function faultsOf(...places: readonly Place[]): Partial<Record<Region, string>> {
  const model = 'lab/a';
  const entry = { id: model, name: model } as ServedModel['entry'];
  const known: Known = {
    models: [{ entry } as ServedModel],
    recent: {
      hour: new Map(),
      rest: new Map(),
      states: places.map(({ region, recorded = null, hasFaultNow = false }) => ({
        model,
        region,
        state: recorded,
        hasFaultNow,
      })),
    },
    long: {
      day: new Map(),
      month: new Map(),
      until: 1,
      unread: new Set(),
      uptime: places.map(({ region, since = 1 }) => ({
        model,
        region,
        since,
        days: [],
        outages: [],
      })),
      isNew: false,
    },
    regions: places.map(({ region }) => region),
    isServed: (_, region) => places.find((one) => one.region === region)?.isReady ?? null,
  };
  const { troubled } = compose(known);
  expect(troubled.every((fault) => fault.model === model)).toBe(true);
  return Object.fromEntries(troubled.map(({ region, kind }) => [region, kind]));
}

test('the faults of a model are told apart by region', () => {
  expect(
    faultsOf(
      { region: 'eu', recorded: 'no_capacity', isReady: false },
      { region: 'us', recorded: 'degraded', hasFaultNow: true, isReady: true },
      { region: 'global', recorded: 'operational', isReady: true },
    ),
  ).toEqual({ eu: 'unserved', us: 'degraded' });
});

test('a model that never ran is not down', () => {
  const down = { region: 'global', recorded: 'no_capacity', isReady: false } as const;
  expect(faultsOf({ ...down, since: null })).toEqual({});
  expect(faultsOf(down)).toEqual({ global: 'unserved' });
});

test('a model that was recorded as down is no fault once this router sees a ready worker', () => {
  const down = { region: 'global', recorded: 'no_capacity' } as const;
  expect(faultsOf({ ...down, isReady: true })).toEqual({});
  expect(faultsOf({ ...down, isReady: null })).toEqual({ global: 'unserved' });
});

test('a model without a ready worker on this router is down before a minute is recorded', () => {
  const operational = { region: 'global', recorded: 'operational' } as const;
  expect(faultsOf({ ...operational, isReady: false })).toEqual({ global: 'unserved' });
});

test('a degraded model is no fault once its newest minutes are well', () => {
  const degraded = { region: 'global', recorded: 'degraded', isReady: true } as const;
  expect(faultsOf({ ...degraded, hasFaultNow: true })).toEqual({ global: 'degraded' });
  expect(faultsOf({ ...degraded, hasFaultNow: false })).toEqual({});
});
