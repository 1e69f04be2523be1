/**
 * The authentication of an agent: hello, challenge, proof. An Ed25519 key identifies an agent. A
 * new agent sends a join token, which enrols the agent's key. A token enrols the first key that it
 * comes with, and no other.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import { Challenge, CLOSE, Hello, Proof, proofText } from '../../shared/wire/messages.ts';
import type { ProtocolVersion } from '../../shared/wire/protocol.ts';
import { greetingLimits } from './greeting-limits.ts';
import type { Greeting } from './greetings.ts';
import type { AgentIdentity } from './session.ts';

/** Why a greeting ended: the agent has another link to this router. */
export const SERVED_ALREADY = 'the agent has another link to this router';

export type KnownAgent = Readonly<{ agent: AgentId; name: string; region: Region }>;

/** Why an agent is not enrolled, and the reason that it is told. */
const ENROLMENT_FAULTS = {
  key_revoked: 'this agent was revoked: enrol a new one, with a new data folder',
  no_token: 'this agent is not enrolled, and sent no join token',
  token_unknown: 'this agent is not enrolled: its join token is unknown',
  token_revoked: 'this agent is not enrolled: the agent of its join token was revoked',
  token_used: 'this agent is not enrolled: its join token was used by another key',
  token_expired: 'this agent is not enrolled: its join token has expired',
} as const;
export type EnrolmentFault = keyof typeof ENROLMENT_FAULTS;

/** An agent that has proven its key, and may not join. */
export class NotEnrolled extends Error {
  override name = 'NotEnrolled';
  readonly publicKey: string;

  constructor(publicKey: string, fault: EnrolmentFault) {
    super(ENROLMENT_FAULTS[fault]);
    this.publicKey = publicKey;
  }
}

/** The store's records of agents. `find` and `join` resolve to null when the agent may not join. */
export interface AgentRegistry {
  /** Finds the enrolled agent with this public key. */
  find(publicKey: string): Promise<KnownAgent | null>;
  /** Binds a key to the agent of a join token. The same key may use the token again. */
  join(token: string, publicKey: string): Promise<KnownAgent | null>;
  /** Returns why this key, with this join token or without any, is not that of an enrolled agent. */
  faultOf(token: string | null, publicKey: string): Promise<EnrolmentFault>;
  /** The public keys of enrolled agents, at most `most`. */
  enrolledKeys(most: number): Promise<readonly string[]>;
  /** The agents of this list that have been revoked. */
  revoked(agents: readonly AgentId[]): Promise<readonly AgentId[]>;
  /** Records that these agents are connected now. */
  seen(agents: readonly AgentId[]): Promise<void>;
}

export type EnrolmentParts = Readonly<{
  registry: AgentRegistry;
  clock: Clock;
  random: Random;
  /** The incarnation id of this router, which the proof includes. */
  router: string;
}>;

export type EnrolmentTerms = Readonly<{
  /** That of the listener. */
  region: Region;
  greeting: Greeting;
  protocol: ProtocolVersion;
}>;

/**
 * Authenticates the agent on a new socket. Rejects with an Error whose message may be sent to the
 * agent: it contains no key and no token.
 */
export async function enrol(
  parts: EnrolmentParts,
  socket: WebSocket,
  { region, greeting, protocol }: EnrolmentTerms,
): Promise<AgentIdentity> {
  const inbox = messagesOf(socket, parts.clock);
  try {
    const hello = parse(Hello, await inbox.next());
    greeting.names(hello.publicKey);
    inbox.helloArrived();
    const challenge = Challenge.parse({
      type: 'challenge',
      nonce: Buffer.from(parts.random.bytes(24)).toString('base64url'),
      router: parts.router,
      region,
    });
    socket.send(JSON.stringify(challenge));
    const proof = parse(Proof, await inbox.next());
    const text = proofText(challenge, hello.boot, protocol);
    if (!(await isSigned(hello.publicKey, text, proof.signature))) {
      throw new Error('the signature does not match the public key');
    }
    if (!greeting.mayLookUp(hello.publicKey)) {
      throw new Error('too many agents that are not enrolled dial from your network: retry later');
    }
    const known =
      (await parts.registry.find(hello.publicKey)) ??
      (hello.join === null ? null : await parts.registry.join(hello.join, hello.publicKey));
    if (!known) {
      const fault = await parts.registry.faultOf(hello.join, hello.publicKey);
      throw new NotEnrolled(hello.publicKey, fault);
    }
    const { version, boot, publicKey } = hello;
    return { ...known, version, boot, publicKey, protocol };
  } finally {
    inbox.close();
  }
}

/** Verifies off the event loop: a thousand agents may reconnect at once. */
const verifyAside = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify);

async function isSigned(publicKey: string, text: string, signature: string): Promise<boolean> {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return await verifyAside(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function parse<T>(schema: z.ZodType<T>, data: Buffer): T {
  try {
    return schema.parse(JSON.parse(data.toString('utf8')));
  } catch {
    throw new Error('a message does not parse');
  }
}

type Inbox = Readonly<{ next(): Promise<Buffer>; helloArrived(): void; close(): void }>;

/**
 * The messages of a socket, one at a time. Fails when the first does not come within `helloMsMax`,
 * or the handshake takes longer than `linkHandshakeMsMax`.
 */
function messagesOf(socket: WebSocket, clock: Clock): Inbox {
  const arrived: Buffer[] = [];
  let waiting: { resolve(data: Buffer): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;

  const fail = (message: string) => {
    failure ??= new Error(message);
    waiting?.reject(failure);
    waiting = null;
  };
  const receive = (data: RawData, binary: boolean) => {
    if (binary || arrived.length > 1) return fail('unexpected message');
    if (!waiting) return void arrived.push(data as Buffer);
    waiting.resolve(data as Buffer);
    waiting = null;
  };
  const left = (code: number) => fail(code === CLOSE.refused ? SERVED_ALREADY : 'the agent left');
  const timer = clock.after(limits.linkHandshakeMsMax, () => fail('the handshake took too long'));
  const hello = clock.after(greetingLimits.helloMsMax, () => fail('there was no hello in time'));
  socket.on('message', receive);
  socket.on('close', left);

  return {
    next: () =>
      new Promise((resolve, reject) => {
        const first = arrived.shift();
        if (first) resolve(first);
        else if (failure) reject(failure);
        else waiting = { resolve, reject };
      }),
    helloArrived: () => hello.cancel(),
    close() {
      timer.cancel();
      hello.cancel();
      socket.off('message', receive);
      socket.off('close', left);
    },
  };
}
