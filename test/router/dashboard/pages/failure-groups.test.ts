/** Failures with the same status and code, which are one row of the recent failures. */
import { expect, test } from 'vitest';
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { failureGroups, logsOf } from '../../../../router/dashboard/pages/logs/failure-groups.ts';
import type { LogRow } from '../../../../router/dashboard/pages/logs/merge.ts';

function refused(at: number, code: string, model: string | null, key = 'app'): LogRow {
  const entry = { request_id: `r${at}`, status: 404, code, model, key_id: 'key_1', key_name: key };
  return { kind: 'refused', at, entry: entry as RefusalEntry };
}

function admitted(at: number, status: number, error: string | null): LogRow {
  const entry = { request_id: `u${at}`, status, error, finish_reason: null, model: 'lab/one' };
  return { kind: 'admitted', at, entry: { ...entry, source: 'playground' } as UsageEntry };
}

test('failures with the same status and code are one, the newest first; canceled requests are none', () => {
  const groups = failureGroups([
    refused(9, 'model_not_found', 'lab/none'),
    admitted(8, 499, null),
    refused(7, 'model_not_found', null, 'other'),
    refused(6, 'model_not_found', 'lab/none'),
    admitted(5, 503, 'worker_lost'),
  ]);
  expect(groups.map(({ rows }) => rows.map(({ at }) => at))).toEqual([[9, 7, 6], [5]]);
  expect(groups[0]?.models).toEqual(['lab/none']);
  expect(groups[0]?.senders).toEqual(['app', 'other']);
  expect(groups[1]?.senders).toEqual(['Playground']);
});

test('a group leads to its code in the logs, and one without a code to all failures', () => {
  const [unknown, uncoded] = failureGroups([
    refused(9, 'model_not_found', 'lab/none'),
    admitted(8, 500, null),
  ]);
  expect(unknown && logsOf(unknown)).toEqual({ code: 'model_not_found' });
  expect(uncoded && logsOf(uncoded)).toEqual({ status: 'failed,refused' });
});
