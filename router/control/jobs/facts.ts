/**
 * What operators see of the payload of a job: ids, months and amounts. Whatever is not listed here
 * stays hidden, because a payload may have an email address, and a later version may add a text.
 */

import { nameOfMonth } from '../../store/month.ts';

/** The names in a payload, in the order in which they are shown. */
const SHOWN = [
  'organization',
  'person',
  'recipient',
  'invitation',
  'payment',
  'refund',
  'invoice',
  'incident',
  'update',
  'webhook',
  'delivery',
  'attempt',
  'month',
  'amount',
  'balance',
  'threshold',
  'percent',
  'spent',
  'budget',
] as const;

/** An id, a month, or an amount. */
const VALUE = /^[\w.-]{1,60}$/;

export type Fact = Readonly<{ name: string; value: string }>;

/** `payload` is JSON. */
export function factsOf(payload: string): Fact[] {
  const given = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  return SHOWN.flatMap((name) => {
    const value = given[name];
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text = name === 'month' ? monthInWords(value) : String(value);
    return VALUE.test(text) ? [{ name, value: text }] : [];
  });
}

/** Jobs of invoices have the number of a month, and those of emails its name. */
function monthInWords(month: string | number): string {
  return /^\d+$/.test(String(month)) ? nameOfMonth(BigInt(month)) : String(month);
}

/** The delivery of a webhook that a job is an attempt of; null: it is of none. */
export function deliveryIn(facts: readonly Fact[]): string | null {
  return facts.find(({ name }) => name === 'delivery')?.value ?? null;
}
