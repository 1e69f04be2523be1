/** The lines of the log about the management API. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { type LogLevel, makeLog } from '../../../shared/log.ts';
import { startRig } from './rig.ts';

async function linesAt(level: LogLevel): Promise<string[]> {
  const lines: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      const { msg, method, route, status } = JSON.parse(line.toString()) as Record<string, string>;
      if (msg === 'management request ended') lines.push(`${method} ${route} ${status}`);
      done();
    },
  });
  const log = makeLog('test', level, sink);
  await using rig = await startRig(systemClock, ['global'], { log });
  await rig.ask('GET', '/api/v1/workers');
  await rig.ask('GET', '/api/v1/agents/agt_none/report');
  await rig.ask('POST', '/api/v1/agents', { name: 'gpu-1', region: 'global' });
  return lines;
}

const ALWAYS = ['GET /api/v1/agents/:agent/report 404', 'POST /api/v1/agents 201'];

test('a change and a failure have a line, and the polls of `top` and of an open page have none', async () => {
  expect(await linesAt('info')).toEqual(ALWAYS);
});

test('at level debug, a read that succeeds has a line, too', async () => {
  expect(await linesAt('debug')).toEqual(['GET /api/v1/workers 200', ...ALWAYS]);
});
