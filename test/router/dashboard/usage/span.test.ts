/** From the URL's parameters to instants and buckets. */
import { describe, expect, test } from 'vitest';
import { countOf, startsOf } from '../../../../router/dashboard/pages/usage/buckets.ts';
import { spanOf } from '../../../../router/dashboard/pages/usage/span.ts';
import { RANGES } from '../../../../router/dashboard/search.ts';

const AS_OF = Date.parse('2026-11-21T19:22:33.444Z');

function spanAsked(search: Parameters<typeof spanOf>[0]) {
  return spanOf(search, AS_OF);
}

test('without a word it is the last thirty days by day, today among them', () => {
  expect(spanAsked({})).toEqual({
    start: '2026-10-23T00:00:00.000Z',
    end: undefined,
    bucket: 'day',
    buckets: ['day'],
  });
});

test.each([
  ['1h', '2026-11-21T18:23:00.000Z', 'minute', 60],
  ['24h', '2026-11-20T20:00:00.000Z', 'hour', 24],
  ['7d', '2026-11-15T00:00:00.000Z', 'day', 7],
  ['90d', '2026-08-24T00:00:00.000Z', 'day', 90],
  ['12mo', '2025-12-01T00:00:00.000Z', 'month', 12],
] as const)('%s begins at %s, by %s', (range, start, bucket, count) => {
  const span = spanAsked({ range });
  expect(span).toMatchObject({ start, end: undefined, bucket });
  expect(countOf(bucket, Date.parse(start), AS_OF + 1)).toBe(count);
});

test('a bucket that fits is taken, and the span is made of whole ones', () => {
  expect(spanAsked({ range: '7d', bucket: 'hour' })).toMatchObject({
    start: '2026-11-15T00:00:00.000Z',
    bucket: 'hour',
  });
  expect(spanAsked({ range: '12mo', bucket: 'day' })).toMatchObject({
    start: '2025-12-01T00:00:00.000Z',
    bucket: 'day',
  });
});

test('months are offered only for a time of whole months, of which the last may not be over', () => {
  const bucketsOf = (from: string, to: string) => spanAsked({ from, to }).buckets;
  expect(bucketsOf('2026-08-01', '2026-10-31')).toContain('month');
  expect(bucketsOf('2026-08-01', '2026-11-21')).toContain('month');
  expect(bucketsOf('2026-08-02', '2026-10-31')).not.toContain('month');
  expect(bucketsOf('2026-08-01', '2026-10-30')).not.toContain('month');
  expect(spanAsked({ range: '90d', bucket: 'month' }).bucket).toBe('day');
  expect(spanAsked({ range: '24h' }).buckets).toEqual(['hour']);
  // A part of a year has a day for each bar, if one answer has them all.
  expect(spanAsked({ from: '2026-01-02', to: '2026-11-21' }).bucket).toBe('day');
});

test('a bucket that would be too many gives way to the usual one', () => {
  expect(spanAsked({ range: '90d', bucket: 'minute' }).bucket).toBe('day');
  expect(spanAsked({ range: '30d' }).buckets).not.toContain('hour');
});

describe('days', () => {
  test('both are included, and a later word on a range is not heard', () => {
    expect(spanAsked({ from: '2026-11-03', to: '2026-11-05', range: '1h' })).toEqual({
      start: '2026-11-03T00:00:00.000Z',
      end: '2026-11-06T00:00:00.000Z',
      bucket: 'day',
      buckets: ['hour', 'day'],
    });
  });

  test('one day is by hour, and in either order they are the same', () => {
    expect(spanAsked({ from: '2026-11-03', to: '2026-11-03' })).toMatchObject({
      bucket: 'hour',
      buckets: ['hour'],
    });
    expect(spanAsked({ from: '2026-11-05', to: '2026-11-03' })).toEqual(
      spanAsked({ from: '2026-11-03', to: '2026-11-05' }),
    );
  });

  test('a first day alone goes on until today, a last day alone is that day', () => {
    expect(spanAsked({ from: '2026-11-20' }).end).toBe('2026-11-22T00:00:00.000Z');
    expect(spanAsked({ to: '2026-11-20' })).toMatchObject({
      start: '2026-11-20T00:00:00.000Z',
      end: '2026-11-21T00:00:00.000Z',
    });
  });

  test('those to come, and those before there was any usage, are brought within what there is', () => {
    expect(spanAsked({ from: '2031-01-01', to: '2032-01-01' })).toMatchObject({
      start: '2026-11-21T00:00:00.000Z',
      end: '2026-11-22T00:00:00.000Z',
    });
    expect(spanAsked({ from: '1970-01-01', to: '2026-11-21' })).toEqual({
      start: '2020-01-01T00:00:00.000Z',
      end: '2026-12-01T00:00:00.000Z',
      bucket: 'month',
      buckets: ['month'],
    });
  });

  test('more than an answer has are whole months', () => {
    expect(spanAsked({ from: '2024-02-10', to: '2026-09-20' })).toEqual({
      start: '2024-02-01T00:00:00.000Z',
      end: '2026-10-01T00:00:00.000Z',
      bucket: 'month',
      buckets: ['month'],
    });
  });

  test('what is no day is not heard', () => {
    expect(spanAsked({ from: '2026-13-45' })).toEqual(spanAsked({}));
  });

  test('hours that are kept no longer are not offered', () => {
    expect(spanAsked({ from: '2025-03-01', to: '2025-03-02' })).toMatchObject({
      bucket: 'day',
      buckets: ['day'],
    });
  });
});

test('whatever is chosen, an answer can hold it, and its start does not depend on the bucket', () => {
  const days = ['2020-01-01', '2024-02-29', '2025-10-17', '2025-11-21', '2026-11-07', '2026-11-21'];
  const spans = [
    ...RANGES.map((range) => ({ range })),
    ...days.flatMap((from) => days.map((to) => ({ from, to }))),
  ];
  for (const span of spans) {
    for (const bucket of spanAsked(span).buckets) {
      const { start, end } = spanAsked({ ...span, bucket });
      expect(start).toBe(spanAsked(span).start);
      const until = end === undefined ? AS_OF + 1 : Date.parse(end);
      const count = countOf(bucket, Date.parse(start), until);
      expect(count * 8, JSON.stringify({ span, bucket })).toBeLessThanOrEqual(3_000);
      expect(startsOf(bucket, Date.parse(start), until)).toHaveLength(count);
    }
  }
});

test('months begin at their own first day, over the end of a year and a leap day', () => {
  const starts = startsOf('month', Date.parse('2023-12-05'), Date.parse('2024-03-01'));
  expect(starts.map((start) => new Date(start).toISOString().slice(0, 10))).toEqual([
    '2023-12-01',
    '2024-01-01',
    '2024-02-01',
  ]);
});
