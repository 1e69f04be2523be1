/** Engines of other kinds: detected by queries, and translated into the public format. */
import { describe, expect, test } from 'vitest';
import { delivered, turn } from './support/gate.ts';
import { HELLO, notesOf, startRig, untilLoad } from './support/rig.ts';
import { type EngineRequest, salting, type ScriptOptions } from './support/scripted-engine.ts';

const SGLANG: ScriptOptions = {
  version: null,
  pages: {
    '/get_server_info': {
      tokenizer_path: '/models/x',
      version: '0.5.9',
      max_total_num_tokens: 400_000,
      enable_cache_report: true,
      reasoning_parser: 'qwen3',
      tool_call_parser: null,
      api_key: 'must-not-be-told',
    },
    '/abort_request': {},
  },
  onProbe: salting,
};

const LLAMACPP: ScriptOptions = {
  version: null,
  pages: {
    '/props': {
      default_generation_settings: { n_ctx: 8_192 },
      total_slots: 4,
      build_info: 'b7000-abcdef1',
      chat_template: '{{ messages }}',
    },
    '/apply-template': { prompt: '<|user|>hello' },
  },
  onProbe: (ask) => timed(ask),
};

function timed(ask: EngineRequest): void {
  const timings = { cache_n: 0, prompt_n: 200, predicted_n: 1 };
  ask.accept().chunk({ role: 'assistant', content: null });
  ask.event({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }], timings });
  ask.event({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }], timings });
  ask.usage(200, 1).done();
}

describe('SGLang', () => {
  test('is found by what it says of itself, and its figures by their own names', async () => {
    await using rig = await startRig({ engine: SGLANG });
    rig.engine.metrics = `sglang:num_running_reqs{model_name="x"} 5.0
sglang:num_queue_reqs{model_name="x"} 2.0
sglang:token_usage{model_name="x"} 0.5
sglang:cached_tokens_total{cache_source="device"} 300.0
sglang:cached_tokens_total{cache_source="host"} 40.0
sglang:prompt_tokens_total{model_name="x"} 1000.0`;
    await untilLoad(rig, () => rig.session.load()?.running === 5);
    expect(rig.session.load()).toMatchObject({
      engine: 'sglang 0.5.9',
      kvTokens: 400_000,
      salted: true,
      runningUsage: true,
      waiting: 2,
      kvUse: 0.5,
      // Without the agent's own three probes of 200 tokens, and the hits of the second probe.
      prefixHitTokens: 148,
      prefixQueryTokens: 400,
    });
    expect(rig.session.load()?.notes).toEqual([expect.stringContaining('--tool-call-parser')]);
    expect(JSON.stringify(rig.session.load())).not.toContain('must-not');
  });

  test('gets the salt and an id of its own, and its thoughts and counts come in the public form', async () => {
    await using rig = await startRig({ engine: SGLANG });
    const call = rig.session.open(HELLO, { completionId: 'chatcmpl-abc' });
    const ask = await rig.engine.ask();
    expect(ask.body).toMatchObject({
      rid: 'abc',
      cache_salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    ask.accept().chunk({ role: 'assistant', content: '' }, [9, 0]);
    ask.chunk({ reasoning_content: 'hm', content: null }, [9, 1]).chunk({ content: 'yes' }, [9, 2]);
    ask.chunk({}, undefined, 'stop');
    ask.event({
      choices: [],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 4 },
        reasoning_tokens: 1,
      },
    });
    ask.done();
    const { end, completion } = await call.ended();
    expect(end).toMatchObject({ outcome: 'finished', finish: 'stop', cached: 4, reasoning: 1 });
    expect(completion).toBe(3);
    expect(call.deltas).toEqual([{ reasoning: 'hm' }, { content: 'yes' }]);
    expect(rig.engine.posted).toEqual([]);
  });

  test('a cached count that is left out is zero, where it reports them', async () => {
    await using rig = await startRig({ engine: SGLANG });
    const call = rig.session.open(HELLO);
    (await rig.engine.ask()).accept().role(9).chunk({}, [9, 1], 'stop').usage(9, 1).done();
    expect((await call.ended()).end).toMatchObject({ cached: 0 });
  });

  test('a client that leaves: the engine is told by the request id, and only then loses the connection', async () => {
    await using rig = await startRig({ engine: SGLANG });
    const call = rig.session.open(HELLO, { completionId: 'chatcmpl-abc' });
    const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'x' }, [3, 1]);
    await call.until(() => call.records.length === 2);
    let abortedFirst: boolean | null = null;
    rig.engine.onPost = () => (abortedFirst = ask.aborted);
    call.cancel();
    expect((await call.ended()).end).toEqual({ outcome: 'cancelled', accepted: true });
    await ask.untilAborted();
    expect(rig.engine.posted).toEqual([{ path: '/abort_request', body: { rid: 'abc' } }]);
    expect(abortedFirst).toBe(false);
  });

  test('an engine that does not answer the abort loses the connection within a second all the same', async () => {
    await using rig = await startRig({ engine: SGLANG });
    const call = rig.session.open(HELLO);
    const ask = (await rig.engine.ask()).accept().role(3);
    await call.until(() => call.records.length === 1);
    rig.engine.mute.add('/abort_request');
    const before = rig.clock.monotonic();
    call.cancel();
    await call.ended();
    await rig.engine.gate.until(() => rig.engine.posted.length === 1);
    expect(ask.aborted).toBe(false);
    while (!ask.aborted) {
      rig.clock.advance(100);
      await turn();
    }
    expect(rig.clock.monotonic() - before).toBeLessThan(2_000);
  });

  test('finish_reason abort and an error without a shell are failures', async () => {
    await using rig = await startRig({ engine: SGLANG });
    const one = rig.session.open(HELLO);
    (await rig.engine.ask()).accept().role(3).chunk({}, [3, 1], 'abort').usage(3, 1).done();
    expect((await one.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
    const two = rig.session.open(HELLO);
    const ask = (await rig.engine.ask(2)).accept().role(3);
    ask
      .event({ object: 'error', message: 'CUDA error', type: 'InternalServerError', code: 500 })
      .done();
    expect((await two.ended()).end).toEqual({ outcome: 'failed', reason: 'engine' });
  });

  test('a refusal that comes as the first event says the same as one with a status', async () => {
    await using rig = await startRig({ engine: SGLANG });
    const message =
      "The input (9000 tokens) is longer than the model's context length (8192 tokens).";
    const errors: readonly [object, string][] = [
      [{ error: { object: 'error', message, code: 400 } }, 'context_length'],
      [{ object: 'error', message: 'tools are not supported', code: 400 }, 'bad_request'],
      [{ error: { message: 'The request queue is full.', code: 503 } }, 'busy'],
    ];
    for (const [nth, [event, reason]] of errors.entries()) {
      const call = rig.session.open(HELLO);
      (await rig.engine.ask(nth + 1)).accept().event(event).done();
      expect((await call.ended()).end).toEqual({ outcome: 'failed', reason });
    }
  });

  test('one that ignores the salt is found out, though it may say what it likes', async () => {
    const onProbe = (ask: EngineRequest, nth: number) =>
      ask
        .accept()
        .role(200)
        .chunk({}, [200, 1], 'length')
        .usage(200, 1, { cached: nth > 1 ? 192 : 0 })
        .done();
    await using rig = await startRig({ engine: { ...SGLANG, onProbe } });
    expect(rig.session.load()?.salted).toBe(false);
    expect(notesOf(rig)).toContain('shared between organizations');
  });

  test('one that does not tell what was cached has not shown that it keeps salts apart', async () => {
    const pages = { '/server_info': { tokenizer_path: '/m', version: '0.5.9' } };
    await using rig = await startRig({ engine: { version: null, pages } });
    expect(rig.session.load()).toMatchObject({ engine: 'sglang 0.5.9', salted: false });
  });

  test('one that was started with no switches serves, and says what each of them costs', async () => {
    const info = { tokenizer_path: '/m', version: '0.5.9', enable_cache_report: false };
    const pages = { '/server_info': { ...info, internal_states: [{ max_total_num_tokens: 100 }] } };
    await using rig = await startRig({ engine: { version: null, pages }, metrics: null });
    await untilLoad(rig, () => rig.clock.monotonic() > 20_000);
    expect(rig.session.load()).toMatchObject({ phase: 'ready', kvTokens: 100 });
    expect(notesOf(rig)).toMatch(/--enable-cache-report.*\n.*--enable-metrics/);
    const call = rig.session.open(HELLO);
    const ask = (await rig.engine.ask()).accept().role(50);
    await untilLoad(rig, () => rig.session.load()?.running === 1);
    ask.chunk({}, [50, 1], 'stop').usage(50, 1).done();
    expect((await call.ended()).end).toMatchObject({ cached: null });
  });
});

describe('llama.cpp', () => {
  test('is found by its slots; no salt, and that is said', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    rig.engine.metrics = 'llamacpp:requests_processing 3\nllamacpp:requests_deferred 1\n';
    await untilLoad(rig, () => rig.session.load()?.running === 3);
    expect(rig.session.load()).toMatchObject({
      engine: 'llamacpp b7000-abcdef1',
      // Four slots, which may share the cache: it has no more for certain than one of them.
      kvTokens: 8_192,
      salted: false,
      runningUsage: true,
      waiting: 1,
    });
    expect(rig.session.load()?.notes).toEqual([
      expect.stringContaining('shared between'),
      expect.stringContaining('one KV cache of 8192 tokens'),
    ]);
    expect(rig.engine.probes[0]?.body['cache_salt']).toBeUndefined();
  });

  test('newer builds count what their cache found: an engine that was asked nothing has an empty cache', async () => {
    const metrics = (found: number, processed: number) =>
      `llamacpp:prompt_tokens_total ${processed}\nllamacpp:prompt_tokens_cached_total ${found}\n`;
    await using rig = await startRig({ engine: LLAMACPP, metrics: metrics(0, 0) });
    // The agent's own two probes of 200 tokens are not counted.
    rig.engine.metrics = metrics(0, 400);
    await untilLoad(rig, () => rig.clock.monotonic() > 5_000);
    expect(rig.session.load()).toMatchObject({ prefixQueryTokens: 0, prefixHitTokens: 0 });
    rig.engine.metrics = metrics(90, 410);
    await untilLoad(rig, () => rig.session.load()?.prefixQueryTokens === 100);
    expect(rig.session.load()?.prefixHitTokens).toBe(90);
  });

  test('older builds report how full their cache is', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    rig.engine.metrics = 'llamacpp:kv_cache_usage_ratio 0.25\nllamacpp:prompt_tokens_total 400\n';
    await untilLoad(rig, () => rig.session.load()?.kvUse === 0.25);
    // Without a count of hits, how much was looked up is not known from the metrics.
    expect(rig.session.load()?.prefixQueryTokens).toBe(1);
  });

  test('its timings are its running counts, through comments that keep the connection alive', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    const call = rig.session.open(HELLO);
    const ask = (await rig.engine.ask()).accept().raw(': ping\n\n');
    expect(ask.body).toMatchObject({ timings_per_token: true });
    expect(ask.body).not.toHaveProperty('cache_salt');
    const chunk = (delta: object, predicted: number, finish: string | null = null) =>
      ask.event({
        choices: [{ index: 0, delta, finish_reason: finish }],
        timings: { cache_n: 5, prompt_n: 6, predicted_n: predicted },
      });
    ask.chunk({ role: 'assistant', content: null });
    chunk({ reasoning_content: 'so' }, 1).raw(':\n\n');
    chunk({ content: 'well' }, 3);
    chunk({}, 4, 'stop');
    ask.event({
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 4 },
      timings: { cache_n: 5, prompt_n: 6, predicted_n: 4 },
    });
    ask.done();
    const { prompt, completion, end } = await call.ended();
    expect([prompt, completion]).toEqual([11, 4]);
    expect(end).toMatchObject({ finish: 'stop', cached: 5 });
    expect(call.records.map((record) => [record.prompt, record.completion])).toEqual([
      [11, 1],
      [11, 3],
    ]);
    expect(call.deltas).toEqual([{ reasoning: 'so' }, { content: 'well' }]);
    // One more than was sent through the agent: traffic from before the agent's start is unknown,
    // but not zero.
    await untilLoad(rig, () => rig.session.load()?.prefixQueryTokens === 12);
    expect(rig.session.load()?.prefixHitTokens).toBe(5);
  });

  test('JSON mode asks for an object, because some builds write any text without a schema', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    rig.session.open({ ...HELLO, response_format: { type: 'json_object' } });
    expect((await rig.engine.ask()).body['response_format']).toEqual({
      type: 'json_object',
      schema: { type: 'object' },
    });
  });

  test('builds without a count of what was cached have their output held whole', async () => {
    const onProbe = (ask: EngineRequest) => {
      const timings = { prompt_n: 200, predicted_n: 1 };
      ask
        .accept()
        .event({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }], timings });
      ask.chunk({}, undefined, 'length').usage(200, 1).done();
    };
    await using rig = await startRig({ engine: { ...LLAMACPP, onProbe } });
    expect(rig.session.load()?.runningUsage).toBe(false);
    expect(notesOf(rig)).toContain('no running usage');
  });

  test('a prompt is counted by rendering it and then listing its tokens', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    rig.engine.pages['/tokenize'] = { tokens: [1, 2, 3, 4] };
    const call = rig.session.open(HELLO);
    (await rig.engine.ask()).accept();
    await delivered();
    call.cancel();
    const { prompt, end } = await call.ended();
    expect(end).toEqual({ outcome: 'cancelled', accepted: true });
    expect(prompt).toBe(4);
  });

  test('while it loads it is joining, and says so', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    rig.engine.health = 503;
    rig.engine.healthText =
      '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}';
    await untilLoad(rig, () => rig.session.load()?.phase === 'joining');
    await untilLoad(rig, () => notesOf(rig).includes('being loaded'));
    rig.engine.health = 200;
    await untilLoad(rig, () => rig.session.load()?.phase === 'ready');
    expect(notesOf(rig)).not.toContain('loaded');
  });

  test('its refusal of a prompt that is too long is one of the prompt', async () => {
    await using rig = await startRig({ engine: LLAMACPP });
    const call = rig.session.open(HELLO);
    const message =
      'the request exceeds the available context size. try increasing the context size';
    (await rig.engine.ask()).refuse(400, message);
    expect((await call.ended()).end).toEqual({ outcome: 'failed', reason: 'context_length' });
  });
});

describe('others', () => {
  test('Ollama is not made to load a model only to be tried out', async () => {
    const pages = { '/api/version': { version: '0.20.1' } };
    await using rig = await startRig({ engine: { version: null, pages } });
    expect(rig.session.load()).toMatchObject({ engine: 'ollama 0.20.1', salted: false });
    expect(rig.engine.probes.length).toBe(0);
    expect(notesOf(rig)).toContain('num_ctx');
  });

  test('an unknown engine is a plain server, without salt or anything else of our own', async () => {
    await using rig = await startRig({ engine: { version: null } });
    expect(rig.session.load()).toMatchObject({ engine: 'openai', salted: false, kvTokens: null });
    const call = rig.session.open(HELLO);
    const ask = await rig.engine.ask();
    expect(Object.keys(ask.body).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'stream',
      'stream_options',
    ]);
    expect(ask.body['stream_options']).toEqual({ include_usage: true });
    call.cancel();
    await call.ended();
  });

  test('what an engine says of itself is bounded and cleaned before it is told on', async () => {
    const pages = {
      '/props': {
        default_generation_settings: {},
        total_slots: 1,
        build_info: 'x\nevil'.repeat(99),
      },
    };
    await using rig = await startRig({ engine: { version: null, pages } });
    expect(rig.session.load()).toMatchObject({ engine: 'llamacpp', kvTokens: null });
  });
});

test('vLLM tells of its cache and its parser in its answers alone: a switch that is missing shows there', async () => {
  const onProbe = (ask: EngineRequest) =>
    ask.accept().role(200).chunk({}, [200, 1], 'length').usage(200, 1, { cached: 0 }).done();
  await using rig = await startRig({ engine: { onProbe } });
  rig.engine.metrics = `vllm:cache_config_info{block_size="16",engine="0",num_gpu_blocks="1000",x="1"} 1.0
vllm:cache_config_info{block_size="16",engine="1",num_gpu_blocks="1000"} 1.0
vllm:num_requests_running 1.0`;
  await untilLoad(rig, () => rig.session.load()?.running === 1);
  expect(rig.session.load()).toMatchObject({ salted: true, kvTokens: 32_000, notes: [] });
  const call = rig.session.open({ ...HELLO, model: 'test/thinker' }, { model: 'test/thinker' });
  const ask = (await rig.engine.ask()).accept().role(3).chunk({ content: 'hm, hm' }, [3, 2]);
  ask.chunk({ content: '</think>' }, [3, 3]).chunk({ content: 'yes' }, [3, 4]);
  ask.chunk({}, [3, 5], 'stop').usage(3, 5).done();
  await call.ended();
  await untilLoad(rig, () => notesOf(rig).includes('--reasoning-parser'));
});
