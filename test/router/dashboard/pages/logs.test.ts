/** The list of the Logs page, and the ids that its field takes. */
import { expect, test } from 'vitest';
import { merged } from '../../../../router/dashboard/pages/logs/merge.ts';
import { statusesOf } from '../../../../shared/request-statuses.ts';
import { requestIdIn } from '../../../../router/dashboard/format/request-id.ts';
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../../shared/api/usage.ts';

const ID = 'req_01kdvdna00rtw3drcdb3z4jnym';

function usage(second: number, duration_ms = 0): UsageEntry {
  const created = new Date(second * 1_000).toISOString();
  return { request_id: `u${second}`, created, duration_ms } as UsageEntry;
}

function refusal(second: number): RefusalEntry {
  const created = new Date(second * 1_000).toISOString();
  return { request_id: `r${second}`, created } as RefusalEntry;
}

const ids = (rows: ReturnType<typeof merged>) => rows.map(({ entry }) => entry.request_id);

test('both lists become one, in the order in which requests ended', () => {
  const rows = merged(
    { entries: [usage(1, 8_000), usage(6)], hasMore: false },
    { entries: [refusal(7), refusal(2)], hasMore: false },
  );
  expect(ids(rows)).toEqual(['u1', 'r7', 'u6', 'r2']);
});

test('where a list goes on, older rows of the other wait for its next page', () => {
  const entries = [usage(9), usage(5)];
  const refusals = { entries: [refusal(8), refusal(3)], hasMore: false };
  expect(ids(merged({ entries, hasMore: true }, refusals))).toEqual(['u9', 'r8', 'u5']);
  expect(ids(merged({ entries, hasMore: false }, refusals))).toEqual(['u9', 'r8', 'u5', 'r3']);
  // A page of a filtered list may be empty although more follow.
  expect(ids(merged({ entries: [], hasMore: true }, refusals))).toEqual([]);
});

test('statuses narrow both lists, and refused requests are shown whatever their status', () => {
  expect(statusesOf([])).toEqual({ admitted: [], refused: [] });
  expect(statusesOf(['refused'])).toEqual({ admitted: null, refused: [] });
  expect(statusesOf(['failed'])).toEqual({ admitted: ['failed'], refused: null });
  expect(statusesOf(['failed', '4xx'])).toEqual({ admitted: ['failed', '4xx'], refused: ['4xx'] });
  expect(statusesOf(['2xx'])).toEqual({ admitted: ['2xx'], refused: null });
  expect(statusesOf(['2xx', '4xx'])).toEqual({ admitted: ['2xx', '4xx'], refused: ['4xx'] });
  expect(statusesOf(['refused', '2xx'])).toEqual({ admitted: ['2xx'], refused: [] });
});

test('a request is named by its id, or by the id of its completion in any API', () => {
  const rest = ID.slice('req_'.length);
  for (const prefix of ['req_', 'chatcmpl-', 'cmpl-', 'resp_', 'msg_']) {
    expect(requestIdIn(` "${prefix}${rest}" `)).toBe(ID);
  }
  expect(requestIdIn('key_000000000000')).toBeNull();
  expect(requestIdIn('../../settings')).toBeNull();
});
