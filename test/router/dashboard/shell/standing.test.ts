import { expect, test } from 'vitest';
import {
  readStanding,
  standingOf,
  standingText,
} from '../../../../router/dashboard/shell/standing.ts';

const LOW = { kind: 'low', lasts: 'About 2 days left', isRefusing: false } as const;

const FACTS = {
  status: 'active',
  available: '5',
  balance: 'fine',
  forecast: { days: 2, rate_days: null },
  isAwaited: false,
  isRefusing: true,
} as const;

test('there is nothing to say of credit that suffices, or while a welcome credit is awaited', () => {
  expect(standingOf(FACTS)).toBe(null);
  expect(standingOf({ ...FACTS, available: '0', balance: 'empty', isAwaited: true })).toBe(null);
});

test('of low credit it is said for how long it lasts, if that is short, and whether it refuses', () => {
  const low = { ...FACTS, balance: 'low' } as const;
  const lasts = "About 2 days left at today's rate";
  expect(standingOf(low)).toEqual({ kind: 'low', lasts, isRefusing: true });
  const long = { ...low, forecast: { days: 90, rate_days: 7 }, isRefusing: false };
  expect(standingOf(long)).toEqual({ kind: 'low', lasts: null, isRefusing: false });
  expect(standingOf({ ...low, forecast: undefined })?.lasts).toBe(null);
});

test('credit that is used up is said to be empty, and nothing else', () => {
  const empty = { ...FACTS, available: '0', balance: 'empty' } as const;
  expect(standingOf(empty)).toEqual({ kind: 'empty', lasts: null, isRefusing: false });
});

test('of credit that covers no request, it is not said for how long it lasts', () => {
  const tooLittle = { ...FACTS, available: '0.00000096', balance: 'empty' } as const;
  expect(standingOf(tooLittle)).toEqual({ kind: 'too_little', lasts: null, isRefusing: false });
});

test('a suspension is said before all else, with a debt only if less than nothing is available', () => {
  const suspended = { ...FACTS, status: 'suspended', isAwaited: true } as const;
  expect(standingOf(suspended)?.kind).toBe('suspended');
  expect(standingOf({ ...suspended, available: '0', balance: 'empty' })?.kind).toBe('suspended');
  expect(standingOf({ ...suspended, available: '-25', balance: 'empty' })?.kind).toBe('owing');
});

test('what was said last of an organization is read again, and of no other', () => {
  const kept = standingText('org_1', LOW);
  expect(readStanding(kept, 'org_1')).toEqual(LOW);
  expect(readStanding(kept, 'org_2')).toBe(null);
  expect(readStanding(standingText('org_1', null), 'org_1')).toBe(null);
});

test.each([null, '', 'low', '{}', '{"organization":"org_1"}', '[1]', 'null'])(
  'what another version has kept says nothing: %s',
  (kept) => {
    expect(readStanding(kept, 'org_1')).toBe(null);
  },
);

test('a kind that is not known says nothing', () => {
  const standing = { ...LOW, kind: 'new' };
  expect(readStanding(JSON.stringify({ organization: 'org_1', standing }), 'org_1')).toBe(null);
});
