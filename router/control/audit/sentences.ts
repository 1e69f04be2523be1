/**
 * The entries of the audit log as sentences, such as "Alice revoked the API key "ci"". The table has
 * a sentence for every action, so that an action without one does not compile.
 */
import type { AuditAction } from '../../../shared/audit-actions.ts';
import { usdInWords } from '../../../shared/audit-words.ts';
import { capitalized } from '../../../shared/capitalized.ts';
import { operatorRoleInSentence } from '../../../shared/operator-roles.ts';
import { roleInSentence } from '../../../shared/role-names.ts';
import { SERVICE_NAME } from '../../../shared/service-name.ts';
import { changedInWords } from './changes.ts';
import {
  as,
  because,
  becauseOf,
  becauseOfProvider,
  endpoint,
  type Facts,
  forMinutes,
  forModel,
  invoice,
  named,
  ofAmount,
  onDay,
  payment,
  person,
  text,
} from './phrases.ts';

/** The facts, with the actor as the subject of a sentence. */
type Told = Facts & Readonly<{ who: string }>;

type Sentence = (told: Told) => string;

/** An action that a later version has recorded is shown by its name. */
export function sentenceOf(action: string, facts: Facts): string {
  const told = { ...facts, who: subjectOf(facts) };
  const sentence = Object.hasOwn(SENTENCES, action) ? SENTENCES[action as AuditAction] : null;
  const said = sentence ? sentence(told) : `${told.who}: ${action}`;
  return `${said}${because(facts.reason)}`;
}

function subjectOf({ actor: { kind, id, name }, details }: Facts): string {
  switch (kind) {
    case 'person':
      return name || 'Deleted user';
    case 'operator':
      // Customers do not see which operator acted.
      return name || (id === null ? 'An operator' : 'Deleted user');
    case 'management-token':
      return name ? `The management token "${name}"` : 'A management token';
    case 'provider':
      return 'The payment provider';
    case 'system':
      return details['by'] === 'penstock operator' ? 'The command penstock operator' : SERVICE_NAME;
    case 'nobody':
      return 'Somebody who was not signed in';
  }
}

const did =
  (what: string): Sentence =>
  ({ who }) =>
    `${who} ${what}`;

/** A sentence about something with a name: `verb the API key "ci"`, or `verb an API key`. */
const of =
  (verb: string, known: string, unknown: string): Sentence =>
  (told) =>
    `${told.who} ${verb} ${named(told, known, unknown)}`;

const key = (verb: string) => of(verb, 'the API key', 'an API key');
const token = (verb: string) => of(verb, 'the management token', 'a management token');
/** The machine is named by its agent: people call it the host. */
const agent = (verb: string) => of(verb, 'the host', 'a host');
const incident = (verb: string) => of(verb, 'the incident', 'an incident');
const worker = (verb: string) => of(verb, 'the worker', 'a worker');

const webhook =
  (verb: string): Sentence =>
  (told) =>
    `${told.who} ${verb} ${endpoint(told)}`;

const INVITED: Record<'create' | 'resend' | 'revoke', Sentence> = {
  create: (told) => `${told.who} invited ${told.targetName || 'somebody'}${as(told)}`,
  resend: ({ who, targetName }) =>
    `${who} sent the invitation of ${targetName || 'somebody'} again`,
  revoke: ({ who, targetName }) => `${who} revoked the invitation of ${targetName || 'somebody'}`,
};

const LINKS: Readonly<Record<string, string>> = {
  'reset-password': 'reset the password',
  'confirm-email': 'confirm the email address',
};

export const SENTENCES: Readonly<Record<AuditAction, Sentence>> = {
  'agent.drain': agent('drained'),
  'agent.enrol': agent('enrolled'),
  'agent.note': agent('wrote a note on'),
  'agent.revoke': agent('revoked'),
  'agent.undrain': agent('ended the drain of'),
  'billing-details.set': (told) => changed(told, null, 'the billing details'),
  'budget.set': ({ who, details }) => {
    const amount = text(details, 'amount');
    return amount === null
      ? `${who} removed the budget`
      : `${who} set the budget to ${usdInWords(amount)} a month`;
  },
  'chat.delete': did('deleted a chat from their account'),
  'chat.keep': did('kept a chat in their account'),
  'credit.adjust': ({ who, details }) => {
    const amount = text(details, 'amount');
    if (amount === null) return `${who} adjusted the credit`;
    return amount.startsWith('-')
      ? `${who} removed ${usdInWords(amount.slice(1))} of credit${becauseOf(details)}`
      : `${who} added ${usdInWords(amount)} of credit${becauseOf(details)}`;
  },
  'incident.correct': incident('corrected'),
  'incident.create': incident('reported'),
  'incident.delete': incident('deleted'),
  'incident.update': (told) => {
    const state = text(told.details, 'state');
    return `${incident('updated')(told)}${state === null ? '' : `: ${state}`}`;
  },
  'invitation.accept': (told) => `${told.who} joined${as(told)}`,
  'invitation.create': INVITED.create,
  'invitation.preview': did('opened an invitation'),
  'invitation.resend': INVITED.resend,
  'invitation.revoke': INVITED.revoke,
  'invoice.issue': ({ who, targetName, details }) =>
    `${who} issued ${invoice(targetName, details)}${ofAmount(details, 'amount_due')}`,
  'invoice.pay': ({ who, targetName, details }) =>
    `${who} marked ${invoice(targetName, details)} as paid${onDay(details, 'paid_on')}${because(text(details, 'reference'))}`,
  'invoice.send': ({ who, targetName, details }) =>
    `${who} sent ${invoice(targetName, details)} again`,
  'invoice.void': ({ who, targetName, details }) =>
    `${who} voided ${invoice(targetName, details)}${becauseOf(details)}`,
  'job.retry': ({ who, details }) => {
    const kind = text(details, 'kind');
    return `${who} tried ${kind === null ? 'a job' : `a job of the kind ${kind}`} again`;
  },
  'key.change': (told) => changed(told, 'the API key', 'an API key'),
  'key.create': key('created'),
  'key.delete': key('deleted'),
  'key.revoke': key('revoked'),
  'member.change-caps': (told) => {
    const { who, details, before } = told;
    return `${who} ${changedInWords(person(told), details, before)}`;
  },
  'member.change-role': (told) => {
    const { who, details, before } = told;
    const [from, to] = [text(before ?? {}, 'role'), text(details, 'role')];
    return `${who} changed the role of ${person(told)}${from ? ` from ${roleInSentence(from)}` : ''}${to ? ` to ${roleInSentence(to)}` : ''}`;
  },
  'member.leave': did('left the organization'),
  'member.remove': (told) => `${told.who} removed ${person(told)} from the organization`,
  'operator.allow-changes': (told) =>
    `${told.who} allowed changes${forMinutes(told)}${becauseOf(told.details)}`,
  'operator.change-role': (told) => {
    const { who, details, before } = told;
    const [from, to] = [text(before ?? {}, 'role'), text(details, 'role')];
    return `${who} changed the operator role of ${person(told)}${from ? ` from ${operatorRoleInSentence(from)}` : ''}${to ? ` to ${operatorRoleInSentence(to)}` : ''}`;
  },
  'operator.create': (told) => {
    const role = text(told.details, 'role');
    return `${told.who} made ${person(told)} an operator${role === null ? '' : ` as ${operatorRoleInSentence(role)}`}`;
  },
  'operator.end-changes': ({ who, details }) => {
    const allowed = text(details, 'reason');
    // It is why changes were allowed, and not why that ended.
    const forReason = allowed === null ? '' : ` for this reason${because(allowed)}`;
    return details['expired'] === true
      ? `The time in which ${who === 'An operator' ? 'an operator' : who} had allowed changes ran out${becauseOf(details)}`
      : `${who} ended the changes that had been allowed${forReason}`;
  },
  'operator.revoke': (told) => `${told.who} ended the operator rights of ${person(told)}`,
  'operator.revoke-token': (told) => `${told.who} revoked the operator token of ${person(told)}`,
  'operator.rotate-token': (told) => `${told.who} replaced the operator token of ${person(told)}`,
  'organization.change-settings': (told) => changed(told, null, 'the organization'),
  'organization.change-terms': (told) => {
    const { status, changed: fields } = told.details;
    const isAlone = fields === 'status' || Object.keys(told.details).length === 1;
    if (status !== undefined && isAlone) {
      return `${told.who} ${status === 'suspended' ? 'suspended' : 'resumed'} the organization`;
    }
    return changed(told, null, 'the organization');
  },
  'organization.create': of('created', 'the organization', 'the organization'),
  'organization.delete': did('deleted the organization'),
  'passkey.add': did('added a passkey'),
  'passkey.begin': did('started to add a passkey'),
  'passkey.refuse': (told) =>
    `A passkey${told.target === null ? '' : ` of ${person(told)}`} was refused: it may have been copied`,
  'passkey.remove': did('removed a passkey'),
  'passkey.rename': did('renamed a passkey'),
  'payment-method.begin': did('started to add a payment method'),
  'payment-method.keep': ({ details }) => {
    const method = text(details, 'method');
    return method === null
      ? 'A payment method was saved'
      : `The payment method ${method} was saved`;
  },
  'payment-method.manage': did("opened the payment provider's page"),
  'payment-method.remove': ({ who }) => `${who} removed the payment method`,
  'payment.begin': (told) => `${told.who} started ${payment(told)}`,
  'payment.dispute': (told) => capitalized(`${payment(told)} was disputed`),
  'payment.dispute-won': (told) => `The dispute of ${payment(told)} was won`,
  'payment.expire': (told) => capitalized(`${payment(told)} expired`),
  'payment.fail': (told) =>
    capitalized(`${payment(told)} failed${becauseOfProvider(told.details)}`),
  'payment.hear': did('reported an event'),
  'payment.paid-again': (told) => capitalized(`${payment(told)} was paid a second time`),
  'payment.refund': (told) => {
    const { who, details } = told;
    const part = text(details, 'amount');
    const what = part === null ? payment(told) : `${usdInWords(part)} of ${payment(told)}`;
    return `${who} refunded ${what}${becauseOf(details)}`;
  },
  'payment.refund-failed': ({ details }) => `A refund${ofAmount(details)} failed`,
  'payment.refunded': ({ details }) => `A refund${ofAmount(details)} was paid out`,
  'payment.succeed': ({ details }) => `A payment${ofAmount(details)} succeeded`,
  'person.ask-reset': (told) => {
    const whose = told.target === null ? 'an address without an account' : person(told);
    return `${told.who} asked for a link to reset the password of ${whose}`;
  },
  'person.change': ({ who, details }) => {
    if (!('muted_emails' in details || 'incident_emails' in details))
      return `${who} changed their name`;
    const also = details['renamed'] === true ? ' and their name' : '';
    return `${who} changed which emails they get${also}`;
  },
  'person.change-email': did('asked to change their email address'),
  'person.resend-confirmation': did('asked for another link that confirms their email address'),
  'person.change-password': did('changed their password'),
  'person.confirm-email': ({ who, details }) =>
    `${who} ${details['changed'] === true ? 'changed' : 'confirmed'} their email address`,
  'person.end-session': (told) => `${told.who} ended a session of ${person(told)}`,
  'person.end-sessions': (told) => `${told.who} ended all sessions of ${person(told)}`,
  'person.erase': did('deleted their account'),
  'person.lock': (told) => `${told.who} locked the account of ${person(told)}`,
  'person.make-link': (told) => {
    const purpose = LINKS[text(told.details, 'purpose') ?? ''];
    return `${told.who} created a link${purpose ? ` to ${purpose}` : ''} for ${person(told)}`;
  },
  'person.reset-password': did('reset their password'),
  'person.sign-up': (told) =>
    told.details['invited'] === true
      ? `${told.who} joined${as(told)}`
      : `${told.who} signed up and created the organization`,
  'person.unlock': (told) => `${told.who} unlocked the account of ${person(told)}`,
  'playground.end': did('ended their playground sessions'),
  'playground.open': did('started a playground session'),
  'rate.remove': ({ who, target }) => `${who} removed the agreed prices${forModel(target)}`,
  'rate.set': (told) =>
    told.before
      ? changed(told, null, `the agreed prices${forModel(told.target)}`)
      : `${told.who} agreed prices${forModel(told.target)}`,
  'recharge.set': (told) => {
    const { details, before, who } = told;
    if (before?.['enabled'] === details['enabled']) return changed(told, null, 'auto-recharge');
    return `${who} turned auto-recharge ${details['enabled'] === true ? 'on' : 'off'}`;
  },
  'recharge.start': ({ details }) => `Auto-recharge started a payment${ofAmount(details)}`,
  'recharge.withdraw': ({ details }) =>
    `Auto-recharge canceled a payment${ofAmount(details)}${becauseOf(details)}`,
  'second-factor.begin': did('started to set up two-factor authentication'),
  'second-factor.confirm': did('turned two-factor authentication on'),
  'second-factor.lift': (told) =>
    `${told.who} turned two-factor authentication off for ${person(told)}`,
  'second-factor.remove': did('turned two-factor authentication off'),
  'session.begin': ({ who, details }) =>
    `${who} signed in${'passkey' in details ? ' with a passkey' : ''}`,
  'session.end': did('ended a session'),
  'session.end-all': did('ended all their sessions'),
  'session.throttled': (told) =>
    `Too many attempts to sign in${told.target === null ? '' : ` as ${person(told)}`} were refused`,
  'token.create': (told) => `${token('created')(told)}${as(told)}`,
  'token.revoke': token('revoked'),
  'webhook.change': (told) => {
    const { who, details, before } = told;
    if (before === null || before['enabled'] === (details['enabled'] ?? before['enabled'])) {
      return changed(told, null, endpoint(told));
    }
    return `${who} turned ${endpoint(told)} ${details['enabled'] === true ? 'on' : 'off'}`;
  },
  'webhook.create': webhook('created'),
  'webhook.delete': webhook('deleted'),
  'webhook.disable': (told) =>
    `${told.who} turned ${endpoint(told)} off, because nothing could be delivered for three days`,
  'webhook.rotate-secret': (told) => `${told.who} replaced the secret of ${endpoint(told)}`,
  'webhook.send-again': (told) => `${told.who} had an event sent again to ${endpoint(told)}`,
  'webhook.test': (told) => `${told.who} sent a test event to ${endpoint(told)}`,
  'welcome.give': ({ details }) => `The organization got the welcome credit${ofAmount(details)}`,
  'welcome.withhold': ({ details }) => `The welcome credit was withheld${becauseOf(details)}`,
  'worker.drain': worker('drained'),
  'worker.undrain': worker('ended the drain of'),
};

function changed(told: Told, known: string | null, unknown: string): string {
  const { who, targetName, details, before } = told;
  // A change of the name is told with the name before it.
  const name = known === null ? null : (text(before ?? {}, 'name') ?? targetName);
  const subject = name ? `${known} "${name}"` : unknown;
  return `${who} ${changedInWords(subject, details, before)}`;
}
