import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Session } from '../../../../router/dashboard/api/playground.ts';
import {
  afterEvent,
  type Answer,
  type AnswerEvent,
  IDLE,
} from '../../../../router/dashboard/pages/playground/answer.ts';
import { DataPlane } from '../../../../router/dashboard/pages/playground/data-plane.ts';
import type { Body } from '../../../../router/dashboard/pages/playground/request.ts';
import { TextBuffer } from '../../../../router/dashboard/pages/playground/text-buffer.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A data plane whose answers the test controls, and a count of the requests for sessions. */
async function rig(serve: Serve, expiresMs = 900_000) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  let opened = 0;
  const plane = new DataPlane(async (): Promise<Session> => {
    opened += 1;
    return {
      id: `key_${opened}`,
      key: `key-${opened}`,
      expires: new Date(Date.now() + expiresMs).toISOString(),
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    };
  });
  const heard: AnswerEvent[] = [];
  const ask = async (controller = new AbortController()) => {
    let answer: Answer = IDLE;
    const text = new TextBuffer();
    await plane.ask({ model: 'm' } as Body, {
      signal: controller.signal,
      text,
      thoughts: new TextBuffer(),
      hear: (event) => {
        heard.push(event);
        answer = afterEvent(answer, event);
        if (event.kind === 'wrote') controller.signal.dispatchEvent(new Event('wrote'));
      },
    });
    return { answer, text: text.text };
  };
  return {
    ask,
    heard,
    opened: () => opened,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const DELTA = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
const FINISH =
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
  response.end(JSON.stringify({ error: { message: `It is ${code}.`, code }, request_id: 'req_1' }));
}

test('answers share a session, and a whole answer is done', async () => {
  await using plane = await rig((_, response) => response.end(DELTA + FINISH));
  const [first, second] = await Promise.all([plane.ask(), plane.ask()]);
  expect([first, second]).toMatchObject([
    { answer: { phase: 'done' }, text: 'Hi' },
    { answer: { phase: 'done' }, text: 'Hi' },
  ]);
  expect(plane.opened()).toBe(1);
});

test('the time to the first token begins when the request is sent, not while its key is opened', async () => {
  await using plane = await rig((_, response) => response.end(DELTA + FINISH));
  await plane.ask();
  expect(plane.heard.map(({ kind }) => kind)).toEqual([
    'asked',
    'sent',
    'accepted',
    'wrote',
    'done',
  ]);
});

test('a session that is about to expire is renewed before it does', async () => {
  await using plane = await rig((_, response) => response.end(DELTA + FINISH), 30_000);
  await plane.ask();
  await plane.ask();
  expect(plane.opened()).toBe(2);
});

test('a key that is refused is renewed once, and the question asked again', async () => {
  await using plane = await rig(({ headers }, response) => {
    if (headers.authorization === 'Bearer key-1') refuse(response, 401, 'invalid_api_key');
    else response.end(DELTA + FINISH);
  });
  expect(await plane.ask()).toMatchObject({ answer: { phase: 'done' } });
  expect(plane.opened()).toBe(2);
});

test('a refusal that stays is told as it came', async () => {
  await using plane = await rig((_, response) => refuse(response, 401, 'wrong_region'));
  const { answer } = await plane.ask();
  expect(answer).toMatchObject({
    phase: 'failed',
    requestId: 'req_1',
    fault: { status: 401, code: 'wrong_region', message: 'It is wrong_region.' },
  });
  expect(plane.opened()).toBe(2);
});

test('a stream that breaks or ends early is cut, with what came before', async () => {
  await using broken = await rig((_, response) => {
    response.write(DELTA, () => response.destroy());
  });
  expect(await broken.ask()).toMatchObject({ answer: { phase: 'cut' }, text: 'Hi' });
  await using early = await rig((_, response) => response.end(DELTA));
  expect(await early.ask()).toMatchObject({ answer: { phase: 'cut' }, text: 'Hi' });
});

test('stopping ends the request, in the middle and before its first byte', async () => {
  await using flowing = await rig((_, response) => response.write(DELTA));
  const controller = new AbortController();
  controller.signal.addEventListener('wrote', () => controller.abort());
  expect(await flowing.ask(controller)).toMatchObject({ answer: { phase: 'stopped' } });

  const early = new AbortController();
  await using silent = await rig(() => early.abort());
  expect(await silent.ask(early)).toMatchObject({ answer: { phase: 'stopped' } });
});

test('a service that is not there is told of', async () => {
  const plane = await rig(() => {});
  await plane[Symbol.asyncDispose]();
  expect(await plane.ask()).toMatchObject({
    answer: { phase: 'failed', fault: { code: 'unreachable' } },
  });
});
