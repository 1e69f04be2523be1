/** The agent's log has one line for each attempt at a request, when it ends. */
import { expect, test } from 'vitest';
import { makeLog } from '../../shared/log.ts';
import { HELLO, startRig } from './support/rig.ts';

type Line = Readonly<Record<string, unknown>>;

async function linesWith(requestLog: 'all' | 'failures' | 'none'): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Line);
  const log = makeLog('agent', 'info', { write });
  await using rig = await startRig({ log, config: { requestLog } });
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept();
  rig.clock.advance(150);
  ask.role(10);
  await call.until(() => call.records.length === 1);
  rig.clock.advance(12);
  ask.chunk({ content: 'x' }, [10, 2], 'stop').usage(10, 2, { cached: 4 }).done();
  await call.ended();
  const refused = rig.session.open(HELLO);
  (await rig.engine.ask(2)).refuse(503);
  await refused.ended();
  return lines.filter(({ msg }) => msg === 'attempt ended');
}

test('an attempt has a line with its ids, its times and the counts of the engine', async () => {
  const [complete, failed] = await linesWith('all');
  expect(complete).toMatchObject({
    request: expect.any(String),
    completion: expect.any(String),
    attempt: 1,
    engine: 'engine',
    model: 'test/plain',
    status: 'stop',
    ttftMs: 150,
    durationMs: 162,
    promptTokens: 10,
    cachedTokens: 4,
    completionTokens: 2,
  });
  expect(failed).toMatchObject({ status: 'busy', ttftMs: null, completionTokens: 0 });
});

test('the setting leaves out complete answers, or all', async () => {
  expect((await linesWith('failures')).map(({ status }) => status)).toEqual(['busy']);
  expect(await linesWith('none')).toEqual([]);
});
