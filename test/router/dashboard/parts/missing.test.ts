import { expect, test } from 'vitest';
import { missing } from '../../../../router/dashboard/parts/form/missing.ts';

test.each([
  ['Name', 'text', 'Enter a name.'],
  ['Your name', 'text', 'Enter your name.'],
  ['Engine URL', 'url', 'Enter an engine URL.'],
  ['URL', 'url', 'Enter a URL.'],
  ['Reason', 'textarea', 'Enter a reason.'],
  ['Organization name (optional)', 'text', 'Enter an organization name.'],
  ['New email', 'email', 'Enter an email address.'],
  ['Password', 'password', 'Enter a password.'],
  ['Paid on (UTC)', 'date', 'Enter a date.'],
  ['From', 'datetime-local', 'Enter a date and a time.'],
  ['Region', 'select-one', 'Choose a region.'],
])('the field %s of the type %s without a value says what to enter', (label, type, said) => {
  expect(missing(label, type)).toBe(said);
});
