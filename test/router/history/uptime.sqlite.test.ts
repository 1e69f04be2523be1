import { expect, test } from 'vitest';
import { firstHour, shownDays, Uptime, uptimeOf } from '../../../router/history/uptime.ts';

const HOUR_MS = 60 * 60_000;
/** In the middle of an hour, at 18:30. */
const NOW = Date.UTC(2026, 2, 10, 18, 30);
const CURRENT = Math.floor(NOW / HOUR_MS);
const FULL = { listened: 360, served: 360 };

type Others = Record<number, { listened: number; served: number }>;

/** Full hours, but for those that are given by how many hours ago they began. */
function observed(hours: number, others: Others) {
  return measured(hours, others).days(NOW) ?? [];
}

function measured(hours: number, others: Others): Uptime {
  const uptime = new Uptime();
  for (let ago = 0; ago <= hours; ago++) {
    const hour = others[ago] ?? (ago === 0 ? { listened: 180, served: 180 } : FULL);
    uptime.add(CURRENT - ago, hour);
  }
  return uptime;
}

const total = (days: readonly { up: number; of: number }[]) => uptimeOf(days);

test('a model that a worker could always serve has an uptime of 1, from its first hour on', () => {
  const days = observed(30, { 30: { listened: 7, served: 7 } });
  expect(days).toHaveLength(30);
  expect(days.map((day) => uptimeOf([day])).slice(-3)).toEqual([null, 1, 1]);
  expect(total(days)).toBe(1);
});

test('the time without a worker is down', () => {
  expect(total(observed(9, { 3: { listened: 360, served: 0 } }))).toBeCloseTo(1 - 1 / 9.46, 2);
  expect(total(observed(9, { 3: { listened: 360, served: 180 } }))).toBeCloseTo(1 - 0.5 / 9.46, 2);
});

test('outages are told by hours of a day, the newest first', () => {
  const down = { listened: 360, served: 0 };
  // It is 18:30: one hour in the afternoon, and those from 23:00 to 3:00.
  const others = { 3: { listened: 360, served: 180 }, 16: down, 17: down, 18: down, 19: down };
  expect(
    measured(30, { ...others, 30: { listened: 7, served: 7 } })
      .outages(NOW)
      .map(({ from, until, up, of }) => [CURRENT - from, CURRENT - until, uptimeOf([{ up, of }])]),
  ).toEqual([
    [3, 2, 0.5],
    [18, 15, 0],
    [19, 18, 0],
  ]);
  expect(measured(30, {}).outages(NOW)).toEqual([]);
  expect(new Uptime().outages(NOW)).toEqual([]);
});

test('the time without a router is down, too, whether an hour has some samples or none', () => {
  const none = { listened: 0, served: 0 };
  expect(total(observed(9, { 3: none }))).toBeCloseTo(1 - 1 / 9.46, 2);
  expect(total(observed(9, { 3: { listened: 180, served: 180 } }))).toBeCloseTo(1 - 0.5 / 9.46, 2);
  expect(total(observed(9, { 0: { listened: 90, served: 90 } }))).toBeLessThan(1);
});

test('one of two routers may be gone without any time being down', () => {
  // Earlier versions stored the samples of both.
  const both = { listened: 720, served: 720 };
  const uptime = new Uptime();
  for (let ago = 9; ago >= 1; ago--) uptime.add(CURRENT - ago, ago === 4 ? FULL : both);
  uptime.add(CURRENT, both);
  expect(total(uptime.days(NOW) ?? [])).toBe(1);
});

test('the last two minutes are not missed, because they may not be written yet', () => {
  expect(total(observed(9, { 0: { listened: 168, served: 168 } }))).toBe(1);
  const justAfter = CURRENT * HOUR_MS + 60_000;
  const uptime = new Uptime();
  uptime.add(CURRENT - 1, FULL);
  expect(total(uptime.days(justAfter) ?? [])).toBe(1);
});

test('the time before a model was first served is not down, and a model that never was is not measured', () => {
  const late = { listened: 360, served: 300 };
  const never = { listened: 360, served: 0 };
  expect(total(observed(9, { 9: never, 8: never, 7: late }))).toBe(1);
  expect(observed(1, { 1: never, 0: { listened: 180, served: 0 } })).toEqual([]);
  const uptime = new Uptime();
  uptime.add(CURRENT - 1, never);
  uptime.add(CURRENT, { listened: 180, served: 24 });
  expect(uptime.since(NOW)).toBe(NOW - 4 * 60_000);
  // One that was served before the days that are shown has been down since.
  const older = new Uptime();
  older.add(firstHour(NOW) - 1, FULL);
  for (let hour = firstHour(NOW); hour <= CURRENT; hour++) {
    older.add(hour, hour < CURRENT - 9 ? never : FULL);
  }
  expect(total(older.days(NOW) ?? [])).toBeLessThan(0.1);
});

test('no uptime is shown before an hour was measured', () => {
  const none = { up: 0, of: 0 };
  expect(shownDays([none, { up: 0.5, of: 0.9 }])).toEqual([none, none]);
  expect(uptimeOf(shownDays([none, { up: 0.5, of: 1 }]))).toBe(0.5);
});

test('only 1 is shown as 1', () => {
  expect(uptimeOf([{ up: 9_999.9, of: 10_000 }])).toBe(0.9999);
  expect(uptimeOf([{ up: 10_000, of: 10_000 }])).toBe(1);
  expect(uptimeOf([])).toBeNull();
});

test('a model that was offered nowhere for a week is not offered any more', () => {
  const uptime = new Uptime();
  uptime.add(CURRENT - 7 * 24, FULL);
  expect(uptime.days(NOW)).not.toBeNull();
  const gone = new Uptime();
  gone.add(CURRENT - 7 * 24 - 1, FULL);
  expect(gone.days(NOW)).toBeNull();
  expect(new Uptime().days(NOW)).toBeNull();
});

test('the days begin at midnight (UTC), and the last one is today', () => {
  expect(new Date(firstHour(NOW) * HOUR_MS).toISOString()).toBe('2026-02-09T00:00:00.000Z');
});

test('it is known since when the uptime is measured, and never said to be longer', () => {
  const since = (hours: readonly (readonly [ago: number, listened: number])[]) => {
    const uptime = new Uptime();
    for (const [ago, listened] of hours) uptime.add(CURRENT - ago, { listened, served: listened });
    const at = uptime.since(NOW);
    return at === null ? null : new Date(at).toISOString();
  };
  expect(since([])).toBeNull();
  // Some minutes of the current hour: 24 samples, of four minutes.
  expect(since([[0, 24]])).toBe('2026-03-10T18:26:00.000Z');
  expect(since([[0, 25]])).toBe('2026-03-10T18:26:00.000Z');
  // Earlier versions stored the samples of each router.
  expect(since([[0, 360]])).toBe('2026-03-10T18:00:00.000Z');
  expect(
    since([
      [2, 60],
      [1, 360],
      [0, 180],
    ]),
  ).toBe('2026-03-10T16:50:00.000Z');
  // What is older than 30 days is not in the uptime.
  expect(
    since([
      [24 * 40, 360],
      [24 * 20, 360],
    ]),
  ).toBe('2026-02-18T18:00:00.000Z');
  const all = Array.from({ length: 24 * 40 }, (_, ago) => [ago, 360] as const);
  expect(since(all)).toBe('2026-02-09T00:00:00.000Z');
});
