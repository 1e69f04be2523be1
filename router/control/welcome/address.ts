/**
 * What counts as one address, and as one network, for the welcome credit. The store has keyed digests of both, and
 * nothing that says whose they are.
 */
import { domainToASCII } from 'node:url';
import { createHmac } from 'node:crypto';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import { addressBlock } from '../people/throttle.ts';

/** Providers that ignore dots in front of the `@`, by every name that they go by. */
const DOTLESS: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
};

/** The mailbox behind an address: in one case, its domain as DNS has it, without a tag. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).normalize('NFKC').toLowerCase();
  const typed = email.slice(at + 1).toLowerCase();
  const domain = (domainToASCII(typed) || typed).replace(/\.$/, '');
  const untagged = local.split('+', 1)[0] || local;
  const same = DOTLESS[domain];
  return same === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${same}`;
}

/** Under a secret that is never rotated: an address that was erased could not be digested again. */
export function mailboxDigest(secret: Uint8Array, email: string): string {
  return createHmac('sha256', secret)
    .update(`welcome/${mailboxOf(email)}`)
    .digest('hex');
}

/** A network as one customer may have it to themselves: of IPv4 24 bits, of IPv6 48. */
export function networkOf(address: string): string {
  const block = addressBlock(address);
  const separator = block.includes(':') ? ':' : '.';
  return block.split(separator).slice(0, 3).join(separator);
}

export function networkDigest(pepper: Peppers, address: string): string {
  return digestSecret(pepper, `welcome-network/${networkOf(address)}`);
}
