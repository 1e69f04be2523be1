/** What hostile clients do. Each act uses its own connection, or a few. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../shared/random.ts';
import { BAD_FRAMES, BAD_GREETINGS } from '../bad-manners.ts';
import { RawPeer, stranger } from '../raw-peer.ts';
import { corpus } from '../smuggling.ts';
import { bombs } from './bodies.ts';
import { postHead, Visitor } from './visitor.ts';

/** The targets of the hostile clients, and their keys. */
export type Prey = Readonly<{
  origin: string;
  /** Keys of an organization without credit, of one with a cent, and of one that pays. */
  keys: Readonly<{ broke: string; poor: string; paying: string }>;
  /** `model` is served by honest hosts, `roguesModel` by rogue hosts alone. */
  model: string;
  roguesModel: string;
}>;

export type Client = Readonly<{ prey: Prey; from: string; random: Random }>;

type Act = (client: Client) => Promise<void>;

const CHAT = '/v1/chat/completions';
const SIGN_IN = '/api/v1/sign-in';
/** How long a client waits for an answer before it goes on to the next misdeed. */
const ANSWER_MS = 10_000;
const ONE_BYTE_CHUNKS = 500_000;
const ONE_BYTE = Buffer.from('1\r\nx\r\n'.repeat(ONE_BYTE_CHUNKS));

export function clientActs(prey: Prey): Readonly<Record<string, Act>> {
  const acts: Record<string, Act> = { ...READERS, ...SENDERS, ...STRANGERS };
  for (const [name, body] of Object.entries(bombs(prey.model))) {
    acts[`a bomb: ${name}`] = (client) => sendBody(client, body());
  }
  const smuggled = corpus(prey.keys.broke);
  for (const [name, text] of Object.entries({ ...smuggled.refused, ...smuggled.one })) {
    acts[`smuggling: ${name}`] = (client) => sendRaw(client, text);
  }
  return acts;
}

const SENDERS: Readonly<Record<string, Act>> = {
  'chunks of a byte, with a key': (client) => drip(client, CHAT, keyOf(client)),
  'chunks of a byte to the sign-in': (client) => drip(client, SIGN_IN, null),
  'chunks of a byte to the webhook': (client) => drip(client, '/api/v1/webhooks/stripe', null),
  'chunks of a byte behind a preflight': (client) =>
    dripBehind(client, 'OPTIONS /v1/models', 'Host: a\r\nAccess-Control-Request-Method: GET'),
  'chunks of a byte behind a list of models': (client) =>
    dripBehind(client, 'GET /v1/models', `Host: a\r\nAuthorization: Bearer ${keyOf(client)}`),
  'chunks of a byte to a Host that is not ours': (client) =>
    dripBehind(client, `POST ${SIGN_IN}`, 'Host: elsewhere.example'),
  'half a body of 30 MiB': (client) => halfBody(client, CHAT, 30 * 1024 * 1024),
  'half a sign-in': (client) => halfBody(client, SIGN_IN, 1_000),
  'more than a body may have': (client) => halfBody(client, CHAT, 2 ** 40),
  'a head that never ends': async ({ prey, from }) => {
    using visitor = new Visitor(prey.origin, from);
    await visitor.send('POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n');
    for (let line = 0; line < 20 && !visitor.isGone; line++) {
      await visitor.send(`X-${line}: y\r\n`);
      await pause(500);
    }
  },
  'a head of a megabyte': (client) =>
    sendRaw(client, `GET /v1/models HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(1 << 20)}\r\n\r\n`),
  'ten thousand headers': (client) =>
    sendRaw(client, `GET /v1/models HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(10_000)}\r\n`),
  'a connection that says nothing': async ({ prey, from }) => {
    using visitor = new Visitor(prey.origin, from);
    await visitor.gone(ANSWER_MS);
  },
  'a hundred keys that nobody has': async (client) => {
    const { random } = client;
    for (let nth = 0; nth < 100; nth++) {
      const key = `sk-penstock-infapi-${Buffer.from(random.bytes(24)).toString('hex')}`;
      await ask(client, key, 'hello', 10, (visitor) => visitor.heard(ANSWER_MS));
    }
  },
  'a sign-in with a wrong password': async ({ prey, from }) => {
    using visitor = new Visitor(prey.origin, from);
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong wrong wrong' });
    await visitor.send(postHead(SIGN_IN, null, body.length) + body);
    await visitor.heard(ANSWER_MS);
  },
};

const READERS: Readonly<Record<string, Act>> = {
  'a reader who does not read': (client) =>
    ask(client, client.prey.keys.paying, 'Write exactly 4000 tokens.', 4_000, async (visitor) => {
      visitor.socket.pause();
      await visitor.gone(20_000);
    }),
  'a reader who reads a little': (client) =>
    ask(client, client.prey.keys.paying, 'Write exactly 4000 tokens.', 4_000, async (visitor) => {
      for (let second = 0; second < 20 && !visitor.isGone; second++) {
        visitor.socket.pause();
        await pause(1_000);
        visitor.socket.resume();
        await visitor.gone(1);
      }
    }),
  'a client that leaves before the first token': (client) =>
    ask(client, client.prey.keys.paying, 'Write exactly 500 tokens.', 500, (visitor) =>
      visitor.gone(client.random.below(20)),
    ),
  'a client that leaves in the middle': (client) =>
    ask(client, client.prey.keys.paying, 'Write exactly 500 tokens.', 500, async (visitor) => {
      await visitor.heard(ANSWER_MS);
      await visitor.gone(client.random.below(1_000));
    }),
  'a client with a cent': (client) =>
    ask(client, client.prey.keys.poor, 'Write exactly 4000 tokens.', 4_000, (visitor) =>
      visitor.gone(ANSWER_MS),
    ),
  'a prompt that is larger than it looks': (client) =>
    ask(client, client.prey.keys.poor, '\u{1f9ff}'.repeat(20_000), 4_000, (visitor) =>
      visitor.gone(ANSWER_MS),
    ),
  'a customer of the rogue hosts': (client) =>
    ask(
      client,
      client.prey.keys.paying,
      'What is true?',
      50,
      (visitor) => visitor.gone(5_000),
      client.prey.roguesModel,
    ),
};

const STRANGERS: Readonly<Record<string, Act>> = {
  'links of strangers that wait': async ({ prey, from }) => {
    using stack = new DisposableStack();
    for (let nth = 0; nth < 30; nth++) {
      const peer = await RawPeer.dial(prey.origin, from).catch(() => null);
      if (peer) stack.use(peer).text(stranger());
    }
    await pause(5_000);
  },
  'links that say nothing': async ({ prey, from }) => {
    using stack = new DisposableStack();
    for (let nth = 0; nth < 30; nth++) {
      const peer = await RawPeer.dial(prey.origin, from).catch(() => null);
      if (peer) stack.use(peer);
    }
    await pause(5_000);
  },
  'a stranger with bad manners': async ({ prey, from, random }) => {
    const manners = Object.values({ ...BAD_FRAMES, ...BAD_GREETINGS });
    using peer = await RawPeer.dial(prey.origin, from);
    manners[random.below(manners.length)]?.(peer, random);
    await Promise.race([peer.closed, pause(2_000)]);
  },
};

function keyOf({ prey, random }: Client): string {
  const keys = Object.values(prey.keys);
  return keys[random.below(keys.length)] ?? prey.keys.broke;
}

/** Requests a stream, then runs `then` on the connection. */
async function ask(
  { prey, from }: Client,
  key: string,
  prompt: string,
  maxTokens: number,
  then: (visitor: Visitor) => Promise<void>,
  model = prey.model,
): Promise<void> {
  const messages = [{ role: 'user', content: prompt }];
  const body = Buffer.from(
    JSON.stringify({ model, messages, max_tokens: maxTokens, stream: true }),
  );
  using visitor = new Visitor(prey.origin, from);
  await visitor.send(postHead(CHAT, key, body.length));
  await visitor.send(body);
  await then(visitor);
}

async function sendBody(client: Client, body: Buffer): Promise<void> {
  using visitor = new Visitor(client.prey.origin, client.from);
  await visitor.send(postHead(CHAT, keyOf(client), body.length));
  await visitor.send(body);
  await visitor.heard(ANSWER_MS);
}

async function sendRaw({ prey, from }: Client, text: string): Promise<void> {
  using visitor = new Visitor(prey.origin, from);
  await visitor.send(text);
  await visitor.gone(2_000);
}

async function drip({ prey, from }: Client, path: string, key: string | null): Promise<void> {
  using visitor = new Visitor(prey.origin, from);
  await visitor.send(postHead(path, key, 'chunked'));
  await visitor.send(ONE_BYTE);
  await visitor.heard(ANSWER_MS);
}

/** Sends a body of one-byte chunks after a request that is answered without its body. */
async function dripBehind({ prey, from }: Client, line: string, headers: string): Promise<void> {
  using visitor = new Visitor(prey.origin, from);
  await visitor.send(`${line} HTTP/1.1\r\n${headers}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let nth = 0; nth < 5 && !visitor.isGone; nth++) await visitor.send(ONE_BYTE);
}

async function halfBody(client: Client, path: string, length: number): Promise<void> {
  const { prey, from, random } = client;
  using visitor = new Visitor(prey.origin, from);
  await visitor.send(postHead(path, path === CHAT ? keyOf(client) : null, length));
  await visitor.send('{"model":"x",');
  await visitor.gone(5_000 + random.below(15_000));
}
