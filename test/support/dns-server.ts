/** A name server on loopback that answers with the addresses that a test gives its names. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';
import { isIPv4, SocketAddress } from 'node:net';

const QUERY_BYTES = 12;
const TYPES = { 1: 4, 28: 6 } as const;

export class DnsServer implements AsyncDisposable {
  readonly #socket = createSocket('udp4');
  readonly #names: Readonly<Record<string, readonly string[]>>;

  private constructor(names: Readonly<Record<string, readonly string[]>>) {
    this.#names = names;
    this.#socket.on('message', (query, { port, address }) => {
      this.#socket.send(this.#answer(query), port, address);
    });
  }

  static async start(names: Readonly<Record<string, readonly string[]>>): Promise<DnsServer> {
    const server = new DnsServer(names);
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  /** Asks this server alone. */
  resolver(): Resolver {
    const resolver = new Resolver({ timeout: 1_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${this.#socket.address().port}`]);
    return resolver;
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = QUERY_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(QUERY_BYTES, at + 5);
    const family = TYPES[type as keyof typeof TYPES];
    const known = this.#names[labels.join('.').toLowerCase()];
    const found = (known ?? []).filter((address) => (isIPv4(address) ? 4 : 6) === family);
    const header = Buffer.alloc(QUERY_BYTES);
    query.copy(header, 0, 0, 2);
    // An answer, with recursion; 3: there is no such name.
    header.writeUInt16BE(0x8180 | (known ? 0 : 3), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    return Buffer.concat([header, question, ...found.map((address) => record(type, address))]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}

function record(type: number, address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(1, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** An IPv6 address with `::` or an IPv4 address at its end is written out first. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const pair = (high = '', low = '') => (Number(high) * 256 + Number(low)).toString(16);
  const plain = mapped
    ? `${mapped[1]}${pair(mapped[2], mapped[3])}:${pair(mapped[4], mapped[5])}`
    : address;
  const { address: normal } = new SocketAddress({ address: plain, family: 'ipv6' });
  const hex = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.test(normal) ? plain : normal;
  const [before = '', after] = hex.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const [head, tail] = [parts(before), parts(after ?? '')];
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const words = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail];
  const bytes = Buffer.alloc(16);
  for (const [index, word] of words.entries())
    bytes.writeUInt16BE(Number.parseInt(word, 16), index * 2);
  return bytes;
}
