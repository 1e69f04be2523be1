/**
 * The violations of the link's protocol that the test commits, each as one function: some before
 * the router has sent its welcome, some after.
 */
import type { Random } from '../../shared/random.ts';
import { HEADER_BYTES, KIND } from '../../shared/wire/frames.ts';
import { idleEngine, newAgentKey } from '../router/control/dialing-agent.ts';
import { helloOf, OPCODE, type RawPeer, stranger } from './raw-peer.ts';

type Act = (peer: RawPeer, random: Random) => void;

const PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;
const FRAGMENTS = 100_000;

/**
 * Acts of any peer, welcome or not: bytes that are no WebSocket frames, or no frames of our
 * protocol.
 */
export const BAD_FRAMES: Readonly<Record<string, Act>> = {
  'bytes that are no frames': (peer, random) => {
    // The first byte has the FIN bit and an opcode that does not exist.
    peer.socket.write(Buffer.concat([Buffer.of(0x8f), random.bytes(4_000)]));
  },
  'an opcode that does not exist': (peer) => peer.frame(5, 'hello'),
  'reserved bits, as of compression': (peer, random) =>
    peer.frame(OPCODE.text, random.bytes(100), { reserved: 4 }),
  'a frame without a mask': (peer) => peer.frame(OPCODE.text, '{}', { masked: false }),
  'a length of 2^63': (peer) => peer.frame(OPCODE.binary, 'x', { claims: 1n << 63n }),
  'a message that claims to be too large': (peer) =>
    peer.frame(OPCODE.binary, 'x', { claims: BigInt(PAYLOAD_BYTES_MAX) + 1n }),
  'fragments that add up to more than a message may have': (peer) => {
    const piece = Buffer.alloc(256 * 1024);
    for (let sent = 0; sent <= PAYLOAD_BYTES_MAX; sent += piece.length) {
      peer.frame(sent === 0 ? OPCODE.binary : OPCODE.more, piece, { final: false });
    }
  },
  'a hundred thousand fragments of a byte': (peer) => {
    peer.frame(OPCODE.text, 'x', { final: false });
    // The bytes on the wire: no FIN bit, opcode 0 (continuation), one payload byte, and a mask of
    // zeros.
    const one = Buffer.of(0x00, 0x81, 0, 0, 0, 0, 0x78);
    peer.socket.write(Buffer.concat(Array.from({ length: FRAGMENTS }, () => one)));
  },
  'a continuation of nothing': (peer) => peer.frame(OPCODE.more, 'hello'),
  'a message within another': (peer) => {
    peer.frame(OPCODE.text, '{', { final: false });
    peer.frame(OPCODE.text, '}');
  },
  'text that is no UTF-8': (peer) => peer.frame(OPCODE.text, Uint8Array.of(0xc3, 0x28, 0xff)),
  'a ping that is too long': (peer) => peer.frame(OPCODE.ping, Buffer.alloc(200)),
  'a ping in pieces': (peer) => peer.frame(OPCODE.ping, 'x', { final: false }),
  'a close with a code that does not exist': (peer) =>
    peer.frame(OPCODE.close, Uint8Array.of(0x00, 0x01)),
  'text that is no JSON': (peer) => peer.text('{"type":"load","workers":'),
  'JSON that is no message': (peer) => peer.text('[1,2,3]'),
  'a number': (peer) => peer.text('NaN'),
  'a message of an unknown kind': (peer) => peer.text({ type: 'pay', amount: 1 }),
  'JSON of a hundred thousand levels': (peer) => peer.text('['.repeat(100_000)),
  'keys that objects inherit': (peer) =>
    peer.text('{"__proto__":{"type":"load"},"constructor":{"prototype":{"type":"load"}}}'),
};

/** Acts of a peer that has not yet proven its identity. */
export const BAD_GREETINGS: Readonly<Record<string, Act>> = {
  'a record before the greeting': (peer) => peer.binary(record({})),
  'a proof without a challenge': (peer) => peer.text({ type: 'proof', signature: 'eA==' }),
  'a load report of a stranger': (peer) => peer.text({ type: 'load', workers: [] }),
  'three greetings at once': (peer) => {
    for (let nth = 0; nth < 3; nth++) peer.text(stranger());
  },
  'a key that is none': (peer) => {
    peer.text(helloOf(newAgentKey(), { publicKey: 'A'.repeat(60) }));
    peer.text({ type: 'proof', signature: 'eA==' });
  },
  'a greeting of a megabyte': (peer) =>
    peer.text(helloOf(newAgentKey(), { boot: 'x'.repeat(1 << 20) })),
  'a signature of something else': (peer) => {
    peer.text(stranger());
    peer.text({ type: 'proof', signature: Buffer.alloc(64, 1).toString('base64') });
  },
};

/** Acts of a peer that has been welcomed. */
export const BAD_MESSAGES: Readonly<Record<string, Act>> = {
  'a second greeting': (peer) => peer.text(stranger()),
  'a record whose header is cut short': (peer) => peer.binary(record({}).subarray(0, 9)),
  'a record that is longer than its message': (peer) => peer.binary(record({ claims: 1_000 })),
  'a record of four gigabytes': (peer) => peer.binary(record({ claims: 0xffff_ffff })),
  'a record of an unknown kind': (peer) => peer.binary(record({ kind: 99 })),
  'records of no kind at all': (peer) => peer.binary(Buffer.alloc(HEADER_BYTES * 3)),
  'a good record and a bad one': (peer) =>
    peer.binary(Buffer.concat([record({}), record({ kind: 0 })])),
  'random records': (peer, random) =>
    peer.binary(Buffer.concat([random.bytes(4), Buffer.of(77), random.bytes(4_000)])),
  'minus one running': (peer) => peer.text(report({ running: -1 })),
  'half a request waiting': (peer) => peer.text(report({ waiting: 0.5 })),
  'more KV use than there is': (peer) => peer.text(report({ kvUse: 1.01 })),
  'KV use below nothing': (peer) => peer.text(report({ kvUse: -1e-9 })),
  'a figure that is not a number': (peer) =>
    peer.text(JSON.stringify(report({ kvUse: 7 })).replace('"kvUse":7', '"kvUse":NaN')),
  'a figure without end': (peer) =>
    peer.text(JSON.stringify(report({ running: 7 })).replace('"running":7', '"running":1e999')),
  'a count beyond every whole number': (peer) => peer.text(report({ prefixHitTokens: 1e300 })),
  'no slots': (peer) => peer.text(report({ slots: 0 })),
  'a phase that does not exist': (peer) => peer.text(report({ phase: 'gone' })),
  'a name of a megabyte': (peer) => peer.text(report({ worker: 'x'.repeat(1 << 20) })),
  'a name with a NUL': (peer) => peer.text(report({ worker: 'a\0b' })),
  'a thousand engines': (peer) =>
    peer.text({
      type: 'load',
      workers: Array.from({ length: 1_000 }, (_, nth) => ({ ...idleEngine(`engine-${nth}`) })),
    }),
  'a thousand and one models': (peer) =>
    peer.text(report({ models: Array.from({ length: 1_025 }, (_, nth) => `model-${nth}`) })),
  'body bytes that were never sent': (peer) => peer.text({ type: 'ack', bytes: 1 }),
  'minus a body': (peer) => peer.text({ type: 'ack', bytes: -1 }),
  'a refusal of stream zero': (peer) => peer.text({ type: 'refused', stream: 0, reason: 'busy' }),
  'a refusal for no reason': (peer) => peer.text({ type: 'refused', stream: 1, reason: 'because' }),
  'an echo of a broken hash': (peer) =>
    peer.text({
      type: 'echo',
      worker: 'x',
      events: [
        {
          at: 'dispatched',
          from: 'r',
          stream: 1,
          chunks: '***',
          promptTokens: 1,
          uncachedTokens: 1,
        },
      ],
    }),
  'an echo of two thousand dispatches': (peer) =>
    peer.text({
      type: 'echo',
      worker: 'x',
      events: Array.from({ length: 2_000 }, () => ({ at: 'over', from: 'r', stream: 1 })),
    }),
};

/**
 * Unusual messages that must not end a session: an agent that has not yet seen a cancel sends the
 * same.
 */
export const ODD_MESSAGES: Readonly<Record<string, Act>> = {
  'records of streams that nobody opened': (peer) => {
    for (let stream = 1; stream < 2_000; stream++) {
      peer.binary(record({ stream: stream * 1_000, kind: KIND.content }));
    }
  },
  'ends of streams that nobody opened': (peer) =>
    peer.binary(record({ stream: 0xffff_ffff, kind: KIND.end })),
  'refusals of streams that nobody opened': (peer) => {
    for (let stream = 1; stream < 2_000; stream++) {
      peer.text({ type: 'refused', stream: stream + 1e6, reason: 'busy' });
    }
  },
  'an echo of a worker that nobody knows': (peer) =>
    peer.text({ type: 'echo', worker: 'x', events: [{ at: 'over', from: 'r', stream: 1 }] }),
  'two thousand reports in a row': (peer) => {
    for (let nth = 0; nth < 2_000; nth++) peer.text(report({ running: nth }));
  },
  'a message without records': (peer) => peer.binary(new Uint8Array(0)),
  'a drain of a worker that is not there': (peer) => peer.text({ type: 'drain', worker: 'x' }),
};

function report(more: object): object {
  return { type: 'load', workers: [{ ...idleEngine('fuzzed'), models: [], ...more }] };
}

function record(of: Partial<{ stream: number; kind: number; claims: number }>): Buffer {
  const { stream = 1, kind = KIND.content, claims } = of;
  const bytes = Buffer.from('hello');
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt32LE(stream, 0);
  head.writeUInt8(kind, 4);
  head.writeUInt32LE(claims ?? bytes.length, 13);
  return Buffer.concat([head, bytes]);
}

/** A valid message that is cut, lengthened or changed at a random place. */
export const mutated: Act = (peer, random) => {
  const good = [
    JSON.stringify(report({})),
    JSON.stringify({ type: 'ack', bytes: 0 }),
    JSON.stringify({ type: 'refused', stream: 77, reason: 'busy' }),
    JSON.stringify({ type: 'drain', worker: null }),
    record({}),
    Buffer.concat([record({ stream: 9 }), record({ stream: 10, kind: KIND.end })]),
  ];
  const chosen = good[random.below(good.length)] ?? '';
  const bytes = Buffer.from(chosen as string);
  for (let change = random.below(4); change >= 0; change--) {
    bytes[random.below(bytes.length)] = random.below(256);
  }
  const cut = random.below(3) === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes;
  peer.frame(typeof chosen === 'string' ? OPCODE.text : OPCODE.binary, cut);
};
