/** What a job of an email is for, and how many people the email went to. */
import { expect, test } from 'vitest';
import {
  emailNote,
  incidentEmailNote,
  sentWords,
} from '../../../../../../router/dashboard/pages/operator/jobs/email-words.ts';

const ORGANIZATION = { subject: 'org_1' };
const PERSON = { subject: 'per_1' };

test('a job of an email says what the email is, and that an organization gets one for each member', () => {
  expect(emailNote({ email: 'invoice', ...ORGANIZATION })).toBe(
    'Sends an invoice to the members who may manage the billing. The email to each of them is a job of its own.',
  );
  expect(emailNote({ email: 'password-changed', ...PERSON })).toBe(
    'Tells a person that the password of the account was changed. If it fails, the email does not arrive.',
  );
  expect(incidentEmailNote({ subject: 'icd_1' })).toBe(
    'Sends an update of an incident to the people who have chosen these emails. The email to each of them is a job of its own.',
  );
  // A later version may have more kinds.
  expect(emailNote({ email: 'greeting', subject: null })).toBe(
    'Sends an email. If it fails, the email does not arrive.',
  );
});

test('a job that is done says to how many people its email went, or that there was nobody', () => {
  expect(sentWords({ recipients: 0, ...ORGANIZATION })).toBe('Sent to nobody');
  expect(sentWords({ recipients: 0, ...PERSON })).toBe('Sent to nobody');
  expect(sentWords({ recipients: 0, unsent: 'invitation_accepted', subject: 'inv_1' })).toBe(
    'Not sent: the invitation was already accepted',
  );
  // A later version may have more reasons.
  const newer = 'newer' as 'withdrawn';
  expect(sentWords({ recipients: 0, unsent: newer, ...PERSON })).toBe('Not sent');
  expect(sentWords({ recipients: 1, ...ORGANIZATION })).toBe('Queued for 1 person');
  expect(sentWords({ recipients: 3, ...ORGANIZATION })).toBe('Queued for 3 people');
  expect(sentWords({ recipients: 1, ...PERSON })).toBe('Sent to 1 person');
  expect(sentWords({ recipients: null, ...PERSON })).toBeNull();
  expect(sentWords(PERSON)).toBeNull();
});
