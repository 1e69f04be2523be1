/**
 * Protects servers that are not public against DNS rebinding, by checking the `Host` header. In
 * such an attack, a web page's own host name is changed to point to this machine, and the browser
 * sends that name. Only requests with an expected name are answered.
 */
import { isIP } from 'node:net';

const PORT = /:\d{1,5}$/;

/** Whether a request with this `Host` is answered. `names` add to loopback names and addresses. */
export function isExpectedHost(header: string | undefined, names: readonly string[]): boolean {
  // A browser always sends a `Host`, so this is another program.
  if (header === undefined) return true;
  const name = header.replace(PORT, '').replace(/\.$/, '').toLowerCase();
  // An IP address cannot be made to point elsewhere.
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return names.includes(name);
}

/** A host name in a configuration. */
export const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
export const HOST_NAME_FAULT = 'must be a host name in lower case, without a port';
