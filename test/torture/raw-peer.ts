/** A WebSocket client that writes its frames by hand, so that it can write invalid ones. */
import { sign } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { proofText } from '../../shared/wire/messages.ts';
import { PROTOCOL_VERSIONS, SUBPROTOCOLS } from '../../shared/wire/protocol.ts';
import { type AgentKey, newAgentKey } from '../router/control/dialing-agent.ts';

export const OPCODE = { more: 0, text: 1, binary: 2, close: 8, ping: 9 } as const;

type FrameOptions = Readonly<{
  final?: boolean;
  /** The reserved bits (RSV1 to RSV3) of the first byte. */
  reserved?: number;
  masked?: boolean;
  /** The length in the header, if it is to differ from the true one. */
  claims?: bigint;
}>;

export class RawPeer implements Disposable {
  readonly socket: Socket;
  /** Resolves with the time at which the router closed the connection. */
  readonly closed: Promise<number>;
  #received = Buffer.alloc(0);
  #more = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    // A half-close counts as closed.
    socket.on('end', () => socket.destroy());
    // Not `once`, which would reject on an `error` that comes before `close`.
    this.closed = new Promise((resolve) => {
      socket.on('close', () => resolve(performance.now()));
    });
    socket.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data]);
      this.#more.resolve();
    });
    socket.on('close', () => this.#more.reject(new Error('the router closed the connection')));
    this.#more.promise.catch(() => {});
  }

  /**
   * Dials, from a local address if one is given, and upgrades to WebSocket. Sends no message yet.
   */
  static async dial(origin: string, from?: string): Promise<RawPeer> {
    const { hostname, port } = new URL(origin);
    const to = { host: hostname, port: Number(port), noDelay: true };
    const socket = connect(from === undefined ? to : { ...to, localAddress: from });
    const peer = new RawPeer(socket);
    await once(socket, 'connect');
    socket.write(
      `GET /agent HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Protocol: ${SUBPROTOCOLS.join()}\r\n\r\n`,
    );
    await peer.#until(() => {
      const end = peer.#received.indexOf('\r\n\r\n');
      if (end < 0) return null;
      peer.#received = peer.#received.subarray(end + 4);
      return true;
    });
    return peer;
  }

  /** Completes the handshake up to the router's welcome. */
  async join(key: AgentKey, token: string): Promise<void> {
    const boot = 'boot-of-a-fuzzer';
    this.text(helloOf(key, { join: token, boot }));
    const challenge = (await this.#message()) as Parameters<typeof proofText>[0];
    const signature = sign(
      null,
      Buffer.from(proofText(challenge, boot, PROTOCOL_VERSIONS[0])),
      key.privateKey,
    );
    this.text({ type: 'proof', signature: signature.toString('base64') });
    await this.#message();
  }

  text(message: object | string): void {
    this.frame(OPCODE.text, typeof message === 'string' ? message : JSON.stringify(message));
  }

  binary(bytes: Uint8Array): void {
    this.frame(OPCODE.binary, bytes);
  }

  frame(opcode: number, payload: Uint8Array | string, options: FrameOptions = {}): void {
    const { final = true, reserved = 0, masked = true, claims } = options;
    const body = Buffer.from(payload as string);
    const length = claims ?? BigInt(body.length);
    const head = Buffer.alloc(14);
    head[0] = (final ? 0x80 : 0) | (reserved << 4) | opcode;
    const mask = masked ? 0x80 : 0;
    let at = 2;
    if (length < 126n) head[1] = mask | Number(length);
    else if (length < 65_536n) {
      head[1] = mask | 126;
      at = head.writeUInt16BE(Number(length), 2);
    } else {
      head[1] = mask | 127;
      at = head.writeBigUInt64BE(length, 2);
    }
    // A mask of zeros leaves the payload unchanged.
    this.socket.write(Buffer.concat([head.subarray(0, masked ? at + 4 : at), body]));
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  async #until<T>(look: () => T | null): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== null) return found;
      await this.#more.promise;
      if (!this.socket.destroyed) this.#more = Promise.withResolvers();
      this.#more.promise.catch(() => {});
    }
  }

  /** Returns the next text message and skips any other frame. */
  #message(): Promise<unknown> {
    return this.#until(() => {
      for (;;) {
        const frame = takeFrame(this.#received);
        if (!frame) return null;
        this.#received = this.#received.subarray(frame.end);
        if (frame.opcode === OPCODE.text) return JSON.parse(frame.payload.toString()) as unknown;
        if (frame.opcode === OPCODE.close) throw new Error(frame.payload.subarray(2).toString());
      }
    });
  }
}

export function helloOf(key: AgentKey, more: object = {}): object {
  const { publicKey } = key;
  return { type: 'hello', version: 'fuzz', publicKey, boot: 'boot-of-none', join: null, ...more };
}

export function stranger(): object {
  return helloOf(newAgentKey());
}

/** Parses a frame as servers send it, unmasked. */
function takeFrame(bytes: Buffer): { opcode: number; payload: Buffer; end: number } | null {
  if (bytes.length < 2) return null;
  const opcode = (bytes[0] as number) & 15;
  let length = bytes[1] as number;
  let at = 2;
  if (length === 126) {
    if (bytes.length < 4) return null;
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return null;
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  const end = at + length;
  return bytes.length < end ? null : { opcode, payload: bytes.subarray(at, end), end };
}
