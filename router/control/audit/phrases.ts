/** The phrases of which sentences about entries of the audit log are made. */
import { usdInWords } from '../../../shared/audit-words.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { dateOf } from '../../../shared/documents/words.ts';
import { failureReason } from '../../../shared/payment-failures.ts';
import { roleInSentence } from '../../../shared/role-names.ts';
import type { AuditRow } from '../../store/schema/people.ts';
import type { Details } from './record.ts';

/** What a sentence is made of. Null: not known, or not any more. */
export type Facts = Readonly<{
  actor: Readonly<{ kind: AuditRow['actor_kind']; id: string | null; name: string | null }>;
  /** The id of what was changed. */
  target: string | null;
  /** Its current name. */
  targetName: string | null;
  details: Details;
  before: Details | null;
  /** Why an operator did it; null also for readers who must not know. */
  reason: string | null;
  /** ms since the epoch. */
  created: number;
}>;

export function named({ targetName, details }: Facts, known: string, unknown: string): string {
  const name = text(details, 'name') ?? targetName;
  // A quote within a name could end it early and go on as another sentence.
  return name ? `${known} "${name.replaceAll('"', "'")}"` : unknown;
}

/** The webhook endpoint that was changed, by the host of its URL. */
export function endpoint({ targetName, details, before }: Facts): string {
  const host = text(before ?? {}, 'host') ?? text(details, 'host') ?? targetName;
  return host ? `the webhook endpoint at ${host}` : 'a webhook endpoint';
}

/** The person that was changed, in the middle of a sentence. */
export function person({ targetName }: Facts): string {
  return targetName || 'a deleted user';
}

export function as({ details }: Facts): string {
  const role = text(details, 'role');
  return role === null ? '' : ` as ${roleInSentence(role)}`;
}

export function text(details: Details, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** ` of $20`, or nothing when the amount is not known. */
export function ofAmount(details: Details, name = 'amount'): string {
  const amount = text(details, name);
  return amount === null ? '' : ` of ${usdInWords(amount)}`;
}

/** ` on Dec 2, 2026`, or nothing when the day is not known. */
export function onDay(details: Details, name: string): string {
  const day = text(details, name);
  return day === null ? '' : ` on ${dateOf(day)}`;
}

/** The payment that the entry is about, and not a part of it that was refunded. */
export function payment({ targetName, details }: Facts): string {
  return `a payment${targetName === null ? ofAmount(details) : ` of ${targetName}`}`;
}

/** The only place that puts a reason behind a sentence. */
export function because(reason: string | null): string {
  return reason === null ? '' : `: ${reason}`;
}

/** The reason that is a detail of the entry, which its customer reads, too. */
export function becauseOf(details: Details): string {
  return because(text(details, 'reason'));
}

/** The payment provider gives its reason as a code or as a sentence. */
export function becauseOfProvider(details: Details): string {
  const reason = text(details, 'reason');
  if (reason === null) return '';
  const words = failureReason(reason);
  return because(`${words.slice(0, 1).toLowerCase()}${words.slice(1)}`);
}

/** " for 30 minutes", by the time until which changes were allowed; empty if it is not known. */
export function forMinutes({ details, created }: Facts): string {
  const until = Date.parse(text(details, 'until') ?? '');
  if (Number.isNaN(until)) return '';
  const minutes = Math.max(1, Math.round((until - created) / MINUTE_MS));
  return ` for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

export function invoice(targetName: string | null, details: Details): string {
  const number = text(details, 'number') ?? targetName;
  return number ? `invoice ${number}` : 'an invoice';
}

export function forModel(target: string | null): string {
  return target ? ` for ${target}` : '';
}
