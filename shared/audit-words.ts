/** How the fields in the details of the audit log, and their values, are written for people. */

import { roleInSentence } from './role-names.ts';

export type DetailValue = string | number | boolean | null;

/** The fields whose values are amounts in USD. */
const AMOUNTS: readonly string[] = [
  'amount',
  'amount_due',
  'asked',
  'completion',
  'credit_limit',
  'daily_cap',
  'input_cache_read',
  'low_balance_threshold',
  'monthly_cap',
  'paid_back',
  'prompt',
  'threshold',
];

/** Fields whose names need other words than their own. */
const WORDS: Readonly<Record<string, string>> = {
  amount_due: 'amount due',
  asked: 'requested amount',
  completion: 'output price per token',
  enabled: 'on or off',
  expires: 'expiry',
  input_cache_read: 'cached input price per token',
  paid_back: 'amount paid back',
  payment_terms_days: 'days to pay',
  prompt: 'input price per token',
};

/** `low_balance_threshold` → "low balance threshold". */
export function fieldInWords(name: string): string {
  return WORDS[name] ?? name.replaceAll('_', ' ');
}

/** Fields with one of a few known words. */
const CHOICES: readonly string[] = ['billing', 'role', 'status'];

/** Whether the value is short in any entry, unlike a name or a list. */
export function isShort(name: string, value: DetailValue): boolean {
  return typeof value !== 'string' || AMOUNTS.includes(name) || CHOICES.includes(name);
}

/** The fields whose value null means something else than none. */
const OF_NULL: Readonly<Record<string, string>> = { allowed_models: 'all' };

/** Whether the field has no value. */
export function isAbsent(name: string, value: DetailValue): boolean {
  return value === null && !Object.hasOwn(OF_NULL, name);
}

/** `20` of a monthly cap → "$20". Null → "none". */
export function valueInWords(name: string, value: DetailValue): string {
  if (value === null) return OF_NULL[name] ?? 'none';
  if (name === 'enabled') return value === true ? 'on' : 'off';
  if (name === 'expires' || name === 'until')
    return `${String(value).slice(0, 16).replace('T', ' ')} UTC`;
  if (AMOUNTS.includes(name)) return usdInWords(String(value));
  if (name === 'role') return roleInSentence(String(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? grouped(String(value)) : value;
}

/** `20` → "$20", `-1234.5` → "−$1,234.50". No digit is rounded away. */
export function usdInWords(amount: string): string {
  const size = amount.replace(/^-/, '');
  const padded = size.replace(/(\.\d)$/, '$10');
  return `${size === amount ? '' : '−'}$${grouped(padded)}`;
}

/** `10000` → "10,000". The decimals stay as they are. */
function grouped(number: string): string {
  const [whole = '', ...decimals] = number.split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...decimals].join('.');
}
