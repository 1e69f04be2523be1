/** Short queries to an engine whose answers may be of any length. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { EngineClient } from '../../agent/engine/client.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { engineAnswers } from '../../shared/limits.ts';

async function engine() {
  const undo = new AsyncDisposableStack();
  const piece = Buffer.alloc(64 * 1024, 'x');
  let written = 0;
  const server = createServer((request, response) => {
    const bytes = Number(request.url?.slice(1));
    const more = () => {
      for (let left = bytes - written; left > 0; left = bytes - written) {
        written += Math.min(left, piece.length);
        if (!response.write(piece.subarray(0, left))) return void response.once('drain', more);
      }
      response.end();
    };
    written = 0;
    more();
  });
  undo.defer(() => server.closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = undo.use(new EngineClient({ url, slots: 1 }, clock));
  const answer = (bytes: number, bytesMax?: number) =>
    client.query({
      path: `/${bytes}`,
      timeoutMs: 30_000,
      ...(bytesMax !== undefined && { bytesMax }),
    });
  return Object.assign(undo, { answer, written: () => written });
}

test('an answer that is larger than any of its kind is none', async () => {
  await using from = await engine();
  const { bytesMax, tokensBytesMax } = engineAnswers;
  expect(await from.answer(bytesMax)).toMatchObject({ status: 200 });
  expect(await from.answer(bytesMax + 1)).toBe('unreachable');
  expect(await from.answer(bytesMax + 1, tokensBytesMax)).toMatchObject({ status: 200 });
  expect(await from.answer(100 * bytesMax)).toBe('unreachable');
  expect(from.written()).toBeLessThan(20 * bytesMax);
});

test('answers that come together share what there is, and leave nothing behind', async () => {
  await using from = await engine();
  for (let nth = 0; nth < 8; nth++) {
    const { tokensBytesMax } = engineAnswers;
    expect(await from.answer(tokensBytesMax, tokensBytesMax)).toMatchObject({ status: 200 });
  }
});
