import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { TurnWrites } from '../../../router/fleet/turn-writes.ts';

const turn = () => new Promise((next) => setImmediate(next));

test('what is written in one turn of the event loop goes out in one piece, at its end', async () => {
  const pieces: string[] = [];
  const connection = new Writable({
    writev(chunks, done) {
      pieces.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  const writes = new TurnWrites(connection);
  const write = (text: string) => {
    writes.gather();
    connection.write(text);
  };
  write('open ');
  queueMicrotask(() => write('body '));
  process.nextTick(() => write('grant'));
  expect(pieces).toEqual([]);
  await turn();
  expect(pieces).toEqual(['open body grant']);
  write('cancel');
  await turn();
  expect(pieces).toEqual(['open body grant', 'cancel']);
});
