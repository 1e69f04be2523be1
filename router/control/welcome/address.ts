/**
 * Defines which email addresses, and which networks, count as the same for the welcome credit. The
 * store has only keyed digests of both, which do not reveal whose they are.
 */
import { domainToASCII } from 'node:url';
import { createHmac } from 'node:crypto';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import { addressBlock } from '../people/throttle.ts';

/** Providers that ignore dots in the local part, with all of their domains. */
const DOTLESS: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
};

/**
 * Normalizes an address to its mailbox: lower case, the domain as in DNS, without a `+` tag, and
 * without dots where the provider ignores them.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).normalize('NFKC').toLowerCase();
  const typed = email.slice(at + 1).toLowerCase();
  const domain = (domainToASCII(typed) || typed).replace(/\.$/, '');
  const untagged = local.split('+', 1)[0] || local;
  const same = DOTLESS[domain];
  return same === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${same}`;
}

/**
 * Computes a mailbox's digest under a secret that is never rotated, because an erased address could
 * not be digested again.
 */
export function mailboxDigest(secret: Uint8Array, email: string): string {
  return createHmac('sha256', secret)
    .update(`welcome/${mailboxOf(email)}`)
    .digest('hex');
}

/**
 * Returns the network of an address, as large as one customer may have alone: 24 bits of IPv4, 48
 * bits of IPv6.
 */
export function networkOf(address: string): string {
  const block = addressBlock(address);
  const separator = block.includes(':') ? ':' : '.';
  return block.split(separator).slice(0, 3).join(separator);
}

export function networkDigest(pepper: Peppers, address: string): string {
  return digestSecret(pepper, `welcome-network/${networkOf(address)}`);
}
