/** Checks a URL before it is stored, so that people hear at once what could never be delivered. */
import { isIP } from 'node:net';
import { Refused } from '../api.ts';
import { isPublicAddress } from './addresses.ts';
import { bareHost, type WebhookSettings } from './send.ts';

/**
 * Returns the URL in its normal form. Throws `Refused` if it is not allowed here. The addresses of a
 * name are checked with each attempt, because they change.
 */
export function checkTarget(text: string, { allowPrivateAddresses }: WebhookSettings): string {
  const url = new URL(text);
  if (allowPrivateAddresses) return url.href;
  if (url.protocol !== 'https:') {
    throw new Refused('invalid_value', 'The URL must begin with https://.', 'url');
  }
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isPublicAddress(host)) {
    const why =
      'The address in the URL is not public. This service sends only to public addresses.';
    throw new Refused('invalid_value', why, 'url');
  }
  return url.href;
}
