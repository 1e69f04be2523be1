/**
 * The hour in which a fleet is upgraded. Routers of earlier versions add the samples of a minute to
 * the hour as they are, so that a minute of theirs may count more than once.
 */
import { expect, test } from 'vitest';
import { type Figures, LISTENED, noFigures, SERVED } from '../../../router/history/figures.ts';
import { addedToHour } from '../../../router/history/sampled-time.ts';
import { firstHour, Uptime, uptimeOf } from '../../../router/history/uptime.ts';
import { HOUR_MS } from '../../../shared/durations.ts';

/** An hour has just ended. */
const NOW = Date.UTC(2026, 2, 10, 18);
const HOUR = NOW / HOUR_MS - 1;

/** The samples in which a worker was ready, of the six that a router takes in a minute. */
type Samples = Readonly<{ by: 'older' | 'newer'; served: number }>;
/** Those of all routers, in the order in which they write them. */
type Minute = readonly Samples[];

const older = (served: number): Samples => ({ by: 'older', served });
const newer = (served: number): Samples => ({ by: 'newer', served });
const half = (minute: Minute): Minute[] => Array.from({ length: 30 }, () => minute);

const sum = (a: Figures, b: Figures) => a.map((value, at) => value + (b[at] as number));

function hourOf(minutes: readonly Minute[]): Figures {
  let hour = noFigures();
  for (const samples of minutes) {
    let minute = noFigures();
    for (const { by, served } of samples) {
      const added = noFigures();
      added[LISTENED] = 6;
      added[SERVED] = served;
      hour = sum(hour, by === 'older' ? added : addedToHour(minute, added));
      minute = sum(minute, added);
    }
  }
  return hour;
}

/** Returns the uptime of a model that has been there for months, in this hour. */
function uptimeIn(minutes: readonly Minute[]): number | null {
  const hour = hourOf(minutes);
  const uptime = new Uptime();
  uptime.add(firstHour(NOW) - 1, { listened: 360, served: 360 });
  uptime.add(HOUR, { listened: hour[LISTENED] as number, served: hour[SERVED] as number });
  return uptimeOf(uptime.days(NOW) ?? []);
}

test.each<readonly Samples['by'][]>([
  ['newer', 'newer', 'newer'],
  ['older', 'older', 'older'],
  ['older', 'newer', 'newer'],
  ['newer', 'older', 'older'],
  ['older', 'newer', 'older'],
])(
  'an hour into which routers wrote as %s, %s and %s has the uptime of its workers',
  (...order) => {
    const all = (served: number) => half(order.map((by) => ({ by, served })));
    expect(uptimeIn([...all(6), ...all(6)])).toBe(1);
    expect(uptimeIn([...all(6), ...all(0)])).toBe(0.5);
    expect(uptimeIn([...all(0), ...all(0)])).toBe(0);
  },
);

test('an outage that an older or a newer router alone has seen counts, in whatever order they write', () => {
  for (const minute of [
    [older(6), newer(0)],
    [newer(0), older(6)],
    [older(0), newer(6)],
    [newer(6), older(0)],
  ]) {
    expect(uptimeIn([...half(minute), ...half(minute)])).toBe(0.5);
  }
});

test('when the older router ends in the middle of an hour, an outage after it is not hidden', () => {
  const after = half([newer(0)]);
  expect(uptimeIn([...half([older(6), newer(6)]), ...after])).toBe(0.5);
  // The minutes that are counted twice weigh more.
  expect(uptimeIn([...half([newer(6), older(6)]), ...after])).toBe(0.6666);
});

test('one of many routers that always sees less than the others weighs as one of them, to a whole sample', () => {
  const minute = (last: number) => [newer(6), newer(6), newer(6), newer(6), newer(last)];
  expect(uptimeIn([...half(minute(5)), ...half(minute(5))])).toBe(1);
  expect(uptimeIn([...half(minute(0)), ...half(minute(0))])).toBe(0.8333);
});
