/** Grants limit what is spent (tokens) and what is buffered (bytes), and are never exceeded. */
import { expect, test } from 'vitest';
import { AMPLE, costOf } from './support/fake-router.ts';
import { delivered, standstill, turnUntil } from './support/gate.ts';
import { HELLO, startRig } from './support/rig.ts';
import { countsLate } from './support/scripted-engine.ts';

const SLICE = { ...AMPLE, tokens: 4 };
const LAST = { ...SLICE, final: true };

test('MONEY 9: a chunk that crosses the grant waits whole, and goes on when the grant grows', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: SLICE });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'a' }, [3, 3]);
  ask.chunk({ content: 'bcd' }, [3, 6]).chunk({ content: 'e' }, [3, 7]);
  // A record with unchanged counts says that the answer waits for a grant.
  await call.until(() => call.records.length === 3);
  expect(call.records[2]).toEqual({ prompt: 3, completion: 3, delta: null });
  call.grant({ tokens: 5 });
  await call.until(() => call.records.length === 4);
  expect(call.records[3]?.completion).toBe(3);
  call.grant({ tokens: 7 });
  await call.until(() => call.records.length === 6);
  ask.chunk({}, [3, 7], 'stop').usage(3, 7).done();
  expect((await call.ended()).completion).toBe(7);
  expect(call.deltas).toEqual([{ content: 'a' }, { content: 'bcd' }, { content: 'e' }]);
});

test('MONEY 9: a chunk that crosses the last grant ends the answer before it', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: LAST });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'a' }, [3, 3]);
  ask.chunk({ content: 'bcd' }, [3, 6]);
  const { prompt, completion, end } = await call.ended();
  expect([prompt, completion]).toEqual([3, 3]);
  expect(end).toMatchObject({
    outcome: 'finished',
    finish: 'length',
    cut: true,
    cached: null,
  });
  expect(call.content).toBe('a');
  await ask.untilAborted();
});

test('MONEY 9: a grant that turns out to be the last ends an answer that waits for more', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: SLICE });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'a' }, [3, 3]);
  ask.chunk({ content: 'bcd' }, [3, 6]);
  await call.until(() => call.records.length === 3);
  call.grant({ final: true });
  expect(await call.ended()).toMatchObject({ completion: 3, end: { finish: 'length' } });
  await ask.untilAborted();
});

test('a grant that is used up exactly ends as the engine ends it', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: LAST });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'a' }, [3, 3]);
  ask.chunk({ content: 'b' }, [3, 4], 'stop').usage(3, 4, { cached: 1 }).done();
  expect(await call.ended()).toMatchObject({ completion: 4, end: { finish: 'stop', cached: 1 } });
});

test('MONEY 9: a finish chunk that crosses the last grant is not the end that is told', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: LAST });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'a' }, [3, 3]);
  ask.chunk({ content: 'bcd' }, [3, 6], 'stop').usage(3, 6).done();
  expect(await call.ended()).toMatchObject({
    completion: 3,
    end: { finish: 'length' },
  });
});

test('a text completion that is cut short has the text before', async () => {
  await using rig = await startRig();
  const body = { model: 'test/plain', prompt: 'Once' };
  const call = rig.session.open(body, { grant: LAST, endpoint: 'completions' });
  (await rig.engine.ask()).accept().text(' upon', [1, 1]).text(' a time', [1, 5]);
  expect((await call.ended()).end).toMatchObject({ finish: 'length' });
  expect(call.content).toBe(' upon');
});

test('MONEY 9: a whole answer that is cut short holds what was granted', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: LAST, streamed: false });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'a' }, [3, 3]);
  ask.chunk({ content: 'bcd' }, [3, 6]);
  const { completion, end } = await call.ended();
  expect(completion).toBe(3);
  expect(end).toMatchObject({ finish: 'length' });
  expect(call.content).toBe('a');
  expect(call.records.at(-1)?.completion).toBe(3);
});

test('an answer that waits for tokens is not read on', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: SLICE });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'abc' }, [3, 6]);
  await call.until(() => call.records.length === 2);
  let written = 0;
  const flood = () => {
    while (written < 2_000 && ask.response.write(chunkOf(6))) written += 1;
  };
  ask.response.on('drain', flood);
  flood();
  await standstill(() => written);
  expect(written).toBeLessThan(1_900);
  call.grant({ tokens: 100_000 });
  await turnUntil(() => written === 2_000);
  ask.chunk({}, [3, 7], 'stop').usage(3, 7).done();
  await call.ended();
  expect(call.deltas.length).toBeGreaterThan(2_000);
});

const FILL = 'x'.repeat(8_000);

function chunkOf(tokens: number): string {
  const usage = { prompt_tokens: 3, completion_tokens: tokens };
  const choices = [{ index: 0, delta: { content: FILL }, finish_reason: null }];
  return `data: ${JSON.stringify({ choices, usage })}\n\n`;
}

test('a giant chunk is cut at the byte window, and its last piece carries its count', async () => {
  await using rig = await startRig();
  // Each character has three bytes, so 1,500 of them fill this window exactly.
  const call = rig.session.open(HELLO, { grant: { ...AMPLE, bytes: costOf(1, 4_500) } });
  const giant = '水'.repeat(700_000);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: giant }, [3, 5]);
  ask.chunk({}, [3, 6], 'stop').usage(3, 6).done();
  await call.until(() => call.bytes === costOf(1, 4_500));
  // With 1,201 bytes only 400 characters (1,200 bytes) are sent. With less than a kilobyte nothing
  // is sent.
  call.grant({ bytes: costOf(2, 4_500 + 1_201) });
  await call.until(() => call.bytes === costOf(2, 4_500 + 1_200));
  call.grant({ bytes: costOf(3, 4_500 + 1_200 + 1_000) });
  expect(call.records.every((record) => record.completion === 0)).toBe(true);
  call.grant({ bytes: 4_000_000 });
  expect((await call.ended()).completion).toBe(6);
  expect(call.deltas.length).toBeLessThan(20);
  expect(call.content === giant).toBe(true);
  const counts = call.records.map((record) => record.completion);
  expect(counts.at(-1)).toBe(5);
  expect(counts.slice(0, -1).every((count) => count === 0)).toBe(true);
});

test('text is cut between characters and escapes, and a tool call not at all', async () => {
  await using rig = await startRig();
  const grant = { ...AMPLE, bytes: costOf(1, 2_000) };
  const call = rig.session.open(HELLO, { grant });
  const text = 'a\u0001\n"水\u{1f30a}'.repeat(500);
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: text }, [3, 5]);
  const name = 'f'.repeat(500);
  ask.chunk({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: text } }] }, [3, 8]);
  ask.chunk({}, [3, 9], 'tool_calls').usage(3, 9).done();
  await call.until(() => call.bytes > 1_900);
  while (call.ends.length === 0) {
    const before = call.records.length;
    call.grant({ bytes: call.bytes + costOf(1, 1_100) });
    await call.until(() => call.records.length > before || call.ends.length > 0);
  }
  expect(call.content).toBe(text);
  expect(call.calls).toEqual([{ id: 'a', name, arguments: text }]);
});

test('an END waits for the deltas before it', async () => {
  await using rig = await startRig();
  const grant = { ...AMPLE, bytes: costOf(1, 0) };
  const call = rig.session.open(HELLO, { grant, streamed: false });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'x' }, [3, 5]);
  ask.chunk({}, [3, 6], 'stop').usage(3, 6).done();
  await rig.engine.gate.until(() => ask.response.writableFinished);
  await delivered();
  expect([call.bytes, call.ends.length]).toEqual([0, 0]);
  call.grant({ bytes: 4_000 });
  expect((await call.ended()).end).toMatchObject({ finish: 'stop' });
  expect(call.content).toBe('x');
});

test('a break while the answer waits fails it once it has been read so far', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { grant: SLICE });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'abc' }, [3, 6]);
  await call.until(() => call.records.length === 2);
  ask.response.end();
  call.grant({ tokens: 100 });
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
});

test('without running usage the prompt counts 0 until the end, which says it all', async () => {
  await using rig = await startRig({ engine: { version: null, onProbe: countsLate } });
  expect(rig.session.load()?.runningUsage).toBe(false);
  const call = rig.session.open(HELLO, { grant: { ...AMPLE, tokens: 100, final: true } });
  const ask = (await rig.engine.ask()).accept();
  ask
    .chunk({ role: 'assistant', content: 'a' })
    .chunk({ content: 'b' })
    .chunk({}, undefined, 'stop');
  ask.usage(3, 2).done();
  expect(await call.ended()).toMatchObject({
    prompt: 3,
    completion: 2,
    end: { finish: 'stop' },
  });
  expect(call.records.map((record) => [record.prompt, record.completion])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(ask.body['stream_options']).toEqual({ include_usage: true });
  expect(ask.body).not.toHaveProperty('cache_salt');
});

test('a full link stops the reading of engines until it has drained', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await call.until(() => call.records.length === 1);
  rig.session.socket.pause();
  const wanted = 6_000;
  let written = 0;
  const flood = () => {
    while (written < wanted && ask.response.write(chunkOf(4))) written += 1;
  };
  ask.response.on('drain', flood);
  flood();
  await standstill(() => written);
  expect(written * FILL.length).toBeLessThan(40_000_000);
  rig.session.socket.resume();
  await turnUntil(() => written === wanted);
  ask.chunk({}, [3, 5], 'stop').usage(3, 5).done();
  await call.ended();
  expect(call.deltas.length).toBeGreaterThanOrEqual(wanted);
});
