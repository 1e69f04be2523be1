/** An OTLP receiver over HTTP, which decodes the spans of each request from protobuf. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type ReceivedSpan = Readonly<{
  service: string;
  traceId: string;
  id: string;
  parent: string;
  name: string;
  kind: number;
  startNs: bigint;
  endNs: bigint;
  attributes: Readonly<Record<string, unknown>>;
  events: readonly string[];
  /** 2 is an error. */
  status: number;
}>;

/** The fields of a protobuf message, by number: bytes, or a number. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: Buffer | bigint;
    if (wire === 0) value = varint();
    else if (wire === 1) value = message.subarray(at, (at += 8));
    else if (wire === 5) value = message.subarray(at, (at += 4));
    else {
      const length = Number(varint());
      value = message.subarray(at, (at += length));
    }
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number) => (fields.get(number) ?? []) as Buffer[];
const bytes = (fields: Fields, number: number) => messages(fields, number)[0] ?? Buffer.alloc(0);
const int = (fields: Fields, number: number) => Number(fields.get(number)?.[0] ?? 0n);

function valueOf(any: Buffer): unknown {
  const fields = fieldsOf(any);
  if (fields.has(1)) return bytes(fields, 1).toString();
  if (fields.has(2)) return int(fields, 2) === 1;
  if (fields.has(3)) return int(fields, 3);
  if (fields.has(4)) return bytes(fields, 4).readDoubleLE();
  return messages(fieldsOf(bytes(fields, 5)), 1).map(valueOf);
}

function attributesOf(pairs: readonly Buffer[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(fieldsOf).map((pair) => [bytes(pair, 1).toString(), valueOf(bytes(pair, 2))]),
  );
}

function spansOf(request: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const { [1]: resource, [2]: scopes } = Object.fromEntries(fieldsOf(ofResource));
    const names = attributesOf(messages(fieldsOf(resource?.[0] as Buffer), 1));
    return ((scopes ?? []) as Buffer[])
      .flatMap((scope) => messages(fieldsOf(scope), 2))
      .map((message) => {
        const span = fieldsOf(message);
        return {
          service: String(names['service.name']),
          traceId: bytes(span, 1).toString('hex'),
          id: bytes(span, 2).toString('hex'),
          parent: bytes(span, 4).toString('hex'),
          name: bytes(span, 5).toString(),
          kind: int(span, 6),
          startNs: bytes(span, 7).readBigUInt64LE(),
          endNs: bytes(span, 8).readBigUInt64LE(),
          attributes: attributesOf(messages(span, 9)),
          events: messages(span, 11).map((event) => bytes(fieldsOf(event), 2).toString()),
          status: int(fieldsOf(bytes(span, 15)), 3),
        };
      });
  });
}

export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** The bodies of all requests, and the headers of the last. */
  readonly bodies: Buffer[] = [];
  headers: IncomingHttpHeaders = {};
  /** What requests are answered with. Null: not at all. */
  status: number | null = 200;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace. */
  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    this.headers = request.headers;
    this.bodies.push(body);
    if (this.status === 200 && request.url === '/v1/traces') this.spans.push(...spansOf(body));
    if (this.status !== null) response.writeHead(this.status).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
