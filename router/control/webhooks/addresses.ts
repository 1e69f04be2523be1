/**
 * Which addresses a webhook may be sent to: public ones only. Otherwise a customer could let the
 * router send requests into the network that it runs in, or to the metadata of its cloud.
 */
import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

/** IPv4 networks that are not public (IANA's registry of special-purpose addresses). */
const NOT_PUBLIC_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carriers' networks; some clouds have their metadata there.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address at which Azure serves the host agent of a virtual machine.
  ['168.63.129.16', 32],
];

/** Global unicast. IPv4-mapped, NAT64, unique local, link-local and multicast are outside of it. */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/** IPv6 networks within it that are not public, or contain an IPv4 address. */
const NOT_PUBLIC_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  // Protocol assignments, Teredo among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4.
  ['2002::', 16],
  ['3fff::', 20],
];

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_IPV4) notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_IPV6) notPublic.addSubnet(network, prefix, 'ipv6');
const global6 = new BlockList();
global6.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** False for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4');
    case 6:
      // An address with a zone (`%eth0`) is of a link.
      return (
        !address.includes('%') &&
        global6.check(address, 'ipv6') &&
        !notPublic.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** The host of a URL is an address that is not public. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
}

/** A name has no address or one that is not public, or its name servers do not answer. */
export class NoAddress extends Error {
  override name = 'NoAddress';
}

/** Addresses of one name that are tried. */
const ADDRESSES_MAX = 8;

/**
 * Resolves names for connections. What it returns is what is connected to, so a name whose address
 * changes cannot get past it. It asks the name servers itself: the system's resolver would occupy
 * one of the few threads of the process for as long as a name server does not answer.
 */
export function publicLookup(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): LookupFunction {
  const resolve = callbackify((hostname: string) => resolvePublic(resolver, hostname));
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

async function resolvePublic(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  hostname: string,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ];
  // One address that is not public is enough: such a name is a mistake or an attempt.
  if (found.some(({ address }) => !isPublicAddress(address))) throw new NoAddress();
  const [first, ...others] = found.slice(0, ADDRESSES_MAX);
  if (first === undefined) throw new NoAddress();
  return [first, ...others];
}
