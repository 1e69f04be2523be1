/** Alarms of the history that are active, against the alarms of now. */
import { expect, test } from 'vitest';
import { alarmNow } from '../../../../../../router/dashboard/pages/operator/platform/alarm-now.ts';
import type { PlatformAlarm, RecordedAlarm } from '../../../../../../shared/api/platform.ts';

const RECORDED: RecordedAlarm = {
  id: 'alm_1',
  kind: 'availability_low',
  subject: '',
  severity: 'warning',
  message: 'The availability of the last hour is 98.851%.',
  page: 'fleet',
  affected: 1,
  runbook: null,
  models: [],
  regions: [],
  routers: [],
  began: '2026-11-30T04:28:00.000Z',
  ended: null,
};
const AS_OF = Date.parse('2026-11-30T05:00:00.000Z');
const NOW: PlatformAlarm = {
  ...RECORDED,
  severity: 'urgent',
  message: 'The availability of the last hour is 98.202%.',
  page: 'fleet',
  regions: [],
  count: null,
  last: null,
};

test('an active alarm has the severity and the sentence of now', () => {
  const { severity, message } = NOW;
  expect(alarmNow(RECORDED, [{ ...NOW, subject: 'other' }, NOW], AS_OF)).toEqual({
    severity,
    message,
    state: 'active',
  });
  // A router of an earlier version does not tell the subject.
  const { subject: _, ...unnamed } = NOW;
  expect(alarmNow(RECORDED, [unnamed], AS_OF).severity).toBe('urgent');
  expect(alarmNow({ ...RECORDED, subject: 'other' }, [unnamed], AS_OF).state).toBe('active');
  const { subject: _recorded, ...row } = RECORDED;
  expect(alarmNow(row, [{ ...NOW, subject: 'other' }], AS_OF).state).toBe('active');
});

test('an alarm that is not active any more has ended, even if that is not recorded yet', () => {
  expect(alarmNow(RECORDED, [], AS_OF)).toMatchObject({ severity: 'warning', state: 'just ended' });
  expect(alarmNow(RECORDED, undefined, AS_OF)).toMatchObject({
    severity: 'warning',
    state: 'active',
  });
});

test('an alarm that has ended stays as it was recorded, even if there is a new one of its kind', () => {
  const ended = { ...RECORDED, ended: '2026-11-30T04:40:00.000Z' };
  expect(alarmNow(ended, [NOW], AS_OF)).toMatchObject({ severity: 'warning', state: 'ended' });
});

test('an alarm that is back within three minutes has not ended, as its record will say', () => {
  const ended = { ...RECORDED, ended: '2026-11-30T04:57:30.000Z' };
  const { severity, message } = NOW;
  expect(alarmNow(ended, [NOW], AS_OF)).toEqual({ severity, message, state: 'active' });
  expect(alarmNow(ended, [{ ...NOW, subject: 'other' }], AS_OF).state).toBe('ended');
  expect(alarmNow(ended, [], AS_OF).state).toBe('ended');
  expect(alarmNow(ended, undefined, AS_OF).state).toBe('ended');
  expect(alarmNow(ended, [NOW], AS_OF + 60_000).state).toBe('ended');
});
