/**
 * The client address that limits are counted under: the address of the connecting peer, or the
 * address that a trusted proxy reports in `X-Forwarded-For`.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Names for groups of networks, the same names that Fastify's `trustProxy` accepts. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

export class ClientAddresses {
  readonly #proxies = new BlockList();

  /**
   * `trustedProxies` holds addresses, networks such as `10.0.0.0/8` or `10.0.0.0/255.0.0.0`, and
   * the names in `NAMED`. Entries that are none of these are ignored.
   */
  constructor(trustedProxies: readonly string[]) {
    for (const entry of trustedProxies.flatMap((name) => NAMED[name] ?? [name])) this.#trust(entry);
  }

  isTrustedProxy(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  /**
   * The client address of a request. Walks `X-Forwarded-For` from right to left and returns the
   * first address that is not a trusted proxy, as Fastify does for `request.ip`.
   */
  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !this.isTrustedProxy(address)) return address;
    for (const before of String(forwarded).split(',').toReversed()) {
      address = before.trim();
      if (!this.isTrustedProxy(address)) break;
    }
    return address;
  }

  #trust(entry: string): void {
    const [address = '', range] = entry.split('/', 2);
    const family = isIP(address);
    if (family === 0) return;
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (range === undefined) return this.#proxies.addAddress(address, type);
    this.#proxies.addSubnet(address, isIP(range) ? maskBits(range) : Number(range), type);
  }
}

function maskBits(mask: string): number {
  return mask
    .split('.')
    .map((part) => Number(part).toString(2).replaceAll('0', '').length)
    .reduce((sum, bits) => sum + bits, 0);
}
