/** Answers that are not streamed: gathered, and sent as the head of one choice. */
import { expect, test } from 'vitest';
import { limits } from '../../shared/limits.ts';
import { THINKER } from './support/fake-router.ts';
import { HELLO, startRig } from './support/rig.ts';

const WHOLE = { streamed: false };

test('a whole chat is the head of one choice, which the router closes', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  ask.chunk({ reasoning: 'think' }, [9, 2]).chunk({ content: 'Hello' }, [9, 3]);
  ask.chunk({ content: ' you' }, [9, 5], 'stop').usage(9, 5, { reasoning: 2 }).done();
  const { prompt, completion, end } = await call.ended();
  expect(call.text).toBe(
    '{"index":0,"message":{"role":"assistant","content":"Hello you","reasoning":"think"},"logprobs":null',
  );
  expect([prompt, completion]).toEqual([9, 5]);
  expect(end).toMatchObject({ finish: 'stop', last: '', reasoning: 2 });
  expect(ask.body['stream']).toBe(true);
});

test('its first record tells the true prompt count, and has no bytes', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  await call.until(() => call.records.length === 1);
  expect(call.records[0]).toEqual({ prompt: 9, completion: 0, bytes: Buffer.alloc(0) });
  ask.reset();
  await call.ended();
});

test('while it runs, its counts are told every 64 tokens, or when 250 ms have passed', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, WHOLE);
  const ask = (await rig.engine.ask()).accept().role(9);
  for (let tokens = 1; tokens <= 130; tokens++) ask.chunk({ content: 'a' }, [9, tokens]);
  await call.until(() => call.records.length === 3);
  rig.clock.advance(250);
  ask.chunk({ content: 'b' }, [9, 131]);
  await call.until(() => call.records.length === 4);
  ask.chunk({ content: 'c' }, [9, 132]).chunk({}, [9, 133], 'stop').usage(9, 133).done();
  await call.ended();
  expect(call.records.map((record) => record.completion)).toEqual([0, 64, 128, 131, 133]);
  expect(call.records.slice(0, 4).every((record) => record.bytes.length === 0)).toBe(true);
});

test('tool calls are put together in their order, and content is null beside them', async () => {
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
  expect((await call.ended()).end).toMatchObject({ finish: 'tool_calls', last: '' });
  expect(JSON.parse(`${call.text}}`)).toEqual({
    index: 0,
    message: {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
    },
    logprobs: null,
  });
});

test('a whole text completion is its text', async () => {
  await using rig = await startRig();
  const body = { model: 'test/plain', prompt: 'Once' };
  const call = rig.session.open(body, { ...WHOLE, endpoint: 'completions' });
  const ask = (await rig.engine.ask()).accept().text(' upon', [1, 1]);
  ask.text(' “a”', [1, 3], 'stop').usage(1, 3).done();
  await call.ended();
  expect(call.text).toBe('{"index":0,"text":" upon “a”","logprobs":null');
});

test('withheld reasoning does not stand in the message', async () => {
  await using rig = await startRig();
  const body = { ...HELLO, reasoning: { effort: 'none' } };
  const call = rig.session.open(body, { ...WHOLE, model: THINKER.id });
  const ask = (await rig.engine.ask()).accept().role(9).chunk({ reasoning: 'secret' }, [9, 2]);
  ask.chunk({ content: 'ok' }, [9, 3], 'stop').usage(9, 3).done();
  await call.ended();
  expect(call.text).not.toContain('secret');
  expect(call.text).toContain('"content":"ok"}');
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
  const { message } = JSON.parse(`${call.text}}`);
  expect(message.content === piece.repeat(20)).toBe(true);
  const counts = call.records.map((record) => record.completion);
  // The pieces before the last carry the count before it.
  expect(counts.filter((count) => count === 21).length).toBe(1);
});
