/** The time that the Logs page shows, and what its filters mean for the chart. */
import { expect, test } from 'vitest';
import { inputInstant, inputText } from '../../../../router/dashboard/format/input-time.ts';
import { barsOf, chosenTime, logTimeOf } from '../../../../router/dashboard/pages/logs/log-time.ts';
import {
  countable,
  listStatuses,
  STATUS_OF,
} from '../../../../router/dashboard/pages/logs/narrowing.ts';
import { noneOf, volumeOf } from '../../../../router/dashboard/pages/logs/volume.ts';
import { logsSearchOf } from '../../../../router/dashboard/pages/usage/logs-search.ts';
import { changed } from '../../../../router/dashboard/pages/logs/logs-change.ts';
import { spanOf } from '../../../../router/dashboard/pages/usage/span.ts';

const AS_OF = Date.parse('2026-11-21T12:30:00Z');

test('a range goes on up to now, with bars of its own length', () => {
  const shown = (range?: '1h' | '24h' | '7d' | '30d') => logTimeOf({ range }, AS_OF);
  expect(shown()).toMatchObject({ start: '2026-11-20T13:00:00.000Z', bucket: 'hour' });
  expect(shown('1h')).toMatchObject({ end: undefined, bucket: 'minute', isCustom: false });
  expect(shown('7d').bucket).toBe('hour');
  expect(shown('30d').bucket).toBe('day');
  expect(barsOf(shown(), AS_OF)).toHaveLength(25);
});

test('two instants are the time, in either order, within what is kept', () => {
  const [from, to] = ['2026-11-21T10:00Z', '2026-11-21T11:00Z'];
  const time = logTimeOf({ from, to }, AS_OF);
  expect(time).toEqual({
    start: '2026-11-21T10:00:00.000Z',
    end: '2026-11-21T11:00:00.000Z',
    bucket: 'minute',
    isCustom: true,
  });
  expect(logTimeOf({ from: to, to: from }, AS_OF)).toEqual(time);
  // Refusals are counted by minute for two days, and nobody asks for all of time.
  expect(logTimeOf({ from: '2026-11-01T10:00Z', to: '2026-11-01T11:00Z' }, AS_OF).bucket).toBe(
    'hour',
  );
  const all = logTimeOf({ from: '1970-01-01T00:00Z' }, AS_OF);
  expect(barsOf(all, AS_OF).length).toBeLessThanOrEqual(402);
  expect(Date.parse(logTimeOf({ from: '2030-01-01T00:00Z' }, AS_OF).start)).toBeLessThan(AS_OF);
});

test('an address has a range or two instants, and a live list has no end', () => {
  const chosen = chosenTime(AS_OF - 60_000, AS_OF);
  expect(chosen).toEqual({ from: '2026-11-21T12:29Z', to: '2026-11-21T12:30Z' });
  const narrowed = changed({ range: '1h', live: true, key: 'k' }, chosen);
  expect(narrowed).toEqual({ key: 'k', ...chosen });
  expect(changed(narrowed, { range: '7d' })).toEqual({ key: 'k', range: '7d' });
  expect(changed(narrowed, { live: true })).toEqual({ key: 'k', from: chosen.from, live: true });
});

test('instants are written into inputs and read from them in the zone of the reader', () => {
  expect(inputText(AS_OF, 'UTC')).toBe('2026-11-21T12:30');
  expect(inputInstant('2026-11-21T12:30', 'UTC')).toBe(AS_OF);
  expect(inputInstant(inputText(AS_OF, 'local'), 'local')).toBe(AS_OF);
});

test('a bar has the admitted requests by outcome, and the refused ones', () => {
  const start = new Date(AS_OF).toISOString();
  const usage = { data: [{ start, requests: 10, errors: 2, cancelled: 1 }] } as never;
  const refusals = { data: [{ start, group: null, count: 4 }] };
  expect(volumeOf([AS_OF, AS_OF + 60_000, AS_OF + 120_000], usage, refusals)).toEqual([
    { start: AS_OF, end: AS_OF + 60_000, succeeded: 7, canceled: 1, failed: 2, refused: 4 },
    {
      start: AS_OF + 60_000,
      end: AS_OF + 120_000,
      succeeded: 0,
      canceled: 0,
      failed: 0,
      refused: 0,
    },
  ]);
});

test('the chart says what it cannot count, and has no figure for it', () => {
  const all = ['succeeded', 'canceled', 'failed', 'refused'];
  expect(countable({})).toEqual({ admitted: true, refused: true, outcomes: all, note: null });
  expect(countable({ code: ['no_worker'] })).toMatchObject({
    admitted: false,
    refused: true,
    outcomes: ['refused'],
  });
  const ofModel = countable({ model: ['lab/model'] });
  expect(ofModel.outcomes).toEqual(['succeeded', 'canceled', 'failed']);
  expect(ofModel.note).toBe(
    'Refused requests are not counted by model. The latest are listed below.',
  );
  expect(countable({ status: ['refused'], model: ['lab/model'] }).outcomes).toEqual([]);
  expect(countable({ status: ['refused'], code: ['no_worker'] }).note).toBeNull();
  expect(countable({ status: ['4xx', 'refused'] }).outcomes).not.toContain('succeeded');
  for (const outcome of ['succeeded', 'canceled', 'failed', 'refused'] as const) {
    expect(countable({ status: [STATUS_OF[outcome]] }).outcomes).toEqual([outcome]);
  }
  // Refused requests have no member and no source.
  expect(listStatuses({ member: ['mem_1'] })).toEqual({ admitted: [], refused: null });
  expect(countable({ member: ['mem_1'] }).note).toBeNull();
  expect(countable({ status: ['refused'], member: ['mem_1'] })).toMatchObject({
    outcomes: [],
    note: 'Refused requests have no member and no source.',
  });
});

test('a part of the chart without requests names the outcomes that it counts', () => {
  expect(noneOf(countable({}).outcomes)).toBe('No requests');
  const ofModel = countable({ model: ['lab/model'] }).outcomes;
  expect(noneOf(ofModel)).toBe('No succeeded, canceled, or failed requests');
});

test('the usage page leads to the logs of the same time and filters', () => {
  const ofUsage = (search: Parameters<typeof logsSearchOf>[0]) =>
    logsSearchOf(search, spanOf(search, AS_OF));
  expect(ofUsage({ key: 'k', status: '5xx' })).toEqual({ range: '30d', key: 'k', status: '5xx' });
  expect(ofUsage({ range: '90d' })).toEqual({ from: '2026-08-24T00:00:00.000Z' });
  expect(ofUsage({ from: '2026-11-01', to: '2026-11-02' })).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-03T00:00:00.000Z',
  });
});
