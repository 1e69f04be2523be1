/** Bodies that are parsed on real threads. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Api } from '../../../../router/request/api.ts';
import { BodyReaders, type ReadBody } from '../../../../router/request/reading/body-readers.ts';
import { isFault } from '../../../../router/request/reading/fault.ts';
import { readRequest } from '../../../../router/request/reading/read.ts';
import type { OrganizationId } from '../../../../shared/ids.ts';
import { limits } from '../../../../shared/limits.ts';
import { makeLog } from '../../../../shared/log.ts';
import { isRefusal, type Refusal } from '../../../../shared/refusals.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const log = makeLog('test', 'silent');
const A = 'org_a' as OrganizationId;
const B = 'org_b' as OrganizationId;

function ask(
  readers: BodyReaders,
  text: string | Uint8Array,
  organization = A,
  isWanted = true,
  api: Api = 'chat',
) {
  // Split into blocks, as they arrive from a socket.
  const bytes = Buffer.from(text);
  const blocks: Buffer<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += 100 * KIB) {
    const piece = bytes.subarray(at, at + 100 * KIB);
    const block = Buffer.allocUnsafeSlow(piece.length);
    block.set(piece);
    blocks.push(block);
  }
  const body = { blocks, api, salt: 'salt' } as const;
  return Promise.resolve(readers.read(body, { organization, isWanted: () => isWanted }));
}

function chat(fields: object, bytes: number): string {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hello.' }], ...fields };
  return JSON.stringify(body).padEnd(bytes);
}

const text = (bytes: number) =>
  chat({ messages: [{ role: 'user', content: 'a'.repeat(bytes) }] }, 0);

function read(answer: ReadBody | Refusal): ReadBody {
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
}

test('a thread answers as the event loop does, and gives the bytes back', async () => {
  await using readers = new BodyReaders({ clock: new ManualClock(), log });
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const bodies = [
    chat({}, 0),
    chat({ stop: ['a'], max_tokens: 5, stream: true, stream_options: { include_usage: true } }, 0),
    chat({ messages: [{ role: 'user', content: [image, { type: 'text', text: 'é字😀' }] }] }, 0),
    chat({ tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' }, 0),
    chat({ messages: [{ role: 'user', content: 'word '.repeat(2_000) }] }, 0),
    chat({ response_format: { type: 'json_object' }, reasoning: { max_tokens: 9 } }, 0),
    chat({ messages: 7 }, 0),
    chat({ stop: ['\ud83d'] }, 0),
    chat({ code: 'x', fault: { code: 'y' }, facts: 1 }, 0),
    '{"model":',
  ];
  for (const body of bodies) {
    for (const bytes of [0, limits.bodyInlineBytesMax + 1, 300 * KIB, 2 * MIB]) {
      const sent = Buffer.from(body.padEnd(bytes));
      const here = readRequest({ bytes: sent, api: 'chat', salt: 'salt' });
      const answer = await ask(readers, sent);
      if (isFault(here)) {
        expect(answer).toMatchObject({ code: here.code, param: here.param });
      } else {
        expect(read(answer).facts).toEqual(here.facts);
        expect(read(answer).raw.equals(sent)).toBe(true);
      }
    }
  }
});

test('a thread translates a body of another API as the event loop does', async () => {
  await using readers = new BodyReaders({ clock: new ManualClock(), log });
  const bodies = [
    ['responses', { model: 'm', input: 'Hi.', instructions: 'é' }],
    ['responses', { model: 'm', input: [{ role: 'user' }] }],
    ['messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] }],
  ] as const;
  for (const [api, body] of bodies) {
    for (const bytes of [0, limits.bodyInlineBytesMax + 1, 2 * MIB]) {
      const sent = Buffer.from(JSON.stringify(body).padEnd(bytes));
      const here = readRequest({ bytes: sent, api, salt: 'salt' });
      const answer = await ask(readers, sent, A, true, api);
      if (isFault(here)) {
        expect(answer).toMatchObject({ code: here.code, param: here.param });
      } else {
        expect(read(answer).facts).toEqual(here.facts);
        expect(read(answer).raw.equals(here.bytes)).toBe(true);
      }
    }
  }
});

test('a body that is too large once it is translated is refused, within half of the heap', async () => {
  await using readers = new BodyReaders({ clock: new ManualClock(), log, heapMbMax: 384 });
  // Each escape is escaped once more. One wide letter makes each letter take two bytes.
  const input = { a: `字${'\\'.repeat(15 * MIB)}` };
  const use = { type: 'tool_use', id: 'a', name: 'f', input };
  const user = { role: 'user', content: 'Hi.' };
  const messages = [user, { role: 'assistant', content: [use] }, user];
  // The number makes the call be parsed twice.
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages }).replace(
    '{"a":',
    '{"n":1.10,"a":',
  );
  expect(body.length).toBeLessThan(limits.bodyBytesMax);
  const answer = await ask(readers, body, A, true, 'messages');
  expect(answer).toMatchObject({ code: 'body_too_large' });
  expect((answer as Refusal).message).toContain('translated');
  read(await ask(readers, chat({}, 2 * MIB)));
});

test('a thread that runs out of memory is replaced, and that one body refused with 400', async () => {
  await using readers = new BodyReaders({ clock: new ManualClock(), log, heapMbMax: 16 });
  // Many small texts, because one text larger than the heap would end the process.
  const x = Array.from({ length: limits.jsonNodesMax - 100 }, (_, nth) =>
    `${nth}`.padEnd(100, 'x'),
  );
  const answers = await Promise.all([
    ask(readers, chat({ x }, 0)),
    ask(readers, chat({}, 100 * KIB)),
  ]);
  expect(answers[0]).toMatchObject({ code: 'invalid_json', status: 400 });
  read(answers[1]);
  for (let nth = 0; nth < 3; nth++) read(await ask(readers, chat({}, 2 * MIB)));
});

test('a thread that takes too long is ended and replaced, and that one body refused', async () => {
  const clock = new ManualClock();
  await using readers = new BodyReaders({ clock, log });
  const asking = ask(readers, text(30 * MIB));
  // The timer is set when the thread has received the body.
  while (clock.timers === 0) await nextTurn();
  clock.advance(limits.bodyCheckMsMax);
  expect(await asking).toMatchObject({ code: 'rate_limited', status: 429 });
  expect(clock.timers).toBe(0);
  read(await ask(readers, chat({}, 2 * MIB)));
});

test('organizations take turns, and ordinary bodies do not wait behind large ones', async () => {
  await using readers = new BodyReaders({ clock: new ManualClock(), log });
  // Makes sure that both threads have started.
  await Promise.all([ask(readers, chat({}, 8 * MIB)), ask(readers, chat({}, 900 * KIB))]);
  const order: string[] = [];
  const note = async (name: string, asking: Promise<ReadBody | Refusal>) => {
    read(await asking);
    order.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 6 }, () => note('large', ask(readers, chat({}, 8 * MIB)))),
    ...Array.from({ length: 20 }, () => note('many', ask(readers, chat({}, 900 * KIB)))),
    note('other', ask(readers, chat({}, 900 * KIB), B)),
  ]);
  expect(order.indexOf('other')).toBeLessThan(order.lastIndexOf('large'));
  // It is the third to start. With two threads, one or two others may overtake it.
  expect(order.filter((name) => name !== 'large').indexOf('other')).toBeLessThan(5);
});

test('a body whose client has left is not read when its turn comes', async () => {
  await using readers = new BodyReaders({ clock: new ManualClock(), log });
  expect(await ask(readers, chat({}, 2 * MIB), A, false)).toMatchObject({ code: 'bad_request' });
  read(await ask(readers, chat({}, 2 * MIB)));
});
