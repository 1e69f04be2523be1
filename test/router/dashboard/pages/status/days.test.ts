import { expect, test } from 'vitest';
import { shownDays, summaryOfDays } from '../../../../../router/dashboard/pages/status/days.ts';

const TODAY = '2026-03-03T14:00:00.000Z';

test('a day has its date and its uptime in words, and days before the first are not measured', () => {
  const days = [null, 0.9991, 0.95, 0.2, 1];
  const shown = shownDays({ days, today: TODAY, state: 'operational', incidents: [], outages: [] });
  expect(shown.map(({ date, tone, words }) => [date, tone, words])).toEqual([
    ['Feb 27', 'none', 'Not measured'],
    ['Feb 28', 'good', '99.91% uptime, 0.09% unavailable'],
    ['Mar 1', 'warn', '95.00% uptime, 5.00% unavailable'],
    ['Mar 2', 'bad', '20.00% uptime, 80.00% unavailable'],
    ['Mar 3', 'good', '100% uptime'],
  ]);
  expect(summaryOfDays(days, shown)).toBe(
    'Uptime of 4 days: below 99.9% on Mar 1: 95.00%, Mar 2: 20.00%',
  );
});

test('a model that was never served has the same days, none of which was measured', () => {
  const shown = shownDays({ days: [], today: TODAY, state: 'no_data', incidents: [], outages: [] });
  expect(shown).toHaveLength(30);
  expect(new Set(shown.map(({ words }) => words))).toEqual(new Set(['Not measured']));
  expect([shown[0]?.date, shown.at(-1)?.date]).toEqual(['Feb 2', 'Mar 3']);
  expect(summaryOfDays([], shown)).toBe('No day was measured yet');
});

test('an incident stands on every day on which it was open', () => {
  const incidents = [
    { title: 'Now', created: '2026-03-02T23:59:59.000Z', resolved: null },
    { title: 'Past', created: '2026-03-01T10:00:00.000Z', resolved: '2026-03-02T00:00:00.000Z' },
  ];
  const shown = shownDays({
    days: [1, 1, 1, 1],
    today: TODAY,
    state: 'operational',
    incidents,
    outages: [],
  });
  expect(shown.map((day) => day.incidents)).toEqual([[], ['Past'], ['Now', 'Past'], ['Now']]);
});

test('a day below its uptime without an incident is told as such, and no other day', () => {
  const incidents = [
    { title: 'Past', created: '2026-03-01T10:00:00.000Z', resolved: '2026-03-01T11:00:00.000Z' },
  ];
  const shown = shownDays({
    days: [null, 0.97, 0.2, 0.2, 1],
    today: TODAY,
    state: 'operational',
    incidents,
    outages: [],
  });
  expect(shown.map(({ date, isUnexplained }) => [date, isUnexplained])).toEqual([
    ['Feb 27', false],
    ['Feb 28', true],
    ['Mar 1', false],
    ['Mar 2', true],
    ['Mar 3', false],
  ]);
});

test('a day has its own outages, the oldest first', () => {
  const outage = (start: string, end: string) => ({ start, end, uptime: 0.5 });
  const night = outage('2026-03-02T01:00:00.000Z', '2026-03-02T03:00:00.000Z');
  const evening = outage('2026-03-02T23:00:00.000Z', '2026-03-03T00:00:00.000Z');
  const outages = [evening, night];
  const shown = shownDays({
    days: [1, 0.9, 1],
    today: TODAY,
    state: 'operational',
    incidents: [],
    outages,
  });
  expect(shown.map((day) => day.outages)).toEqual([[], [night, evening], []]);
});

test.each([
  ['operational', 'good', 'Not measured yet, operational now'],
  ['degraded', 'warn', 'Not measured yet, degraded now'],
  ['no_capacity', 'bad', 'Not measured yet, unavailable now'],
  ['no_data', 'none', 'Not measured'],
] as const)('until it is measured, today is drawn as what is now: %s', (state, tone, words) => {
  for (const days of [[], [0.9991, null]]) {
    const shown = shownDays({ days, today: TODAY, state, incidents: [], outages: [] });
    expect(shown.at(-1)).toMatchObject({
      tone,
      words,
      isMeasured: false,
      isUnexplained: false,
    });
    expect(summaryOfDays(days, shown)).not.toContain('–');
    expect(shown.at(-2)?.words).not.toContain('now');
  }
});
