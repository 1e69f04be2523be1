import { expect, test } from 'vitest';
import { readStanding, standingText } from '../../../../router/dashboard/shell/standing.ts';

const LOW = { kind: 'low', lasts: 'About 2 days left', isRefusing: false } as const;

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
