/**
 * An agent's end of a link, driven by the test: it dials, proves its key, and sends what the test
 * has it send.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { AGENT_KEY_HEADER, proofText, type WorkerLoad } from '../../../shared/wire/messages.ts';
import { PROTOCOL_VERSIONS, SUBPROTOCOLS } from '../../../shared/wire/protocol.ts';

export type AgentKey = Readonly<{ publicKey: string; privateKey: KeyObject }>;

export function newAgentKey(): AgentKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { publicKey: der.toString('base64'), privateKey };
}

/** An idle engine, as an agent reports it. */
export function idleEngine(worker: string): WorkerLoad {
  return {
    worker,
    engine: 'vllm 0.11',
    phase: 'ready',
    models: ['qwen/qwen3.5-397b-a17b'],
    runningUsage: true,
    running: 0,
    waiting: 0,
    slots: 64,
    kvUse: 0,
    prefixHitTokens: 0,
    prefixQueryTokens: 0,
    boot: 'engine-1',
    salted: true,
    kvTokens: null,
    gpus: [],
    notes: [],
    lastStream: 0,
  };
}

export class DialingAgent implements Disposable {
  /** Resolves with the code and reason when the router closes the link. */
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  readonly #inbox: AsyncIterator<unknown[]>;

  private constructor(socket: WebSocket, inbox: AsyncIterator<unknown[]>) {
    this.#socket = socket;
    this.#inbox = inbox;
    this.closed = once(socket, 'close').then(([code, reason]) => ({
      code: Number(code),
      reason: String(reason),
    }));
  }

  /** Resolves when the agent is welcome. Rejects with the router's reason if it may not join. */
  static async dial(
    origin: string,
    key: AgentKey,
    join: string | null,
    offered: readonly string[] = SUBPROTOCOLS,
  ): Promise<DialingAgent> {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/agent`, [...offered], {
      headers: { [AGENT_KEY_HEADER]: key.publicKey },
    });
    const inbox = iterate(socket);
    const agent = new DialingAgent(socket, inbox);
    await once(socket, 'open');
    const boot = 'boot-of-a-test';
    const { publicKey, privateKey } = key;
    agent.send({ type: 'hello', version: 'test', publicKey, boot, join });
    const challenge = (await agent.next()) as Parameters<typeof proofText>[0];
    const signature = sign(
      null,
      Buffer.from(proofText(challenge, boot, PROTOCOL_VERSIONS[0])),
      privateKey,
    );
    agent.send({ type: 'proof', signature: signature.toString('base64') });
    const first = await Promise.race([agent.next(), agent.closed]);
    if ('reason' in first) throw new Error(String(first.reason));
    return agent;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  async next(): Promise<Record<string, unknown>> {
    const { value } = await this.#inbox.next();
    return JSON.parse(String(value?.[0])) as Record<string, unknown>;
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }
}

/** Queues every message from the first on, so that none is missed between two calls of `next`. */
function iterate(socket: WebSocket): AsyncIterator<unknown[]> {
  const arrived: unknown[][] = [];
  let wake: (() => void) | null = null;
  socket.on('message', (data) => {
    arrived.push([data]);
    wake?.();
  });
  return {
    async next() {
      while (arrived.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return { done: false, value: arrived.shift() as unknown[] };
    },
  };
}
