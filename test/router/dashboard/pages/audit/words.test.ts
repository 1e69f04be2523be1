/** The names of the audit log's kinds of changes and fields. */
import { expect, test } from 'vitest';
import {
  heading,
  kindsOf,
  shownValue,
  unsetInWords,
} from '../../../../../router/dashboard/pages/audit/words.ts';
import { AUDIT_ACTIONS } from '../../../../../shared/audit-actions.ts';
import { usdInWords, valueInWords } from '../../../../../shared/audit-words.ts';

test('the log of the platform is filtered by every kind of change', () => {
  const kinds = new Set(AUDIT_ACTIONS.map((action) => action.replace(/\..*/, '')));
  expect(new Set(kindsOf(null).map(([kind]) => kind))).toEqual(kinds);
  expect(kindsOf('org_1').map(([kind]) => kind)).not.toContain('worker');
});

test('fields and values are written for people', () => {
  expect(heading('low_balance_threshold')).toBe('Low balance threshold');
  expect(heading('payment_terms_days')).toBe('Days to pay');
  expect(valueInWords('monthly_cap', '20')).toBe('$20');
  expect(valueInWords('monthly_cap', null)).toBe('none');
  expect(valueInWords('enabled', false)).toBe('off');
  expect(valueInWords('invited', false)).toBe('no');
  expect(valueInWords('requests_per_minute', 60)).toBe('60');
  expect(valueInWords('requests_per_minute', 10_000)).toBe('10,000');
  expect(valueInWords('credit_limit', '1234567.5')).toBe('$1,234,567.50');
  expect(valueInWords('role', 'org-admin')).toBe('administrator');
  expect(valueInWords('role', 'constructor')).toBe('constructor');
  expect(valueInWords('expires', '2027-01-31T08:30:00.000Z')).toBe('2027-01-31 08:30 UTC');
  expect(usdInWords('-0.5')).toBe('−$0.50');
  expect(usdInWords('0.000000000001')).toBe('$0.000000000001');
  expect(usdInWords('-25000.0001')).toBe('−$25,000.0001');
});

test('a value that stands alone begins with a capital, unless people wrote it', () => {
  expect(shownValue('billing', 'prepaid')).toBe('Prepaid');
  expect(shownValue('role', 'org-admin')).toBe('Administrator');
  expect(shownValue('enabled', false)).toBe('Off');
  expect(shownValue('invited', true)).toBe('Yes');
  expect(shownValue('name', 'ci')).toBe('ci');
});

test('a limit of an organization that is not set is the default', () => {
  expect(unsetInWords('organization.update', 'requests_per_minute')).toBe('Default');
  expect(unsetInWords('organization.update', 'credit_limit')).toBe('None');
  expect(unsetInWords('key.update', 'requests_per_minute')).toBe('None');
  expect(unsetInWords('key.change', 'allowed_models')).toBe('All');
});
