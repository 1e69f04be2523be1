import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { ClientAddresses } from '../../router/client-address.ts';

function from(remoteAddress: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

test.each([
  ['no proxy is trusted', [], from('10.0.0.1', '1.2.3.4'), '10.0.0.1'],
  ['the proxy is trusted', ['10.0.0.1'], from('10.0.0.1', '1.2.3.4'), '1.2.3.4'],
  [
    'the client has written a part of the header',
    ['10.0.0.0/8'],
    from('10.0.0.1', '9.9.9.9, 1.2.3.4, 10.0.0.2'),
    '1.2.3.4',
  ],
  [
    'the network is given by its mask',
    ['10.0.0.0/255.0.0.0'],
    from('10.9.0.1', '1.2.3.4'),
    '1.2.3.4',
  ],
  ['the network has a name', ['loopback'], from('127.0.0.1', '1.2.3.4'), '1.2.3.4'],
  ['the proxy is of IPv6', ['fd00::/8'], from('fd00::1', '2001:db8::7'), '2001:db8::7'],
  [
    'the proxy of IPv4 comes over IPv6',
    ['10.0.0.1'],
    from('::ffff:10.0.0.1', '1.2.3.4'),
    '1.2.3.4',
  ],
  ['all are proxies', ['10.0.0.0/8'], from('10.0.0.1', '10.0.0.3, 10.0.0.2'), '10.0.0.3'],
  ['the header is nonsense', ['10.0.0.1'], from('10.0.0.1', 'unknown'), 'unknown'],
])(
  'where %s, the address is the last one that is not a trusted proxy',
  (_what, proxies, request, is) => {
    expect(new ClientAddresses(proxies).of(request)).toBe(is);
  },
);
