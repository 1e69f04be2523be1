/**
 * The agent with the simulated engine of each kind: clients receive the same answers, whichever
 * engine serves the model.
 */
import { describe, expect, test } from 'vitest';
import { chatOf, startSimulated } from './support/simulated.ts';

const MODEL = 'qwen/qwen3.5-397b-a17b';
const HUB = 'Qwen/Qwen3.5-397B-A17B';

type Dialect = 'vllm' | 'sglang' | 'llamacpp';

/** Starts each kind as a good operator does, with all options that make it report what it does. */
function start(dialect: Dialect, sim: object = {}) {
  return startSimulated({ dialect, model: [HUB], enableCacheReport: true, ...sim });
}

const chat = (more: object = {}) => chatOf(MODEL, more);

const KINDS: readonly (readonly [Dialect, RegExp, boolean])[] = [
  ['vllm', /^vllm \d/, true],
  ['sglang', /^sglang \d/, true],
  ['llamacpp', /^llamacpp b\d/, false],
];

describe.each(KINDS)('%s', (dialect, title, salted) => {
  test('is found, tried out and ready, with nothing missing but what it cannot do', async () => {
    await using rig = await start(dialect);
    const load = rig.session.load();
    expect(load?.engine).toMatch(title);
    expect(load).toMatchObject({ salted, runningUsage: true, models: [MODEL] });
    expect(load?.kvTokens).toBeGreaterThan(10_000);
    const missing = ['shared between', 'share one KV cache'];
    expect(load?.notes).toEqual(
      salted ? [] : missing.map((words) => expect.stringContaining(words)),
    );
  });

  test('what its cache found is counted in the load, from the metrics of the engine', async () => {
    await using rig = await start(dialect);
    const body = chat({ messages: [{ role: 'user', content: 'water '.repeat(300) }] });
    for (let nth = 0; nth < 2; nth++) {
      await rig.session.open(body, { model: MODEL, maxTokens: 4 }).ended();
    }
    // Nothing but these two requests: the agent's own probes are not counted.
    const counts = () => rig.session.load();
    await rig.session.until(() => (counts()?.prefixQueryTokens ?? 0) > 500);
    expect(counts()?.prefixHitTokens).toBeGreaterThan(200);
    expect(counts()?.prefixHitTokens).toBeLessThan(400);
    expect(counts()?.prefixQueryTokens).toBeLessThan(900);
  });

  test('a streamed and a whole answer are the same, and count the same', async () => {
    await using rig = await start(dialect, { tokensPerChunk: 3 });
    const body = chat({ seed: 5 });
    const streamed = rig.session.open(body, { model: MODEL, maxTokens: 300 });
    const one = await streamed.ended();
    const whole = rig.session.open(body, { model: MODEL, maxTokens: 300, streamed: false });
    const other = await whole.ended();
    expect(whole.content).toBe(streamed.content);
    expect(whole.reasoning).toBe(streamed.reasoning);
    expect([other.prompt, other.completion]).toEqual([one.prompt, one.completion]);
    expect(one.completion).toBeGreaterThan(5);
    expect(streamed.records[0]?.prompt).toBe(one.prompt);
    expect(streamed.content).not.toBe('');
    expect(streamed.calls).toEqual([]);
  });

  test('the same prompt under one salt is found again; under another only where no salt is known', async () => {
    await using rig = await start(dialect);
    const body = chat({ messages: [{ role: 'user', content: 'water '.repeat(300) }] });
    const cached = [];
    for (const salt of ['a', 'a', 'b']) {
      const options = { model: MODEL, salt: salt.repeat(32), maxTokens: 4 };
      const { end } = await rig.session.open(body, options).ended();
      cached.push(end.outcome === 'finished' ? end.cached : null);
    }
    expect(cached[0]).toBeLessThan(60);
    expect(cached[1]).toBeGreaterThan(200);
    if (salted) expect(cached[2]).toBeLessThan(60);
    else expect(cached[2]).toBeGreaterThan(200);
  });

  test('thoughts come as reasoning, are gone when turned off, and calls of tools in the public form', async () => {
    await using rig = await start(dialect);
    const ask = async (reasoning?: object) => {
      const call = rig.session.open(chat(reasoning && { reasoning }), {
        model: MODEL,
        maxTokens: 400,
      });
      await call.ended();
      return call.reasoning;
    };
    expect(await ask()).not.toBe('');
    expect(await ask({ enabled: false })).toBe('');
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    };
    const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
    const body = chat({ tools, tool_choice: 'required', reasoning: { enabled: false } });
    const call = rig.session.open(body, { model: MODEL, streamed: false });
    expect((await call.ended()).end).toMatchObject({ finish: 'tool_calls' });
    expect(call.calls).toMatchObject([{ name: 'weather' }]);
    expect(JSON.parse(call.calls[0]?.arguments ?? '')).toHaveProperty('city');
  });

  test('the stop sequence that ended an answer is told, where the engine reports it', async () => {
    await using rig = await start(dialect);
    const ask = async (more: object) => {
      const body = chat({ seed: 5, reasoning: { enabled: false }, ...more });
      const call = rig.session.open(body, { model: MODEL, maxTokens: 300 });
      const { end } = await call.ended();
      return { content: call.content, end };
    };
    const { content, end: whole } = await ask({});
    expect(whole).not.toHaveProperty('stopSequence');
    const stop = content.slice(10, 20);
    const { end } = await ask({ stop: ['never said', stop] });
    const told = dialect === 'llamacpp' ? {} : { stopSequence: stop };
    expect(end).toEqual({ ...whole, cached: expect.anything(), finish: 'stop', ...told });
    // A longer one would not fit the last record.
    const long = content.slice(0, 129);
    expect((await ask({ stop: long })).end).not.toHaveProperty('stopSequence');
  });

  test('a client that leaves stops it', async () => {
    await using rig = await start(dialect, { tokenMs: 20 });
    const call = rig.session.open(chat(), { model: MODEL, maxTokens: 4_000 });
    await call.until(() => call.records.length >= 3);
    call.cancel();
    expect((await call.ended()).end).toEqual({ outcome: 'cancelled', accepted: true });
    while ((await rig.requests()).running > 0);
    expect((await rig.requests()).aborted).toBe(1);
  });

  test('a client that leaves before the first token pays the prompt that the tokenizer counts', async () => {
    await using rig = await start(dialect, { prefillUs: 5_000 });
    const messages = [{ role: 'user', content: 'water '.repeat(400) }];
    const call = rig.session.open(chat({ messages }), { model: MODEL });
    while ((await rig.requests()).running === 0);
    call.cancel();
    const { prompt, end } = await call.ended();
    expect(end).toEqual({ outcome: 'cancelled', accepted: true });
    expect(prompt).toBeGreaterThan(400);
  });

  test('a prompt that does not fit is refused for that, in whatever words', async () => {
    await using rig = await start(dialect, { kvBlocks: 64 });
    const messages = [{ role: 'user', content: 'water '.repeat(5_000) }];
    const call = rig.session.open(chat({ messages }), { model: MODEL });
    const { end } = await call.ended();
    expect(end).toMatchObject({ outcome: 'failed', reason: 'context_length' });
    // Only the others list their context.
    if (dialect !== 'llamacpp') expect(end).toMatchObject({ contextLength: 1_024 });
  });

  test('an answer may be as long as the catalog allows, though the context is shorter', async () => {
    await using rig = await start(dialect, { kvBlocks: 256 });
    const options = { model: MODEL, maxTokens: 200_000 };
    const { end } = await rig.session.open(chat(), options).ended();
    expect(end).toMatchObject({ outcome: 'finished' });
    const text = { model: MODEL, prompt: 'Once upon a time' };
    const completion = rig.session.open(text, { ...options, endpoint: 'completions' });
    expect((await completion.ended()).end).toMatchObject({ outcome: 'finished' });
  });

  test('a text completion streams its text', async () => {
    await using rig = await start(dialect);
    const call = rig.session.open(
      { model: MODEL, prompt: 'Once upon a time' },
      { model: MODEL, endpoint: 'completions', maxTokens: 20 },
    );
    const { completion, end } = await call.ended();
    expect(end).toMatchObject({ outcome: 'finished' });
    expect(completion).toBeLessThanOrEqual(20);
    expect(call.content).not.toBe('');
  });

  test('a text completion without a length goes on until it ends', async () => {
    await using rig = await start(dialect);
    const call = rig.session.open(
      { model: MODEL, prompt: 'Write exactly 40 tokens.' },
      { model: MODEL, endpoint: 'completions', maxTokens: null },
    );
    const { completion, end } = await call.ended();
    expect(end).toMatchObject({ outcome: 'finished', finish: 'stop' });
    expect(completion).toBe(40);
  });

  const FAULTS: readonly [string, object, string][] = [
    ['an error event', { error_event: {} }, 'engine'],
    ['an end of file', { eof: {} }, 'engine'],
    ['a reset', { reset: {} }, 'engine'],
    ['no finish_reason', { no_finish: {} }, 'engine'],
    ['bad JSON', { bad_json: {} }, 'engine'],
    ['a 503', { http_503: {} }, 'busy'],
    ['a 500', { http_500: {} }, 'engine'],
    ['death', { death: { for_ms: 200 } }, 'engine_died'],
  ];
  test.each(FAULTS)('%s fails the answer', async (_name, faults, reason) => {
    await using rig = await start(dialect);
    await rig.faults(faults);
    const call = rig.session.open(chat(), { model: MODEL });
    expect((await call.ended()).end).toEqual({ outcome: 'failed', reason });
  });
});

describe('vLLM as operators start it', () => {
  const notes = async (sim: object) => {
    await using rig = await start('vllm', sim);
    return rig.session.load()?.notes ?? [];
  };

  test('without parsers, the notes name the flags before any customer has asked', async () => {
    expect(await notes({ toolCallParser: false })).toEqual([
      expect.stringContaining('--enable-auto-tool-choice --tool-call-parser is not set'),
    ]);
    expect(await notes({ reasoningParser: false })).toEqual([
      expect.stringContaining('--reasoning-parser is not set'),
    ]);
  });

  test('a server that only resembles it serves, and is known not to keep caches apart', async () => {
    await using rig = await start('vllm', { vllmLike: true });
    expect(rig.session.load()).toMatchObject({ engine: 'vllm-like', salted: false });
    const call = rig.session.open(chat(), { model: MODEL, maxTokens: 4 });
    expect((await call.ended()).end).toMatchObject({ outcome: 'finished' });
  });
});
