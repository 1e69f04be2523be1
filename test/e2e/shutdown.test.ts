/** No client or agent can keep a router from stopping. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readStream } from '../support/sse.ts';
import { Up } from '../support/up.ts';
import { SUBPROTOCOLS } from '../../shared/wire/protocol.ts';

test('half a body, a silent link and an idle connection do not keep it, and a stream ends whole', async () => {
  await using up = await Up.start();
  const { hostname, port } = new URL(up.origin);
  const say = (text: string) =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(text, resolve));
      socket.on('error', () => {});
    });
  await say(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${up.first.api_key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"model":',
  );
  await say('GET /v1/mod');
  await say('');
  const link = new WebSocket(`${up.origin.replace('http', 'ws')}/agent`, [...SUBPROTOCOLS]);
  await new Promise((open) => link.on('open', open));
  link.on('error', () => {});

  const stream = await up.post('/chat/completions', {
    model: 'qwen/qwen3-235b-a22b-instruct-2507',
    messages: [{ role: 'user', content: 'Write exactly 150 tokens.' }],
    stream: true,
  });
  const reading = readStream(stream);
  const started = performance.now();
  const stopped = up.stop();
  expect((await reading).done).toBe(true);
  expect(await stopped).toBe(0);
  expect(performance.now() - started).toBeLessThan(20_000);
});
