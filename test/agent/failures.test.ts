/**
 * Every way in which an engine fails an answer. An answer succeeds only when its finish_reason was
 * seen.
 */
import { expect, test } from 'vitest';
import { HELLO, startRig } from './support/rig.ts';
import type { EngineRequest } from './support/scripted-engine.ts';

const REFUSALS: readonly [status: number, message: string, reason: string][] = [
  [
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 9000",
    'context_length',
  ],
  [400, 'max_tokens is too large: 999999', 'context_length'],
  [
    400,
    'The prompt (length 9000) is longer than the maximum model length of 8192',
    'context_length',
  ],
  [400, 'tool parser is not enabled', 'bad_request'],
  [422, 'field required', 'bad_request'],
  [503, 'queue is full', 'busy'],
  [429, 'slow down', 'busy'],
  [413, 'payload too large', 'bad_request'],
  [413, 'too many input tokens', 'context_length'],
  [501, 'not implemented for this model', 'bad_request'],
  [500, "'utf-8' codec can't encode character '\\ud83d': surrogates not allowed", 'bad_request'],
  [500, '[json.exception.parse_error.101] parse error at line 1', 'bad_request'],
  [500, 'image input is not supported - hint: you may need to provide the mmproj', 'bad_request'],
  [500, 'TextEncodeInput must be Union[TextInputSequence, …]', 'bad_request'],
  [404, 'no such model', 'engine'],
  [401, 'no key', 'engine'],
  [500, 'internal', 'engine'],
  [302, 'elsewhere', 'engine'],
];

test.each(REFUSALS)(
  'a refusal with %i «%s» is %s, and its text goes no further',
  async (status, message, reason) => {
    await using rig = await startRig();
    const call = rig.session.open(HELLO);
    (await rig.engine.ask()).refuse(status, message);
    const { prompt, completion, end } = await call.ended();
    expect(end).toEqual({ outcome: 'failed', reason });
    expect([prompt, completion, call.records.length]).toEqual([0, 0, 0]);
  },
);

const FAILURES: readonly [name: string, fail: (ask: EngineRequest) => void][] = [
  ['[DONE] without a finish_reason', (ask) => ask.usage(3, 1).done()],
  ['an end of file without a finish_reason', (ask) => void ask.response.end()],
  ['a connection that breaks', (ask) => ask.reset()],
  ['an error event, though [DONE] follows', (ask) => ask.event({ error: { code: 500 } }).done()],
  [
    'an error event after the finish_reason',
    (ask) =>
      ask
        .chunk({}, [3, 2], 'stop')
        .event({ error: { message: 'x' } })
        .done(),
  ],
  ['bad JSON', (ask) => void ask.raw('data: {"choices":\n\n')],
  ['an event that is no object', (ask) => void ask.raw('data: 7\n\n')],
  ['finish_reason abort', (ask) => ask.chunk({}, [3, 2], 'abort').usage(3, 2).done()],
  ['an unknown finish_reason', (ask) => ask.chunk({}, [3, 2], 'oops').usage(3, 2).done()],
  ['counts that are none', (ask) => void ask.chunk({ content: 'x' }, [3, -1])],
  ['counts with a fraction', (ask) => void ask.chunk({ content: 'x' }, [3.5, 1])],
  ['counts that no header holds', (ask) => void ask.chunk({ content: 'x' }, [3, 2 ** 40])],
];

test.each(FAILURES)('%s fails the answer', async (_name, fail) => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'x' }, [3, 1]);
  await call.until(() => call.records.length === 2);
  fail(ask);
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
  expect(call.deltas).toEqual([{ content: 'x' }]);
});

test('an answer without any usage fails', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask())
    .accept()
    .chunk({ content: 'x' })
    .chunk({}, undefined, 'stop');
  ask.done();
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
});

test('an answer whose usage stops midway fails: its last count is not the whole', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'x' }, [3, 1]);
  ask.chunk({ content: 'yz' }).chunk({}, undefined, 'stop').done();
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
});

test('an engine that takes the connection and dies fails the answer', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).reset();
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
});

test('an engine that breaks off and says that it does not work has died', async () => {
  await using rig = await startRig();
  const calls = [rig.session.open(HELLO), rig.session.open(HELLO)];
  const asks = [await rig.engine.ask(1), await rig.engine.ask(2)];
  rig.engine.health = 503;
  const looks = () => rig.engine.paths.filter((path) => path === '/health').length;
  const before = looks();
  for (const ask of asks) ask.reset();
  for (const call of calls) {
    expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine_died' });
  }
  // One query for both requests, and one by the health check.
  expect(looks() - before).toBeLessThanOrEqual(2);
});

test('an engine that says 503 and does not work is not full, and has not died of this request', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = await rig.engine.ask();
  rig.engine.health = 503;
  ask.refuse(503, 'no place');
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
});

test('an event without end is cut off', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3).raw('data: "');
  const flood = () => {
    while (!ask.aborted && ask.response.write('x'.repeat(256 * 1024)));
  };
  ask.response.on('drain', flood);
  flood();
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
  await ask.untilAborted();
});

test('a body that is no JSON object fails before the engine sees it', async () => {
  await using rig = await startRig();
  for (const body of ['[1]', '{"a":', '7']) {
    const call = rig.session.open(body);
    expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'bad_request' });
  }
  expect(rig.engine.asks.length).toBe(0);
});

test('what fails frees its slot', async () => {
  await using rig = await startRig({ slots: 1 });
  const first = rig.session.open(HELLO);
  (await rig.engine.ask()).refuse(500);
  await first.ended();
  const second = rig.session.open(HELLO);
  (await rig.engine.ask(2)).accept().role(1);
  await second.until(() => second.records.length === 1);
  const third = rig.session.open(HELLO);
  await third.until(() => third.refused !== null);
  expect(third.refused).toBe('busy');
});

test('an open for what the agent does not have is refused', async () => {
  await using rig = await startRig();
  const strange = rig.session.open(HELLO, { worker: 'other' });
  const unknown = rig.session.open(HELLO, { model: 'test/other' });
  await unknown.until(() => unknown.refused !== null);
  expect([strange.refused, unknown.refused]).toEqual(['unknown_worker', 'unknown_model']);
});
