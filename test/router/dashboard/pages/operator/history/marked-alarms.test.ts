/** The alarms that charts mark. */
import { expect, test } from 'vitest';
import { markedAlarms } from '../../../../../../router/dashboard/pages/operator/history/marked-alarms.ts';
import type { PlatformAlarm, RecordedAlarm } from '../../../../../../shared/api/platform.ts';

const BEGAN = '2026-11-21T08:00:00.000Z';

function active(subject: string, since: string | null = BEGAN): PlatformAlarm {
  const of = { kind: 'task_failing', severity: 'warning', page: 'routers' } as const;
  return { ...of, subject, message: `${subject} failed`, count: null, last: null, since };
}

function recorded(subject: string, ended: string | null): RecordedAlarm {
  const { kind, severity, page, message } = active(subject);
  const about = { affected: 1, runbook: null, models: [], regions: [], routers: [] };
  const of = { kind, severity, page, message, ...about };
  return { ...of, id: `alm_${subject}`, subject, began: BEGAN, ended };
}

test('an alarm that is active and not recorded yet is marked, and one that is recorded is marked once', () => {
  const marked = markedAlarms(
    [recorded('a', null), recorded('b', BEGAN)],
    [active('a'), active('b'), active('c', null)],
  );
  expect(marked.map(({ message, ended }) => [message, ended])).toEqual([
    ['a failed', null],
    ['b failed', BEGAN],
    // It is back, and its new beginning is not recorded.
    ['b failed', null],
  ]);
});
