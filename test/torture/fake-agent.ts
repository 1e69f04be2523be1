/**
 * An agent under the test's control. It enrols and dials like a real agent, and then sends whatever
 * the test specifies.
 */
import { sign } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { escaped } from '../../shared/wire/escaped.ts';
import { type Kind, KIND, RecordBatch } from '../../shared/wire/frames.ts';
import { AGENT_KEY_HEADER, type Open, proofText } from '../../shared/wire/messages.ts';
import { PROTOCOL_VERSIONS, SUBPROTOCOLS } from '../../shared/wire/protocol.ts';
import { type AgentKey, idleEngine } from '../router/control/dialing-agent.ts';

export const LIAR = 'liar';

export class FakeAgent implements Disposable {
  readonly socket: WebSocket;
  /** What the agent does with a request. */
  onOpen: (open: Open, agent: FakeAgent) => void = () => {};
  onGrant: (stream: number, tokens: number) => void = () => {};
  readonly #model: string;
  readonly #batch = new RecordBatch();

  private constructor(socket: WebSocket, model: string) {
    this.socket = socket;
    this.#model = model;
  }

  /**
   * Dials and proves its identity. Rejects with the router's reason if the router does not let it
   * in.
   */
  static async dial(
    origin: string,
    of: Readonly<{ key: AgentKey; join: string | null; model: string; boot?: string }>,
  ): Promise<FakeAgent> {
    const { key, join, model, boot = 'boot-of-a-liar' } = of;
    const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/agent`, [...SUBPROTOCOLS], {
      headers: { [AGENT_KEY_HEADER]: key.publicKey },
    });
    const agent = new FakeAgent(socket, model);
    const welcome = agent.#follow(key, boot);
    // The promise may reject before anybody awaits it.
    welcome.catch(() => {});
    await once(socket, 'open');
    agent.send({ type: 'hello', version: 'fake', publicKey: key.publicKey, boot, join });
    await welcome;
    agent.report();
    return agent;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Reports that its one engine is idle and ready. */
  report(more: object = {}): void {
    const worker = { ...idleEngine(LIAR), models: [this.#model], ...more };
    this.send({ type: 'load', workers: [worker] });
  }

  /** Sends a piece of an answer's text, with the token counts that the agent claims. */
  content(stream: number, prompt: number, completion: number, text: string): void {
    this.record(stream, KIND.content, prompt, completion, escaped(text));
  }

  /** Sends the end of an answer, given as an object or as the exact text to send. */
  end(stream: number, prompt: number, completion: number, end: object | string = {}): void {
    const finished = {
      outcome: 'finished',
      finish: 'stop',
      cut: false,
      cached: 0,
      reasoning: null,
    };
    const text = typeof end === 'string' ? end : JSON.stringify({ ...finished, ...end });
    this.record(stream, KIND.end, prompt, completion, text);
  }

  record(stream: number, kind: number, prompt: number, completion: number, text: string): void {
    this.#batch.addText(stream, kind as Kind, prompt, completion, text);
    this.socket.send(this.#batch.take());
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }

  /** The agent lies to clients only. It answers the router's probes as expected. */
  #open(open: Open): void {
    if (open.request.startsWith('probe-')) this.end(open.stream, 12, 1, { finish: 'length' });
    else this.onOpen(open, this);
  }

  #follow(key: AgentKey, boot: string): Promise<void> {
    const welcome = Promise.withResolvers<void>();
    this.socket.on('message', (data, binary) => {
      if (binary) return;
      const message = JSON.parse((data as Buffer).toString('utf8')) as { type: string };
      switch (message.type) {
        case 'challenge': {
          const challenge = message as Parameters<typeof proofText>[0];
          const text = proofText(challenge, boot, PROTOCOL_VERSIONS[0]);
          const signature = sign(null, Buffer.from(text), key.privateKey).toString('base64');
          return this.send({ type: 'proof', signature });
        }
        case 'welcome':
          return welcome.resolve();
        case 'open':
          return this.#open(message as unknown as Open);
        case 'grant': {
          const { stream, tokens } = message as unknown as { stream: number; tokens: number };
          return this.onGrant(stream, tokens);
        }
      }
    });
    this.socket.on('error', () => {});
    this.socket.on('close', (_code, reason) => {
      welcome.reject(new Error(`the router closed the link: ${reason.toString()}`));
    });
    return welcome.promise;
  }
}
