/** Streamed answers: their bytes, counts and ends. */
import { expect, test } from 'vitest';
import { THINKER } from './support/fake-router.ts';
import { HELLO, startRig } from './support/rig.ts';

test('a streamed chat is its deltas, with the counts up to each', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept();
  ask.role(11).chunk({ content: 'Hel' }, [11, 1]).chunk({ content: 'lo “\n”' }, [11, 3]);
  ask.chunk({ content: '' }, [11, 4], 'stop').usage(11, 4, { cached: 8 }).done();
  const { prompt, completion, end } = await call.ended();

  // The router writes the role itself. The role's chunk reports the prompt tokens before there is a
  // completion token.
  expect(call.records).toEqual([
    { prompt: 11, completion: 0, delta: null },
    { prompt: 11, completion: 1, delta: { content: 'Hel' } },
    { prompt: 11, completion: 3, delta: { content: 'lo “\n”' } },
  ]);
  expect([prompt, completion]).toEqual([11, 4]);
  expect(end).toEqual({
    outcome: 'finished',
    cut: false,
    finish: 'stop',
    cached: 8,
    reasoning: null,
  });
});

test('the delta of the finish chunk is one as any other', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'one' }, [3, 1]);
  ask.chunk({ content: ' two', refusal: null }, [3, 2], 'length').usage(3, 2).done();
  const { completion, end } = await call.ended();
  expect(end).toMatchObject({ finish: 'length' });
  expect(completion).toBe(2);
  expect(call.records.at(-1)).toEqual({ prompt: 3, completion: 2, delta: { content: ' two' } });
});

test('an answer whose first chunk is its last has its delta', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).accept().chunk({ content: 'x' }, [3, 1], 'stop').usage(3, 1).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
  expect(call.records).toEqual([{ prompt: 3, completion: 1, delta: { content: 'x' } }]);
});

test('an answer without text is its end alone', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).accept().chunk({ content: '' }, [3, 1], 'stop').usage(3, 1).done();
  expect(await call.ended()).toMatchObject({ prompt: 3, completion: 1, end: { finish: 'stop' } });
  expect(call.records).toEqual([]);
});

test('half a character is sent as the sign that something is missing', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  ask.chunk({ content: 'a\ud83d' }, [3, 1]).chunk({}, [3, 2], 'stop').usage(3, 2).done();
  await call.ended();
  expect(call.content).toBe('a\ufffd');
});

test('reasoning is read under both names', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(5);
  ask.chunk({ reasoning_content: 'hm' }, [5, 1]).chunk({ reasoning: 'mm' }, [5, 2]);
  ask.chunk({ reasoning: 'so', content: 'yes' }, [5, 4]).chunk({}, [5, 4], 'stop');
  ask.usage(5, 4, { reasoning: 3 }).done();
  expect((await call.ended()).end).toMatchObject({ reasoning: 3, cached: null });
  expect(call.deltas).toEqual([
    { reasoning: 'hm' },
    { reasoning: 'mm' },
    { reasoning: 'so' },
    { content: 'yes' },
  ]);
  // The count of a chunk comes with its last delta, because before that not all of its tokens were
  // delivered.
  expect(call.records.map((record) => record.completion)).toEqual([0, 1, 2, 2, 4]);
});

test('reasoning that cannot be turned off is withheld, and counted all the same', async () => {
  await using rig = await startRig();
  const body = { ...HELLO, model: THINKER.id, reasoning: { enabled: false } };
  const call = rig.session.open(body, { model: THINKER.id });
  const ask = (await rig.engine.ask()).accept().role(5);
  for (let tokens = 1; tokens <= 100; tokens++) ask.chunk({ reasoning: 'hm' }, [5, tokens]);
  ask.chunk({ content: 'yes' }, [5, 101]).chunk({ reasoning: 'x' }, [5, 102], 'stop');
  ask.usage(5, 102, { reasoning: 100 }).done();
  const { completion, end } = await call.ended();
  expect(end).toMatchObject({ reasoning: 100 });
  expect(completion).toBe(102);
  expect(call.deltas).toEqual([{ content: 'yes' }]);
  // The router extends the grant by these counts, so they are sent although there is no text.
  expect(call.records.map((record) => record.completion)).toEqual([0, 64, 101]);
});

test('a tool call is its beginning and fragments of its arguments', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(5);
  const first = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'f', arguments: '' },
  };
  ask.chunk({ tool_calls: [{ ...first, native: 1 }], content: null }, [5, 1]);
  ask.chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }, [5, 2]);
  ask.chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, [5, 3], 'tool_calls');
  ask.usage(5, 3).done();
  const { end } = await call.ended();
  expect(call.deltas).toEqual([
    { call: { index: 0, id: 'call_1', name: 'f' } },
    { arguments: { index: 0, text: '{"a"' } },
    { arguments: { index: 0, text: ':1}' } },
  ]);
  expect(end).toMatchObject({ finish: 'tool_calls' });
});

test('a call that has no id gets one, and one that has no name fails the answer', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(5);
  ask.chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] }, [5, 1]);
  ask.chunk({ tool_calls: [{ index: 1, function: { name: 'g' } }] }, [5, 2], 'tool_calls');
  ask.usage(5, 2).done();
  await call.ended();
  expect(call.calls).toEqual([
    { id: 'call_1_0', name: 'f', arguments: '{}' },
    { id: 'call_1_1', name: 'g', arguments: '' },
  ]);
  const nameless = rig.session.open(HELLO);
  (await rig.engine.ask(2))
    .accept()
    .role(5)
    .chunk({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }, [5, 1]);
  expect((await nameless.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
});

test('a named tool that was called ends with tool_calls, one that was not with stop', async () => {
  await using rig = await startRig();
  const fragment = { index: 0, id: 'c', function: { name: 'f', arguments: '{}' } };
  const ends = [];
  for (const [delta, finish] of [
    [{ tool_calls: [fragment] }, 'stop'],
    [{ tool_calls: [] }, 'tool_calls'],
    [{ tool_calls: [fragment] }, 'length'],
  ] as const) {
    const call = rig.session.open(HELLO);
    const ask = (await rig.engine.ask(rig.engine.asks.length + 1)).accept().role(5);
    ask.chunk(delta, [5, 1]).chunk({}, [5, 2], finish).usage(5, 2).done();
    ends.push((await call.ended()).end);
  }
  expect(ends.map((end) => end.outcome === 'finished' && end.finish)).toEqual([
    'tool_calls',
    'stop',
    'length',
  ]);
});

test('a streamed text completion is its texts', async () => {
  await using rig = await startRig();
  const call = rig.session.open(
    { model: 'test/plain', prompt: 'Once' },
    { endpoint: 'completions', completionId: 'cmpl-7' },
  );
  const ask = (await rig.engine.ask()).accept().text(' upon', [1, 1]).text('', [1, 2]);
  ask.text(' a', [1, 3], 'stop').usage(1, 3).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
  expect(call.deltas).toEqual([{ content: ' upon' }, { content: ' a' }]);
  expect(ask.path).toBe('/v1/completions');
});

test('a character that is split over two reads arrives whole, wherever it is cut', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  const choices = [{ index: 0, delta: { content: '🚰 naïve “水”' }, finish_reason: null }];
  const bytes = Buffer.from(`data: ${JSON.stringify({ choices })}\n\n`);
  for (const byte of bytes) {
    ask.raw(Uint8Array.of(byte));
    // Each byte is a separate chunk of the engine's HTTP answer, however the socket is read.
  }
  ask.chunk({}, [3, 4], 'stop').usage(3, 4).done();
  await call.ended();
  expect(call.deltas).toEqual([{ content: '🚰 naïve “水”' }]);
});

test('comments, carriage returns and events that are no choice are passed over', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().raw(': ping\n\n').role(3);
  const choices = [{ index: 0, delta: { content: 'x' } }];
  ask.raw(`: ping\r\n\r\nid: 4\r\ndata: ${JSON.stringify({ choices })}\r\n\r\n`);
  ask.event({ object: 'other' }).chunk({}, [3, 4], 'stop').usage(3, 4).done();
  await call.ended();
  expect(call.deltas).toEqual([{ content: 'x' }]);
});

test('after finish_reason the last usage wins, and an end of file does for [DONE]', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'x' }, [3, 1]);
  ask.chunk({}, [3, 2], 'stop').usage(4, 3, { cached: 2 });
  ask.response.end();
  const { prompt, completion, end } = await call.ended();
  expect([prompt, completion]).toEqual([4, 3]);
  expect(end).toMatchObject({ outcome: 'finished', cached: 2 });
});

test('once an engine has told of cached tokens, silence about them means none', async () => {
  await using rig = await startRig();
  const cached = [];
  for (const details of [{}, { cached: 16 }, {}]) {
    const call = rig.session.open(HELLO);
    const ask = (await rig.engine.ask(rig.engine.asks.length + 1)).accept().role(3);
    ask.chunk({ content: 'x' }, [3, 1], 'stop').usage(3, 1, details).done();
    const { end } = await call.ended();
    cached.push(end.outcome === 'finished' && end.cached);
  }
  expect(cached).toEqual([null, 16, 0]);
});

test('an engine that does not end its response after [DONE] is left after a while', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'x' }, [3, 1], 'stop');
  ask.usage(3, 1).raw('data: [DONE]\n\n');
  await call.ended();
  rig.clock.advance(2_000);
  await ask.untilAborted();
});

test('many streams at once come in few messages', async () => {
  await using rig = await startRig();
  let messages = 0;
  rig.session.socket.on('message', (_data, binary) => {
    if (binary) messages += 1;
  });
  const calls = Array.from({ length: 50 }, () => rig.session.open(HELLO));
  await rig.engine.ask(calls.length);
  for (const ask of rig.engine.asks) ask.accept().role(3);
  await Promise.all(calls.map((call) => call.until(() => call.records.length === 1)));
  messages = 0;
  for (const ask of rig.engine.asks) ask.chunk({ content: 'x' }, [3, 1]);
  await Promise.all(calls.map((call) => call.until(() => call.records.length === 2)));
  expect(messages).toBeLessThan(25);
});
