/**
 * The text of each kind of email, in plain text. Names and amounts are the only parts that come
 * from customers.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import { affectedBy, titleOf } from '../incidents/words.ts';
import type { Letter } from './letter.ts';
import type { Addressed } from './recipients.ts';

export type Words = Readonly<{ subject: string; text: string }>;

/** What an email's text is made from, in addition to the email itself. */
type Facts = Addressed &
  Readonly<{ link: string | null; unsubscribe?: string | undefined; dashboard: string }>;

type Body = Readonly<{ subject: string; lines: readonly string[] }>;

type Writers = Readonly<{
  [Kind in Letter['kind']]: (
    facts: Facts,
    letter: Extract<Letter, Readonly<{ kind: Kind }>> & { readonly kind: Kind },
  ) => Body;
}>;

const NOT_YOU =
  'If this was not you, you do not need to do anything. Nothing changes unless the link is used.';

const WRITE: Writers = {
  'reset-password': ({ link }, { after }) =>
    after === 'first-proof' ? afterFirstProof(link) : requestedReset(link),
  'confirm-email': ({ link }) => ({
    subject: 'Confirm your email address',
    lines: [
      'Open this link within a day, where you are signed in:',
      link ?? '',
      'Not you? Ignore this email.',
    ],
  }),
  'email-changed': ({ dashboard }) => ({
    subject: 'Your email address was changed',
    lines: [
      'The email address of your account was changed. You can no longer sign in with this one.',
      `If this was not you, contact the support of ${dashboard} at once.`,
    ],
  }),
  'password-changed': ({ dashboard }, { passkeys = 0 }) => ({
    subject: 'Your password was changed',
    lines: [
      'The password of your account was changed, and its other sessions have ended.',
      ...(passkeys === 0 ? [] : [stillWork(dashboard, passkeys)]),
      `If this was not you, reset it at once: ${dashboard}`,
    ],
  }),
  'passkeys-changed': ({ dashboard }, { added }) => ({
    subject: added ? 'A passkey was added to your account' : 'A passkey was removed',
    lines: [
      added
        ? 'A passkey was added to your account. It signs in without your password.'
        : 'A passkey was removed from your account. It no longer signs in.',
      `If this was not you, reset your password at once and remove the passkeys that you do not know: ${dashboard}/account`,
    ],
  }),
  'second-factor-changed': ({ dashboard }, { on }) => ({
    subject: on ? 'Your second factor was turned on' : 'Your second factor was removed',
    lines: [
      on
        ? 'Signing in to your account now requires a code from an authenticator app.'
        : 'Signing in to your account no longer requires a code.',
      `If this was not you, reset your password at once: ${dashboard}`,
    ],
  }),
  invitation: ({ organization, link }) => ({
    subject: `You are invited to ${organization}`,
    lines: [
      `You are invited to join the organization ${organization}. To accept, open this link:`,
      link ?? '',
      'The link works once, until the invitation expires. If you do not know the organization, you can ignore this email.',
    ],
  }),
  'low-balance': ({ organization, dashboard }, { balance, threshold, organization: id }) => ({
    subject: `The balance of ${organization} is low`,
    lines: [
      `The balance of ${organization} is USD ${balance}, which is below your threshold of USD ${threshold}.`,
      'At a balance of zero, its requests are refused. To top up:',
      billing(dashboard, id),
    ],
  }),
  exhausted: ({ organization, dashboard }, letter) => ({
    subject: `A request of ${organization} was refused: more credit is needed`,
    lines: [
      `A request of ${organization} was refused with status 402 on ${timeOf(letter.at)}, because the credit of the organization did not cover it.`,
      `The balance was USD ${letter.balance}${held(letter.held)}.${limited(letter.creditLimit)}`,
      `Requests that need more credit than is left are refused until credit is added. ${
        letter.creditLimit === undefined
          ? 'Add it by hand, or let auto-recharge add it in time:'
          : 'To see the invoices of the organization, or to add credit:'
      }`,
      billing(dashboard, letter.organization),
    ],
  }),
  budget: ({ organization, dashboard }, { percent, spent, budget, month, organization: id }) => ({
    subject: `${organization} has reached ${percent}% of its budget`,
    lines: [
      `In ${monthName(month)} (UTC), ${organization} has spent USD ${spent} so far. Its budget is USD ${budget} a month.`,
      'Requests are not refused because of the budget. To see the forecast, or to change the budget:',
      billing(dashboard, id, 'budget'),
    ],
  }),
  receipt: ({ organization, dashboard }, { amount, organization: id }) => ({
    subject: `Payment received for ${organization}`,
    lines: [
      `A payment${of(amount)} for ${organization} was received and credited to its balance. The receipt is here:`,
      billing(dashboard, id, 'payments'),
    ],
  }),
  'recharge-failed': ({ organization, dashboard }, { amount, organization: id }) => ({
    subject: `Auto-recharge failed for ${organization}`,
    lines: [
      `An automatic payment${of(amount)} for ${organization} was declined. It will be tried again.`,
      'To check the payment method:',
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
  invoice: ({ organization, dashboard }, { amount, again, organization: id }) => ({
    subject: again ? `Invoice ${again} for ${organization}` : `A new invoice for ${organization}`,
    lines: [
      again
        ? `Here is the invoice ${again} for ${organization} once more:`
        : `There is a new invoice${of(amount)} for ${organization}:`,
      billing(dashboard, id, 'payments'),
    ],
  }),
  'webhook-disabled': ({ organization, dashboard }, { host, webhook, organization: id }) => ({
    subject: `A webhook of ${organization} was turned off`,
    lines: [
      `Nothing could be delivered to the webhook endpoint of ${organization} at ${host} for three days, so it was turned off.`,
      'It gets no more events until somebody turns it on again:',
      `${dashboard}/${id}/webhooks/${webhook}`,
    ],
  }),
  incident: ({ news, dashboard, unsubscribe }, { incident }) => {
    if (!news) throw new Error('an email about an incident has no update');
    return {
      subject: titleOf(news.title, news.state),
      lines: [
        news.message,
        affectedBy(news),
        `${dashboard}/status#${incident}`,
        `You have chosen emails about incidents. To get no more of them: ${unsubscribe}`,
      ],
    };
  },
};

function requestedReset(link: string | null): Body {
  return {
    subject: 'Reset your password',
    lines: [
      'A reset of the password of your account was requested. To set a new password, open this link:',
      link ?? '',
      'The link works once and expires after an hour.',
      NOT_YOU,
    ],
  };
}

function stillWork(dashboard: string, passkeys: number): string {
  const which =
    passkeys === 1 ? 'Your passkey still signs' : `Your ${passkeys} passkeys still sign`;
  return `${which} in to it. Remove a passkey that you do not know: ${dashboard}/account`;
}

/** The page that the confirmation's link opened says the same. */
function afterFirstProof(link: string | null): Body {
  return {
    subject: 'Set a new password',
    lines: [
      'Your email address was confirmed in a browser that was not signed in to your account. Somebody else may have signed up with your address, so the password was removed, and the sessions and API keys of the account ended. To set a new password, open this link:',
      link ?? '',
      'The link works once and expires after an hour. Nobody can sign in to the account before a new password is set.',
    ],
  };
}

/** The URL of an organization's billing page. Without a view it shows the credit. */
function billing(
  dashboard: string,
  organization: OrganizationId,
  view?: 'payments' | 'budget',
): string {
  return `${dashboard}/${organization}/billing${view === undefined ? '' : `?view=${view}`}`;
}

/** `2026-11` → "November 2026". */
function monthName(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return first.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** `2026-11-30T03:40:12.000Z` → "November 30, 2026 at 03:40 UTC". */
function timeOf(instant: string): string {
  return new Date(instant).toLocaleString('en', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
}

function held(amount: string): string {
  return amount === '0' ? '' : `, of which USD ${amount} is reserved for running requests`;
}

function limited(creditLimit: string | undefined): string {
  return creditLimit === undefined ? '' : ` It may go down to USD -${creditLimit}.`;
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
