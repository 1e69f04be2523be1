import { expect, test } from 'vitest';
import {
  chatBody,
  contentOf,
  finishOf,
  PLAIN,
  startRig,
  streamBody,
  THINKS_WHEN_ASKED,
  usageOf,
} from './rig.ts';

const ASK = 'Write exactly 20 tokens.';

test('error_event: an error with code 500 and then [DONE], over a 200', async () => {
  await using rig = await startRig();
  await rig.faults({ error_event: { after_tokens: 4 } });
  const answer = await rig.stream(ASK);
  expect(answer.status).toBe(200);
  expect(answer.complete).toBe(true);
  const [error, done] = answer.events.slice(-2);
  expect(JSON.parse(error ?? '')).toMatchObject({
    error: { code: 500, type: 'InternalServerError' },
  });
  expect(done).toBe('[DONE]');
  // The role and four tokens came before the fault.
  expect(answer.events).toHaveLength(5 + 2);
  expect((await rig.chat(ASK)).status).toBe(500);
  await rig.until(({ running, aborted }) => running === 0 && aborted === 2);
});

test('eof: the response ends in order, but has neither finish_reason nor [DONE]', async () => {
  await using rig = await startRig();
  await rig.faults({ eof: { after_tokens: 3 } });
  const answer = await rig.stream(ASK);
  expect(answer.complete).toBe(true);
  expect(answer.events).not.toContain('[DONE]');
  expect(finishOf(answer.chunks())).toBeUndefined();
  expect(answer.chunks()).toHaveLength(4);
});

test('reset: the connection breaks mid-stream', async () => {
  await using rig = await startRig();
  await rig.faults({ reset: { after_tokens: 3 } });
  // The reset may overtake what was sent before it, including the headers.
  const answer = await rig.stream(ASK).catch(() => null);
  expect(answer?.complete ?? false).toBe(false);
  await rig.until(({ running, aborted }) => running === 0 && aborted === 1);
});

test('stall: tokens stop, others go on, and clearing the fault lets it end', async () => {
  await using rig = await startRig();
  await rig.faults({ stall: { after_tokens: 2, count: 1 } });
  const call = rig.open('/v1/chat/completions', streamBody(ASK));
  await rig.until(({ running }) => running === 1);
  expect(finishOf((await rig.stream(ASK)).chunks())).toBe('stop');
  expect(await rig.requests()).toMatchObject({ running: 1, finished: 1 });
  await rig.clearFaults();
  const answer = await call.answer;
  expect(finishOf(answer.chunks())).toBe('stop');
  expect(usageOf(answer.chunks())?.completion_tokens).toBe(20);
});

test('hang_before_first: not even headers come, and leaving frees the place', async () => {
  await using rig = await startRig();
  await rig.faults({ hang_before_first: {} });
  const call = rig.open('/v1/chat/completions', streamBody(ASK));
  await rig.until(({ running }) => running === 1);
  call.abort();
  await expect(call.answer).rejects.toThrow();
  await rig.until(({ running, aborted }) => running === 0 && aborted === 1);
  await rig.faults({ hang_before_first: {} });
  const patient = rig.open('/v1/chat/completions', streamBody(ASK));
  await rig.until(({ running }) => running === 1);
  await rig.clearFaults();
  expect(finishOf((await patient.answer).chunks())).toBe('stop');
});

test('slow_drip: each token takes so much longer', async () => {
  await using rig = await startRig();
  await rig.faults({ slow_drip: { ms: 15 } });
  const began = performance.now();
  const answer = await rig.stream('Write exactly 6 tokens.');
  expect(performance.now() - began).toBeGreaterThan(5 * 14);
  expect(usageOf(answer.chunks())?.completion_tokens).toBe(6);
});

test('split_utf8: a character comes in two reads', async () => {
  await using rig = await startRig();
  await rig.faults({ split_utf8: {} });
  const answer = await rig.stream(ASK);
  const whole = answer.reads.map((read) => read.toString('utf8')).join('');
  expect(whole).toContain('\uFFFD');
  expect(answer.text).not.toContain('\uFFFD');
  expect(contentOf(answer.chunks())).toMatch(/\P{ASCII}/u);
  expect(answer.events.at(-1)).toBe('[DONE]');
});

test('split_utf8: a client that leaves between the halves harms nobody', async () => {
  await using rig = await startRig();
  await rig.faults({ split_utf8: {} });
  const call = rig.open('/v1/chat/completions', streamBody('Write exactly 5000 tokens.'));
  await call.received(300);
  call.abort();
  await rig.until(({ running, aborted }) => running === 0 && aborted === 1);
  expect(finishOf((await rig.stream(ASK)).chunks())).toBe('stop');
});

test('giant_chunk: one delta of the size that was asked for', async () => {
  await using rig = await startRig();
  await rig.faults({ giant_chunk: { bytes: 300_000 } });
  const answer = await rig.stream(ASK);
  const sizes = answer.events.map((data) => data.length);
  expect(sizes.filter((size) => size > 300_000)).toHaveLength(1);
  expect(finishOf(answer.chunks())).toBe('stop');
});

test('death: every stream ends bare, everything is a 503, and clearing revives it', async () => {
  await using rig = await startRig();
  const bystander = rig.open('/v1/chat/completions', streamBody('Write exactly 5000 tokens.'));
  await bystander.received(500);
  await rig.faults({ death: { after_tokens: 3, model: THINKS_WHEN_ASKED } });
  const victim = await rig.stream(ASK, { model: THINKS_WHEN_ASKED });
  const other = await bystander.answer;
  for (const answer of [victim, other]) {
    expect(answer.complete).toBe(false);
    expect(answer.events).not.toContain('[DONE]');
    expect(finishOf(answer.chunks())).toBeUndefined();
  }
  expect((await rig.send('/health', undefined)).status).toBe(503);
  expect((await rig.chat(ASK)).error().code).toBe(503);
  expect(await rig.requests()).toMatchObject({ running: 0, waiting: 0, aborted: 2 });
  await rig.clearFaults();
  expect((await rig.send('/health', undefined)).status).toBe(200);
  expect((await rig.chat(ASK)).status).toBe(200);
});

test('death can pass by itself', async () => {
  await using rig = await startRig();
  await rig.faults({ death: { for_ms: 1, count: 1 } });
  await rig.stream(ASK);
  for (let status = 503; status !== 200; ) status = (await rig.send('/health', undefined)).status;
  expect((await rig.chat(ASK)).status).toBe(200);
});

test('wrong_usage: figures as they are told, in the stream and at its end', async () => {
  await using rig = await startRig();
  await rig.faults({
    wrong_usage: { prompt_tokens: -5, completion_tokens: { factor: 10 }, cached_tokens: 99_999 },
  });
  expect(usageOf((await rig.stream(ASK)).chunks())).toEqual({
    prompt_tokens: -5,
    completion_tokens: 200,
    total_tokens: 195,
    prompt_tokens_details: { cached_tokens: 99_999 },
  });
  await rig.faults({ wrong_usage: { completion_tokens: 'nan', cached_tokens: 'missing' } });
  const { events } = await rig.stream(ASK);
  const usage = events.at(-2) ?? '';
  expect(usage).toContain('"completion_tokens":NaN');
  expect(usage).not.toContain('cached_tokens');
  await rig.faults({ wrong_usage: { completion_tokens: 'missing' } });
  const whole = await rig.chat(ASK);
  expect(whole.text).not.toContain('completion_tokens');
});

test('no_usage: none on any chunk, though it was asked for', async () => {
  await using rig = await startRig();
  await rig.faults({ no_usage: {} });
  const answer = await rig.stream(ASK, {
    stream_options: { include_usage: true, continuous_usage_stats: true },
  });
  // The role chunk is sent before any token.
  expect(
    answer
      .chunks()
      .slice(1)
      .every(({ usage }) => usage === undefined),
  ).toBe(true);
  expect(answer.events.at(-1)).toBe('[DONE]');
});

test('http_500 and http_503 refuse the request, as often as they are told to', async () => {
  await using rig = await startRig();
  await rig.faults({ http_500: { count: 1 }, http_503: { model: THINKS_WHEN_ASKED } });
  expect((await rig.chat(ASK)).error().code).toBe(500);
  expect((await rig.chat(ASK)).status).toBe(200);
  expect((await rig.chat(ASK, { model: THINKS_WHEN_ASKED })).error().code).toBe(503);
  const { text } = await rig.send('/sim/faults', undefined);
  expect(JSON.parse(text)).toMatchObject({ taken: { http_500: 1, http_503: 1 } });
});

test('request_500 is what a request makes the engine raise, in its words, and the engine goes on', async () => {
  await using rig = await startRig();
  await rig.faults({ request_500: { message: 'tokenizer raised' } });
  expect((await rig.chat(ASK)).error()).toMatchObject({ code: 500, message: 'tokenizer raised' });
  await rig.faults({ request_500: { count: 1 }, http_429: {} });
  expect((await rig.chat(ASK)).error().message).toContain('surrogates not allowed');
  expect((await rig.chat(ASK)).error().code).toBe(429);
});

test('no_finish: [DONE] without a finish_reason', async () => {
  await using rig = await startRig();
  await rig.faults({ no_finish: {} });
  const answer = await rig.stream(ASK);
  expect(finishOf(answer.chunks())).toBeUndefined();
  expect(answer.events.at(-1)).toBe('[DONE]');
});

test('bad_json: one event that is none, among good ones', async () => {
  await using rig = await startRig();
  await rig.faults({ bad_json: {} });
  const { events } = await rig.stream(ASK);
  const bad = events.filter((data) => data !== '[DONE]' && !data.endsWith('}'));
  expect(bad).toHaveLength(1);
  expect(events.at(-1)).toBe('[DONE]');
});

test('content_on_finish: the last text is on the finish chunk, and nothing is lost', async () => {
  await using rig = await startRig();
  const usual = await rig.stream(ASK);
  await rig.faults({ content_on_finish: {} });
  const answer = await rig.stream(ASK);
  const finish = answer.chunks().find(({ choices }) => choices[0]?.finish_reason);
  expect(finish?.choices[0]?.delta?.content).not.toBe('');
  expect(contentOf(answer.chunks())).toBe(contentOf(usual.chunks()));
});

test('comments: pings between the chunks, which are no events', async () => {
  await using rig = await startRig();
  await rig.faults({ comments: {} });
  const answer = await rig.stream(ASK);
  expect(answer.text.match(/^: ping$/gm)?.length).toBeGreaterThan(10);
  expect(finishOf(answer.chunks())).toBe('stop');
});

test('a fault switched on reaches a stream that is under way', async () => {
  await using rig = await startRig();
  const call = rig.open('/v1/chat/completions', streamBody('Write exactly 5000 tokens.'));
  await call.received(500);
  await rig.faults({ eof: {} });
  expect((await call.answer).events).not.toContain('[DONE]');
});

test('a probability hits some and spares some, by the seed', async () => {
  await using rig = await startRig();
  await rig.faults({ http_500: { probability: 0.5 } });
  const statuses = [];
  for (let i = 0; i < 20; i++) statuses.push((await rig.chat('Write 1 word.')).status);
  expect(new Set(statuses)).toEqual(new Set([200, 500]));
});

test('a fault that is not known, or not so, is refused', async () => {
  await using rig = await startRig();
  expect((await rig.faults({ explode: {} })).status).toBe(400);
  expect((await rig.faults({ stall: { after_tokens: -1 } })).status).toBe(400);
  expect((await rig.faults({ stall: { sometimes: true } })).status).toBe(400);
  const posted = await rig.send('/sim/faults', { stall: {} });
  expect(JSON.parse(posted.text)).toMatchObject({
    faults: { stall: { after_tokens: 1, probability: 1 } },
    alive: true,
  });
});

test('faults spare what they are not aimed at', async () => {
  await using rig = await startRig();
  await rig.faults({ eof: { model: THINKS_WHEN_ASKED } });
  const answer = await rig.send('/v1/chat/completions', chatBody(ASK, { model: PLAIN }));
  expect(answer.status).toBe(200);
});

test('death of a text: the process ends at prompts that contain it, and at no others', async () => {
  let exits = 0;
  await using rig = await startRig({}, { exit: () => exits++ });
  const poison = 'Say "xyzzy" to me\nin 20 tokens.';
  const fault = { containing: 'xyzzy" to me\nin', after_tokens: 0, exit: true };
  await rig.faults({ death: fault });
  expect(finishOf((await rig.stream(ASK)).chunks())).toBe('stop');
  expect(exits).toBe(0);
  const answer = await rig.stream(poison);
  expect([exits, answer.complete, answer.events]).toEqual([1, false, []]);
  await rig.faults({ death: { ...fault, after_tokens: 5 } });
  const later = await rig.send('/v1/completions', {
    model: PLAIN,
    prompt: poison,
    stream: true,
  });
  expect([exits, later.complete]).toEqual([2, false]);
  expect(later.chunks()).toHaveLength(5);
});

test('an engine with --poison has the fault from its start', async () => {
  let exits = 0;
  await using rig = await startRig({ poison: 'xyzzy' }, { exit: () => exits++ });
  await rig.stream('xyzzy');
  expect(exits).toBe(1);
});

test('stall after 0 tokens: generation hangs, while /health and /version are as ever', async () => {
  await using rig = await startRig();
  await rig.faults({ stall: { after_tokens: 0 } });
  const call = rig.open('/v1/chat/completions', streamBody(ASK));
  await rig.until(({ running }) => running === 1);
  expect((await rig.send('/health', undefined)).status).toBe(200);
  expect((await rig.send('/version', undefined)).status).toBe(200);
  expect(await rig.requests()).toMatchObject({ running: 1, finished: 0 });
  await rig.clearFaults();
  expect(finishOf((await call.answer).chunks())).toBe('stop');
});
