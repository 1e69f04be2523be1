/**
 * The text of each kind of email, in plain text. Names and amounts are the only parts that come
 * from customers.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Letter } from './letter.ts';
import type { Addressed } from './recipients.ts';

export type Words = Readonly<{ subject: string; text: string }>;

/** What an email's text is made from, in addition to the email itself. */
type Facts = Addressed & Readonly<{ link: string | null; dashboard: string }>;

type Body = Readonly<{ subject: string; lines: readonly string[] }>;

type Writers = Readonly<{
  [Kind in Letter['kind']]: (
    facts: Facts,
    letter: Extract<Letter, Readonly<{ kind: Kind }>> & { readonly kind: Kind },
  ) => Body;
}>;

const NOT_YOU = 'If this was not you, you need do nothing: without the link nothing happens.';

const WRITE: Writers = {
  'reset-password': ({ link }) => ({
    subject: 'Reset your password',
    lines: [
      'Somebody asked to reset the password of your account. To set a new one, open this link:',
      link ?? '',
      'It works once, and within an hour.',
      NOT_YOU,
    ],
  }),
  'confirm-email': ({ link }) => ({
    subject: 'Confirm your email address',
    lines: [
      'To confirm that this address is yours, open this link:',
      link ?? '',
      'It works once, and within a day.',
      NOT_YOU,
    ],
  }),
  'email-changed': ({ dashboard }) => ({
    subject: 'Your email address was changed',
    lines: [
      'The address of your account was changed: this one does not sign in any more.',
      `If this was not you, write to whoever runs ${dashboard} at once.`,
    ],
  }),
  'password-changed': ({ dashboard }) => ({
    subject: 'Your password was changed',
    lines: [
      'The password of your account was changed, and its other sessions have ended.',
      `If this was not you, reset it at once: ${dashboard}`,
    ],
  }),
  'second-factor-changed': ({ dashboard }, { on }) => ({
    subject: on ? 'Your second factor was turned on' : 'Your second factor was removed',
    lines: [
      on
        ? 'Signing in to your account now takes a code of an authenticator.'
        : 'Signing in to your account takes no code any more.',
      `If this was not you, reset your password at once: ${dashboard}`,
    ],
  }),
  invitation: ({ organization, link }) => ({
    subject: `You are invited to ${organization}`,
    lines: [
      `You are invited to join the organization ${organization}. To accept, open this link:`,
      link ?? '',
      'It works once, and until the invitation expires. If you do not know the organization, you need do nothing.',
    ],
  }),
  'low-balance': ({ organization, dashboard }, { balance, threshold, organization: id }) => ({
    subject: `The balance of ${organization} is low`,
    lines: [
      `The balance of ${organization} is USD ${balance}, below the USD ${threshold} at which you asked to be told.`,
      'At zero its requests are refused. To top up:',
      billing(dashboard, id),
    ],
  }),
  receipt: ({ organization, dashboard }, { amount, organization: id }) => ({
    subject: `Payment received for ${organization}`,
    lines: [
      `A payment${of(amount)} for ${organization} was received and is on its balance. The receipt is here:`,
      billing(dashboard, id),
    ],
  }),
  'recharge-failed': ({ organization, dashboard }, { amount, organization: id }) => ({
    subject: `Auto-recharge failed for ${organization}`,
    lines: [
      `An automatic payment${of(amount)} for ${organization} was declined. It is tried again.`,
      'To look at the payment method:',
      billing(dashboard, id),
    ],
  }),
  'recharge-paused': ({ organization, dashboard }, { amount, organization: id }) => ({
    subject: `Auto-recharge is paused for ${organization}`,
    lines: [
      `An automatic payment${of(amount)} for ${organization} was declined several times in a row.`,
      'Auto-recharge is paused until somebody turns it on again:',
      billing(dashboard, id),
    ],
  }),
  invoice: ({ organization, dashboard }, { amount, organization: id }) => ({
    subject: `A new invoice for ${organization}`,
    lines: [`There is a new invoice${of(amount)} for ${organization}:`, billing(dashboard, id)],
  }),
};

/** The URL of an organization's page for credit, payments and invoices. */
function billing(dashboard: string, organization: OrganizationId): string {
  return `${dashboard}/${organization}/billing`;
}

function of(amount: string | undefined): string {
  return amount === undefined ? '' : ` of USD ${amount}`;
}

export function wordsOf(letter: Letter, facts: Facts): Words {
  const write = WRITE[letter.kind] as (facts: Facts, letter: Letter) => Body;
  const { subject, lines } = write(facts, letter);
  const greeting = facts.name === null ? 'Hello,' : `Hello ${facts.name},`;
  return { subject, text: `${[greeting, ...lines].join('\n\n')}\n` };
}
