/** When a client leaves, the engine stops at once, and the last counts are reported. */
import { expect, test } from 'vitest';
import { AMPLE } from './support/fake-router.ts';
import { delivered } from './support/gate.ts';
import { HELLO, startRig } from './support/rig.ts';

test('left before the engine has answered, nothing was accepted', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = await rig.engine.ask();
  call.cancel();
  expect(await call.ended()).toEqual({
    prompt: 0,
    completion: 0,
    end: { outcome: 'cancelled', accepted: false },
  });
  await ask.untilAborted();
});

test('left before its body was there, the engine never sees it', async () => {
  await using rig = await startRig();
  const call = rig.session.announce({ bodyBytes: 1_000 });
  rig.session.piece(call.stream, Buffer.alloc(10));
  call.cancel();
  expect((await call.ended()).end).toEqual({ outcome: 'cancelled', accepted: false });
  // The rest of the body, which was in flight, is ignored.
  rig.session.piece(call.stream, Buffer.alloc(900));
  const other = rig.session.open(HELLO);
  await rig.engine.ask();
  other.cancel();
  await other.ended();
  expect(rig.engine.asks.length).toBe(1);
});

test("left before the first token, the prompt is counted by the engine's tokenizer", async () => {
  await using rig = await startRig();
  const body = { ...HELLO, temperature: 1, tools: [{ type: 'function', function: { name: 'f' } }] };
  const call = rig.session.open(body);
  (await rig.engine.ask()).accept();
  await delivered();
  call.cancel();
  expect(await call.ended()).toEqual({
    prompt: 7,
    completion: 0,
    end: { outcome: 'cancelled', accepted: true },
  });
  expect(rig.engine.tokenized).toEqual([
    { model: 'Test/Plain-7B', messages: body.messages, tools: body.tools },
  ]);
});

test('a tokenizer that does not answer within 800 ms counts 0', async () => {
  await using rig = await startRig();
  rig.engine.promptTokens = null;
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).accept();
  await delivered();
  call.cancel();
  await rig.engine.gate.until(() => rig.engine.tokenized.length === 1);
  rig.clock.advance(801);
  expect(await call.ended()).toMatchObject({ prompt: 0, end: { accepted: true } });
});

test('left midway, the END has the counts that the engine reported last', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(5).chunk({ content: 'a' }, [5, 1]);
  ask.chunk({ content: 'b' }, [5, 2]);
  await call.until(() => call.records.length === 3);
  call.cancel();
  expect(await call.ended()).toEqual({
    prompt: 5,
    completion: 2,
    end: { outcome: 'cancelled', accepted: true },
  });
  await ask.untilAborted();
  expect(rig.engine.tokenized).toEqual([]);
});

test('left while it waits for a grant, no more than the grant is counted', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: { ...AMPLE, tokens: 4 } });
  (await rig.engine.ask()).accept().role(5).chunk({ content: 'abc' }, [5, 9]);
  await call.until(() => call.records.length === 2);
  call.cancel();
  expect(await call.ended()).toMatchObject({ prompt: 5, completion: 4 });
});

test('a cancel after the end, and a second one, do nothing', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).accept().role(5).chunk({}, [5, 1], 'stop').usage(5, 1).done();
  await call.ended();
  call.cancel();
  const other = rig.session.open(HELLO);
  await rig.engine.ask(2);
  other.cancel();
  other.cancel();
  await other.ended();
  const third = rig.session.open(HELLO);
  await rig.engine.ask(3);
  third.cancel();
  await third.ended();
  expect([call.ends.length, other.ends.length]).toEqual([1, 1]);
});
