/** What an alarm means for customers, in words. */
import { expect, test } from 'vitest';
import { meaningOf } from '../../../../../../router/dashboard/pages/operator/platform/alarm-meanings.ts';

test('the meaning of an alarm speaks of as many models as the alarm', () => {
  expect(meaningOf({ kind: 'no_worker', models: ['lab/a', 'lab/b'] })).toBe(
    'Their requests are refused with status 503.',
  );
  expect(meaningOf({ kind: 'no_worker', models: ['lab/a'] })).toBe(
    'Its requests are refused with status 503.',
  );
  expect(meaningOf({ kind: 'model_degraded', models: ['lab/a'] })).toMatch(
    /^Some of its requests /,
  );
  expect(meaningOf({ kind: 'jobs_late' })).toBe('Emails, invoices and payments wait.');
});

test('an alarm without words of its own has no meaning', () => {
  expect(meaningOf({ kind: 'constructor' })).toBeUndefined();
});
