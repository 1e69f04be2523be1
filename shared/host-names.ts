/**
 * Which `Host` a server that is not public answers to. A page of a stranger whose name is made to point to this machine
 * (DNS rebinding) sends that name: only names that are expected get an answer.
 */
import { isIP } from 'node:net';

const PORT = /:\d{1,5}$/;

/** Whether a request for this `Host` is answered; `names` are those besides loopback and addresses. */
export function isExpectedHost(header: string | undefined, names: readonly string[]): boolean {
  // Only programs leave it away: a browser never does.
  if (header === undefined) return true;
  const name = header.replace(PORT, '').replace(/\.$/, '').toLowerCase();
  // An address is no name: nobody can make it point elsewhere.
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return names.includes(name);
}

/** A name as a configuration has it. */
export const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
export const HOST_NAME_FAULT = 'is a host name in lower case, without a port';
