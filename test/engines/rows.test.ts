/**
 * Real engines behind the real agent and router: each test is a row of the table that a run ends
 * with. The model (`model/make.py`) thinks, answers and ends by itself, but never ends at
 * temperature 0.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { until } from '../support/up.ts';
import { START_MS_MAX } from './engine-process.ts';
import { chosen } from './engines.ts';
import { type Answer, MODEL, said, Service } from './service.ts';
import { Table } from './table.ts';

const LEFT_OUT = inject('enginesLeftOut');
const ENGINES = chosen().filter(({ name }) => !LEFT_OUT.includes(name));
const NO_THOUGHTS = { reasoning: { enabled: false } };
const ENDLESS = { temperature: 0, ...NO_THOUGHTS };
/** Too long to end before its test. */
const LONG = { ...ENDLESS, max_tokens: 8_000 };
const GATE = {
  type: 'function',
  function: {
    name: 'open_gate',
    description: 'Opens a gate.',
    parameters: {
      type: 'object',
      properties: { gate: { type: 'string' } },
      required: ['gate'],
      additionalProperties: false,
    },
    // Without this, vLLM takes any JSON for arguments of a tool that must be called.
    strict: true,
  },
};

/** A text without the letter that its end cuts, which some engines write as U+FFFD. */
function withoutCut(text: string | null | undefined): string | undefined {
  return text?.replace(/\uFFFD+$/, '');
}

/** Engines that do not report what was cached have no such count. */
function cachedOf({ prompt_tokens_details: details }: Answer['usage']): number {
  return details?.cached_tokens ?? 0;
}

const table = new Table(ENGINES.map(({ name }) => name));
afterAll(() => void process.stdout.write(`\n${table.text()}\n\n`));

describe.each(ENGINES)('$name', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start(engine);
    return () => service[Symbol.asyncDispose]();
  }, START_MS_MAX);

  function row(name: string, check: () => Promise<string | void>, timeout = 120_000): void {
    test(name, { timeout }, () => table.fill(name, engine, check));
  }

  /** Streams an answer, and leaves after some chunks. Returns how many came. */
  async function leftAfter(count: number, body: object): Promise<number> {
    const calledOff = new AbortController();
    let chunks = 0;
    const onChunk = () => {
      chunks += 1;
      if (chunks === count) calledOff.abort();
    };
    await service.stream(body, { onChunk, calledOff: calledOff.signal });
    return chunks;
  }

  /** Whether an engine without counters counts the same when it is asked without us. */
  async function countedAlike(): Promise<string> {
    const body = { ...said('Write of counts.'), temperature: 0, max_tokens: 20 };
    const { usage } = await service.ask('/chat/completions', body);
    const own = await service.engine.chat(body);
    expect([usage.prompt_tokens, usage.completion_tokens]).toEqual([
      own.usage.prompt_tokens,
      own.usage.completion_tokens,
    ]);
    return `${usage.prompt_tokens} + ${usage.completion_tokens}`;
  }

  row('is identified and ready, with its models and notes', async () => {
    const { engine: title, phase, models } = await service.worker();
    expect(title).toMatch(engine.title);
    expect([phase, models]).toEqual(['ready', [MODEL]]);
    // What the trial has shown may come with the next report.
    const notes = engine.notes.map((words) => expect.stringContaining(words));
    await expect.poll(async () => (await service.worker()).notes).toEqual(notes);
    return title;
  });

  row('a chat ends by itself, streamed and whole', async () => {
    const whole = await service.chat('Write.', NO_THOUGHTS);
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringMatching(/^The .*\.$/) },
    });
    const streamed = await service.stream({ ...said('Write.'), ...NO_THOUGHTS });
    expect(streamed).toMatchObject({ finish: 'stop', done: true, ended: 'end' });
    expect(streamed.text).toMatch(/^The .*\.$/);
    expect(streamed.usage?.completion_tokens).toBeGreaterThan(3);
  });

  row('ends at a stop sequence and at a length', async () => {
    const stopped = await service.chat('Write.', { ...ENDLESS, stop: [' and'] });
    expect(stopped.choices[0]?.finish_reason).toBe('stop');
    expect(stopped.choices[0]?.message.content).not.toContain('and');
    const cut = await service.chat('Write.', { ...ENDLESS, max_tokens: 12 });
    expect([cut.choices[0]?.finish_reason, cut.usage.completion_tokens]).toEqual(['length', 12]);
  });

  row('letters that come in pieces arrive whole', async () => {
    const { text } = await service.stream({ ...said('Write.'), ...ENDLESS, max_tokens: 100 });
    expect(text).toContain('the boat 🚢 floats');
    expect(text).not.toContain('\uFFFD');
  });

  row('log probabilities are those of the text', async () => {
    const asked = { logprobs: true, top_logprobs: 3, max_tokens: 60 };
    const thinking = await service.chat('Think.', asked);
    expect([thinking.status, thinking.error?.param]).toEqual([400, 'logprobs']);
    const whole = await service.chat('Write.', { ...asked, ...NO_THOUGHTS, stop: [' and'] });
    expect(whole.status).toBe(200);
    const [choice] = whole.choices;
    const tokens = choice?.logprobs?.content ?? [];
    expect(Buffer.from(tokens.flatMap(({ bytes }) => bytes)).toString()).toBe(
      choice?.message.content,
    );
    for (const { logprob, top_logprobs: others } of tokens) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(others).toHaveLength(3);
    }
    const { chunks, text } = await service.stream({ ...said('Write.'), ...ENDLESS, ...asked });
    const shown = chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []);
    const bytes = Buffer.from(shown.flatMap((token) => token.bytes));
    expect(withoutCut(bytes.toString())).toBe(withoutCut(text));
    const prompt = { prompt: 'The gate', max_tokens: 8, logprobs: 0 };
    const { choices } = await service.ask('/completions', prompt);
    const joined = choices[0]?.logprobs?.tokens?.join('') ?? '';
    expect(joined).not.toBe('');
    // In this older shape a token has no bytes, so the parts of a letter cannot be told.
    const [plain = ''] = (choices[0]?.text ?? '').split(/🚢|\uFFFD/);
    expect(joined.slice(0, plain.length)).toBe(plain);
    return `${tokens.length} tokens`;
  });

  row('a text completion goes beyond 16 tokens', async () => {
    const cut = { prompt: 'The gate', temperature: 0, max_tokens: 5 };
    const { choices, usage } = await service.ask('/completions', cut);
    expect([choices[0]?.finish_reason, usage.completion_tokens]).toEqual(['length', 5]);
    const endless = { prompt: 'The gate', temperature: 0 };
    expect(await leftAfter(40, endless)).toBeGreaterThanOrEqual(40);
  });

  row('calls a tool, and takes the result', async () => {
    const tools = { tools: [GATE], tool_choice: 'required' };
    const called = await service.chat('Open the gate.', tools);
    expect(called.choices[0]?.finish_reason).toBe('tool_calls');
    const { message } = called.choices[0] as (typeof called.choices)[number];
    const [call] = message.tool_calls ?? [];
    expect(call?.function.name).toBe('open_gate');
    expect(JSON.parse(call?.function.arguments ?? '')).toEqual({ gate: expect.any(String) });
    const results = (message.tool_calls ?? []).map(({ id }) => ({
      role: 'tool',
      tool_call_id: id,
      content: 'It is open.',
    }));
    const messages = [{ role: 'user', content: 'Open the gate.' }, message, ...results];
    const answered = await service.ask('/chat/completions', { messages, tools: [GATE] });
    expect(answered.choices[0]?.finish_reason).toBe('stop');
  });

  row('writes JSON in JSON mode', async () => {
    for (const reasoning of [true, false]) {
      const format = {
        response_format: { type: 'json_object' },
        reasoning: { enabled: reasoning },
      };
      const answer = await service.chat('Write JSON.', format);
      expect(answer.status, JSON.stringify(answer)).toBe(200);
      const { choices } = answer;
      expect(choices[0]?.finish_reason).toBe('stop');
      const { content } = choices[0]?.message ?? {};
      expect(JSON.parse(content ?? '')).toEqual(expect.any(Object));
    }
  });

  row('tells reasoning and answer apart, and does not think when told not to', async () => {
    const { choices } = await service.chat('Think.');
    const { reasoning, content } = choices[0]?.message ?? {};
    expect(reasoning).toMatch(/^\s*First/);
    expect(content).toMatch(/^\s*The [^<]*\.$/);
    // Some engines leave the line breaks between the two in the answer.
    const blanks = (text: string | null | undefined) => /^\s*/.exec(text ?? '')?.[0];
    const own = await service.engine.chat(said('Think.'));
    expect(blanks(content)).toBe(blanks(own.choices[0]?.message.content));
    const without = await service.chat('Think.', NO_THOUGHTS);
    expect(without.choices[0]?.message.reasoning ?? '').toBe('');
    return /^\s/.test(content ?? '') ? 'yes, the answer begins with line breaks' : 'yes';
  });

  row('counts are those of the engine', async () => {
    const { promptCounters, generatedCounter } = engine;
    if (generatedCounter === null) return countedAlike();
    const counts = async () => [
      await service.engine.count(...promptCounters),
      await service.engine.count(generatedCounter),
    ];
    const before = await counts();
    const { usage } = await service.chat(`Write of ${before.join()}.`);
    const used = [usage.prompt_tokens, usage.completion_tokens];
    const own = async () => (await counts()).map((count, at) => count - (before[at] as number));
    await expect.poll(own).toEqual(used);
    return used.join(' + ');
  });

  row('the second answer to a prompt is charged as cached', async () => {
    const content = `A prompt of its own: ${'water '.repeat(200)}`;
    const ask = async (key?: string) =>
      (await service.chat(content, { ...NO_THOUGHTS, max_tokens: 4 }, key)).usage;
    const [first, second] = [await ask(), await ask()];
    expect(cachedOf(first)).toBeLessThan(40);
    const cached = cachedOf(second);
    expect(cached).toBeGreaterThan(second.prompt_tokens * 0.5);
    const rows = await service.up.usage();
    expect(rows[0]).toMatchObject({ cached_tokens: cached, prompt_tokens: second.prompt_tokens });
    return `${cached} of ${second.prompt_tokens}`;
  });

  row('another organization gets nothing of it', async () => {
    const { key } = await service.up.customer('Other');
    const content = `A prompt of its own: ${'water '.repeat(200)}`;
    const { usage } = await service.chat(content, { ...NO_THOUGHTS, max_tokens: 4 }, key);
    expect(cachedOf(usage)).toBeLessThan(40);
    return engine.salted ? 'yes' : 'no salt, charged in full';
  });

  row('who leaves stops the engine', async () => {
    const { generatedCounter } = engine;
    const before = generatedCounter === null ? 0 : await service.engine.count(generatedCounter);
    const chunks = await leftAfter(50, { ...said('Write.'), ...LONG });
    await expect.poll(() => service.engine.isBusy(), { timeout: 5_000 }).toBe(false);
    const usage = async () => (await service.up.usage()).find(({ status }) => status === 499);
    const charged = await until(usage, 'the charge of what was generated');
    expect(charged.completion_tokens).toBeGreaterThanOrEqual(chunks - 2);
    if (generatedCounter === null) return `${charged.completion_tokens} tokens charged`;
    const generated = (await service.engine.count(generatedCounter)) - before;
    // Left alone, it would have written them all. How many it writes until it stops depends on its speed.
    expect(generated).toBeLessThan(LONG.max_tokens);
    return `${generated - charged.completion_tokens} tokens on`;
  });

  row('more requests than it has room for are all answered', async () => {
    const asked = Array.from({ length: 24 }, (_, nth) =>
      service.stream({ ...said(`Write ${nth}.`), ...ENDLESS, max_tokens: 150 }),
    );
    const finishes = (await Promise.all(asked)).map(({ finish }) => finish);
    expect(finishes).toEqual(finishes.map(() => 'length'));
    expect((await service.worker()).breaker).toBe('closed');
  });

  row('long answers that do not fit in its cache together end, or are cut and free', async () => {
    const asked = Array.from({ length: 4 }, (_, nth) =>
      service.stream({ ...said(`Write ${nth}.`), ...ENDLESS, max_tokens: 3_000 }),
    );
    const answers = await Promise.all(asked);
    const whole = answers.filter(({ finish, done }) => finish === 'length' && done);
    const charged = (await service.up.usage()).filter(
      ({ completion_tokens: tokens, cost }) => tokens === 3_000 && Number(cost) > 0,
    );
    expect(charged.length).toBe(whole.length);
    expect((await service.worker()).breaker).toBe('closed');
    return `${whole.length} of ${answers.length} end`;
  });

  row('a prompt beyond its context is a 400', async () => {
    const { status, error } = await service.chat('water '.repeat(5_000));
    expect([status, error?.code]).toEqual([400, 'context_length_exceeded']);
  });

  row('its gauges are those of the load', async () => {
    const calledOff = new AbortController();
    const streams = [1, 2].map((nth) =>
      service.stream(
        { ...said(`Write ${nth}.`), ...LONG },
        {
          calledOff: calledOff.signal,
        },
      ),
    );
    const busy = await until(async () => {
      const worker = await service.worker();
      return worker.running === 2 && worker;
    }, 'two running requests');
    calledOff.abort();
    await Promise.allSettled(streams);
    expect(busy.prefix_query_tokens).toBeGreaterThan(0);
    expect(busy.prefix_hit_tokens).toBeGreaterThan(0);
    return busy.kv_use > 0 ? 'all' : 'all but KV use';
  });

  row('requests that it fails because of what they say take it from nobody', async () => {
    const { key } = await service.up.customer('Careless');
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const called = { name: 'open_gate', arguments: '{"gate": 1e999}' };
    const call = { id: 'call_1', type: 'function', function: called };
    const careless = [
      [{ role: 'user', content: [image] }],
      [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'No.' },
      ],
    ];
    for (let round = 0; round < 6; round++) {
      for (const messages of careless) {
        const { status } = await service.ask('/chat/completions', { messages, max_tokens: 4 }, key);
        // Some engines take what others refuse.
        expect([200, 400]).toContain(status);
      }
      expect((await service.chat('Write.', { max_tokens: 4 })).status).toBe(200);
    }
    expect((await service.worker()).breaker).toBe('closed');
  });

  row('what no engine should see is refused before it', async () => {
    const lone = await service.up.post(
      '/chat/completions',
      `{"model":"${MODEL}","messages":[{"role":"user","content":"\\ud83d"}]}`,
    );
    expect(lone.status).toBe(400);
    const called = { name: 'open_gate', arguments: '{"gate": tru' };
    const tool_calls = [{ id: 'call_1', type: 'function', function: called }];
    const messages = [{ role: 'assistant', content: null, tool_calls }];
    const { status, error } = await service.ask('/chat/completions', { messages });
    expect([status, error?.param]).toEqual([400, 'messages[0].tool_calls[0].function.arguments']);
  });

  row('no count was doubted, and every charge adds up', async () => {
    expect((await service.worker()).alarms).toEqual([]);
    expect(await service.up.metrics()).not.toMatch(/cached_clamped"\} [1-9]/);
    expect(await service.up.verify()).toMatchObject({ status: 0 });
  });

  row(
    'is killed, cuts its stream, which is free, and serves again once it is back',
    async () => {
      const killed = Promise.withResolvers<void>();
      const onChunk = () => killed.resolve(service.engine.kill());
      const cut = await service.stream({ ...said('Write.'), ...LONG }, { onChunk });
      await killed.promise;
      expect([cut.ended, cut.done, cut.finish]).toEqual(['cut', false, null]);
      const paid = (await service.up.usage()).find((one) => one.request_id === cut.requestId);
      expect(Number(paid?.cost ?? 0)).toBe(0);
      const since = performance.now();
      await service.engine.run();
      const back = performance.now();
      const serves = async () => (await service.chat('Write.', { max_tokens: 4 })).status === 200;
      await until(serves, 'an answer of the engine that is back', 60_000);
      return `${((performance.now() - since) / 1000).toFixed(1)} s (${((back - since) / 1000).toFixed(1)} s to load)`;
    },
    START_MS_MAX,
  );
});
