import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LogLines } from '../../shared/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';

function openRig() {
  const clock = new ManualClock();
  const written: string[][] = [];
  const write = (lines: string) => {
    written.push(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    );
  };
  const log = pino({}, new LogLines({ write, flushSync() {} }, clock));
  return { clock, log, written };
}

test('the lines of a short time are written together', () => {
  const { clock, log, written } = openRig();
  log.info('one');
  clock.advance(10);
  log.child({ agent: 'a' }).info('two');
  expect(written).toEqual([]);
  clock.advance(10);
  expect(written).toEqual([['one', 'two']]);
  log.info('three');
  clock.advance(20);
  expect(written).toEqual([['one', 'two'], ['three']]);
});

test.each(['warn', 'error', 'fatal'] as const)('a line of level %s does not wait', (level) => {
  const { log, written } = openRig();
  log.info('before');
  log[level]('now');
  expect(written[0]).toEqual(['before', 'now']);
});

test('of lines that nobody reads only the first are kept, and the loss of the others is told', async () => {
  const logging = fileURLToPath(new URL('unread-log.ts', import.meta.url));
  const child = spawn(process.execPath, [logging], { stdio: 'pipe' });
  await once(child.stdout, 'data');
  child.stdin.end();
  const read = await text(child.stderr);
  const lines = read
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, number>);
  const lost = lines.reduce((sum, line) => sum + (line['lost'] ?? 0), 0);
  const kept = lines.flatMap(({ line }) => line ?? []);
  expect(read.length).toBeLessThan(6e6);
  expect(lost + kept.length).toBe(20_000);
  expect(kept).toEqual(kept.toSorted((a, b) => a - b));
});
