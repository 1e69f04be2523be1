/** Answers that are not streamed: the same deltas, joined into fewer records. */
import { expect, test } from 'vitest';
import { limits } from '../../shared/limits.ts';
import { THINKER } from './support/fake-router.ts';
import { HELLO, startRig } from './support/rig.ts';

const WHOLE = { streamed: false };

test('a whole chat is its deltas, put together as far as they are of one kind', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  ask.chunk({ reasoning: 'think' }, [9, 2]).chunk({ content: 'Hello' }, [9, 3]);
  ask.chunk({ content: ' you' }, [9, 5], 'stop').usage(9, 5, { reasoning: 2 }).done();
  const { prompt, completion, end } = await call.ended();
  expect(call.records).toEqual([
    { prompt: 9, completion: 0, delta: null },
    { prompt: 9, completion: 2, delta: { reasoning: 'think' } },
    { prompt: 9, completion: 5, delta: { content: 'Hello you' } },
  ]);
  expect([prompt, completion]).toEqual([9, 5]);
  expect(end).toMatchObject({ finish: 'stop', reasoning: 2 });
  expect(ask.body['stream']).toBe(true);
});

test('its first record tells the true prompt count', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  await call.until(() => call.records.length === 1);
  expect(call.records[0]).toEqual({ prompt: 9, completion: 0, delta: null });
  ask.reset();
  await call.ended();
});

test('its first text is sent at once, because it tells the time to the first token', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9).chunk({ content: 'a' }, [9, 1]);
  await call.until(() => call.records.length === 2);
  expect(call.records[1]).toEqual({ prompt: 9, completion: 1, delta: { content: 'a' } });
  ask.reset();
  await call.ended();
});

test('what was put together is sent every 64 tokens, or when 250 ms have passed', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  for (let tokens = 1; tokens <= 130; tokens++) ask.chunk({ content: 'a' }, [9, tokens]);
  await call.until(() => call.records.length === 4);
  rig.clock.advance(250);
  ask.chunk({ content: 'b' }, [9, 131]);
  await call.until(() => call.records.length === 5);
  ask.chunk({ content: 'c' }, [9, 132]).chunk({}, [9, 133], 'stop').usage(9, 133).done();
  await call.ended();
  expect(call.records.map((record) => record.completion)).toEqual([0, 1, 65, 129, 131, 132]);
  expect(call.content).toBe(`${'a'.repeat(130)}bc`);
});

test('a long text is sent before there are 64 tokens of it', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  ask.chunk({ content: 'x'.repeat(10_000) }, [9, 1]);
  await call.until(() => call.content.length === 10_000);
  ask.chunk({}, [9, 2], 'stop').usage(9, 2).done();
  await call.ended();
});

test('tool calls count from 0 in the order in which they begin', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  ask.chunk(
    { tool_calls: [{ index: 1, id: 'b', function: { name: 'g', arguments: '' } }] },
    [9, 1],
  );
  ask.chunk(
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }] },
    [9, 2],
  );
  ask.chunk({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }, [9, 3]);
  ask.chunk({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }, [9, 4], 'tool_calls');
  ask.usage(9, 4).done();
  expect((await call.ended()).end).toMatchObject({ finish: 'tool_calls' });
  expect(call.calls).toEqual([
    { id: 'b', name: 'g', arguments: '{}' },
    { id: 'a', name: 'f', arguments: '{}' },
  ]);
});

test('a whole text completion is its text', async () => {
  await using rig = await startRig();
  const body = { model: 'test/plain', prompt: 'Once' };
  const call = rig.session.open(body, { ...WHOLE, endpoint: 'completions' });
  const ask = (await rig.engine.ask()).accept().text(' upon', [1, 1]);
  ask.text(' “a”', [1, 3], 'stop').usage(1, 3).done();
  await call.ended();
  expect(call.deltas).toEqual([{ content: ' upon' }, { content: ' “a”' }]);
});

test('withheld reasoning does not stand in the message', async () => {
  await using rig = await startRig();
  const body = { ...HELLO, reasoning: { effort: 'none' } };
  const call = rig.session.open(body, { ...WHOLE, model: THINKER.id });
  const ask = (await rig.engine.ask()).accept().role(9).chunk({ reasoning: 'secret' }, [9, 2]);
  ask.chunk({ content: 'ok' }, [9, 3], 'stop').usage(9, 3).done();
  await call.ended();
  expect(call.deltas).toEqual([{ content: 'ok' }]);
});

test('an answer larger than a message of the link is cut into records', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const piece = '水'.repeat(100_000);
  const ask = (await rig.engine.ask()).accept().role(9);
  for (let tokens = 1; tokens <= 20; tokens++) ask.chunk({ content: piece }, [9, tokens]);
  ask.chunk({}, [9, 21], 'stop').usage(9, 21).done();
  await call.ended();
  expect(call.bytes).toBeGreaterThan(limits.linkPayloadBytesMax);
  expect(call.content === piece.repeat(20)).toBe(true);
  // The pieces of a chunk carry the count before it, except for the last piece.
  const counts = call.records.map((record) => record.completion);
  expect(counts.filter((count) => count === 20).length).toBe(1);
  expect(counts.filter((count) => count === 19).length).toBe(2);
});
