import { expect, test } from 'vitest';
import {
  type Chunk,
  contentOf,
  finishOf,
  reasoningOf,
  startRig,
  THINKS_ADAPTIVELY,
  THINKS_ALWAYS,
  THINKS_BY_DEFAULT,
  THINKS_WHEN_ASKED,
  usageOf,
} from './rig.ts';

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Returns the current weather of a city',
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1, maximum: 7 },
        hourly: { type: 'boolean' },
        note: { anyOf: [{ type: 'null' }, { type: 'string' }] },
      },
      required: ['location', 'unit', 'days', 'hourly'],
    },
  },
};
const ADD = {
  type: 'function',
  function: {
    name: 'add_numbers',
    parameters: { type: 'object', properties: { a: { type: 'number' } } },
  },
};

/** The tool calls of a stream, with their fragments joined as a client does. */
function callsOf(chunks: readonly Chunk[]): { id: string; name: string; arguments: string }[] {
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const { choices } of chunks) {
    for (const part of choices[0]?.delta?.tool_calls ?? []) {
      const at = part.index ?? -1;
      if (part.id !== undefined) {
        calls[at] = { id: part.id, name: part.function.name ?? '', arguments: '' };
      }
      const call = calls[at];
      if (call) call.arguments += part.function.arguments;
    }
  }
  return calls;
}

test('the same request gives the same text, another seed another', async () => {
  await using rig = await startRig();
  const say = async (more: object) =>
    contentOf((await rig.stream('Tell me of boats', more)).chunks());
  expect(await say({})).toBe(await say({ temperature: 2 }));
  expect(await say({ seed: 1 })).toBe(await say({ seed: 1 }));
  expect(await say({ seed: 1 })).not.toBe(await say({ seed: 2 }));
});

test('an answer is as long as the prompt asks, to the word and to the token', async () => {
  await using rig = await startRig();
  const words = await rig.chat('Describe a harbour in 120 words.');
  expect(words.whole().choices[0]?.message?.content?.split(/\s+/)).toHaveLength(120);
  for (const tokens of [1, 2, 17, 200]) {
    const answer = await rig.stream(`Write exactly ${tokens} tokens.`);
    expect(usageOf(answer.chunks())?.completion_tokens).toBe(tokens);
    expect(finishOf(answer.chunks())).toBe('stop');
    const thinking = await rig.stream(`Write exactly ${tokens} tokens.`, {
      model: THINKS_BY_DEFAULT,
    });
    expect(usageOf(thinking.chunks())?.completion_tokens).toBe(tokens);
  }
});

test('max_tokens cuts with `length`, on the chunk that still has text', async () => {
  await using rig = await startRig();
  const answer = await rig.stream('Write 300 words.', { max_tokens: 9 });
  const chunks = answer.chunks();
  const last = chunks.findLast(({ choices }) => choices.length > 0);
  expect(last?.choices[0]?.finish_reason).toBe('length');
  expect(last?.choices[0]?.delta?.content).not.toBe('');
  expect(usageOf(chunks)?.completion_tokens).toBe(9);
  const newer = await rig.chat('Write 300 words.', { max_tokens: 9, max_completion_tokens: 4 });
  expect(newer.whole().usage?.completion_tokens).toBe(4);
});

test('min_tokens and ignore_eos make an answer longer', async () => {
  await using rig = await startRig();
  const least = await rig.chat('Write 2 words.', { min_tokens: 80 });
  expect(least.whole().usage?.completion_tokens).toBe(81);
  const endless = await rig.chat('Write 2 words.', { ignore_eos: true, max_tokens: 50 });
  expect(endless.whole().usage?.completion_tokens).toBe(50);
  expect(endless.whole().choices[0]?.finish_reason).toBe('length');
});

test('a stop string ends the answer before it, also across tokens, and is named', async () => {
  await using rig = await startRig();
  const full = (await rig.chat('Write 80 words.')).whole().choices[0]?.message?.content ?? '';
  // From the middle of one word to the middle of another, so that no token boundary is where the
  // stop string begins or ends.
  const stop = full.slice(101, 119);
  const chunks = (await rig.stream('Write 80 words.', { stop: ['never said', stop] })).chunks();
  expect(contentOf(chunks)).toBe(full.slice(0, full.indexOf(stop)));
  expect(finishOf(chunks)).toBe('stop');
  expect(chunks.findLast(({ choices }) => choices.length > 0)?.choices[0]?.stop_reason).toBe(stop);
  const unmet = await rig.stream('Write 80 words.', { stop: 'never said' });
  expect(contentOf(unmet.chunks())).toBe(full);
  const inclusive = await rig.chat('Write 80 words.', { stop, include_stop_str_in_output: true });
  expect(inclusive.whole().choices[0]?.message?.content?.endsWith(stop)).toBe(true);
});

test('JSON mode gives one object, with the keys that are asked for', async () => {
  await using rig = await startRig();
  const json = { response_format: { type: 'json_object' } };
  const named = await rig.chat('Give JSON with keys "title", "page_count" and "tags".', json);
  const value: unknown = JSON.parse(named.whole().choices[0]?.message?.content ?? '');
  expect(value).toEqual({
    title: expect.any(String),
    page_count: expect.any(Number),
    tags: expect.any(Array),
  });
  const streamed = await rig.stream('Answer in JSON.', json);
  expect(JSON.parse(contentOf(streamed.chunks()))).toBeTypeOf('object');
});

test('a tool that fits is called, with arguments that fit its schema and the prompt', async () => {
  await using rig = await startRig();
  const ask = 'What is the weather in Paris, in fahrenheit, for 3 days?';
  const chunks = (await rig.stream(ask, { tools: [ADD, WEATHER] })).chunks();
  expect(finishOf(chunks)).toBe('tool_calls');
  expect(contentOf(chunks)).toBe('');
  const [call] = callsOf(chunks);
  expect(call?.id).toMatch(/^chatcmpl-tool-/);
  expect(call?.name).toBe('get_weather');
  expect(JSON.parse(call?.arguments ?? '')).toEqual({
    location: 'Paris',
    unit: 'fahrenheit',
    days: 3,
    hourly: true,
  });
  const [first] = chunks.flatMap(({ choices }) => choices[0]?.delta?.tool_calls ?? []);
  expect(first).toEqual({
    index: 0,
    id: expect.any(String),
    type: 'function',
    function: { name: 'get_weather', arguments: '' },
  });
});

test('a whole answer with a call has no content, and its usage counts the call', async () => {
  await using rig = await startRig();
  const answer = await rig.chat('What is the weather in Oslo?', { tools: [WEATHER] });
  const [choice] = answer.whole().choices;
  expect(choice?.finish_reason).toBe('tool_calls');
  expect(choice?.message?.content).toBeNull();
  expect(choice?.message?.tool_calls?.[0]?.function.name).toBe('get_weather');
  expect(answer.whole().usage?.completion_tokens).toBeGreaterThan(5);
});

test('all tools the prompt names are called, one if calls may not be parallel', async () => {
  await using rig = await startRig();
  const ask = 'Use add_numbers and get_weather now.';
  const both = await rig.stream(ask, { tools: [ADD, WEATHER] });
  expect(callsOf(both.chunks()).map(({ name }) => name)).toEqual(['add_numbers', 'get_weather']);
  const one = await rig.stream(ask, { tools: [ADD, WEATHER], parallel_tool_calls: false });
  expect(callsOf(one.chunks())).toHaveLength(1);
});

test('tool choice: none, required and named, and the finish_reason of each', async () => {
  await using rig = await startRig();
  const say = async (tool_choice: unknown, content = 'Good morning') => {
    const chunks = (await rig.stream(content, { tools: [WEATHER], tool_choice })).chunks();
    return [callsOf(chunks).length, finishOf(chunks)];
  };
  expect(await say('auto')).toEqual([0, 'stop']);
  expect(await say('none', 'the weather in Paris?')).toEqual([0, 'stop']);
  expect(await say('required')).toEqual([1, 'tool_calls']);
  expect(await say({ type: 'function', function: { name: 'get_weather' } })).toEqual([1, 'stop']);
});

test('after a tool has answered the model says it in words', async () => {
  await using rig = await startRig();
  const call = { id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const answer = await rig.send('/v1/chat/completions', {
    tools: [WEATHER],
    messages: [
      { role: 'user', content: 'What is the weather in Paris?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'rain' },
    ],
  });
  const [choice] = answer.whole().choices;
  expect(choice?.message?.content).not.toBe('');
  expect(choice?.finish_reason).toBe('stop');
});

test('thought comes before content, is counted, and can be hidden but not uncounted', async () => {
  await using rig = await startRig();
  const chunks = (await rig.stream('Tell me of boats', { model: THINKS_BY_DEFAULT })).chunks();
  const kinds = chunks.flatMap(({ choices: [choice] }) => {
    if (choice?.delta?.reasoning) return 'reasoning';
    return choice?.delta?.content ? 'content' : [];
  });
  expect(kinds.indexOf('content')).toBeGreaterThan(kinds.lastIndexOf('reasoning'));
  const counted = usageOf(chunks)?.completion_tokens_details?.reasoning_tokens;
  expect(counted).toBe(kinds.filter((kind) => kind === 'reasoning').length);
  const hidden = await rig.stream('Tell me of boats', {
    model: THINKS_BY_DEFAULT,
    include_reasoning: false,
  });
  expect(reasoningOf(hidden.chunks())).toBe('');
  expect(contentOf(hidden.chunks())).toBe(contentOf(chunks));
  expect(usageOf(hidden.chunks())).toMatchObject({
    completion_tokens_details: { reasoning_tokens: counted },
  });
});

test('each family thinks as its profile says, and only its own key switches it', async () => {
  await using rig = await startRig();
  const thinks = async (
    model: string,
    chat_template_kwargs: object,
    content = 'Tell me of boats',
  ) => {
    const answer = await rig.stream(content, { model, chat_template_kwargs, max_tokens: 4 });
    return reasoningOf(answer.chunks()) !== '';
  };
  expect(await thinks(THINKS_BY_DEFAULT, {})).toBe(true);
  expect(await thinks(THINKS_BY_DEFAULT, { enable_thinking: false })).toBe(false);
  expect(await thinks(THINKS_BY_DEFAULT, { thinking: false })).toBe(true);
  expect(await thinks(THINKS_WHEN_ASKED, {})).toBe(false);
  expect(await thinks(THINKS_WHEN_ASKED, { enable_thinking: true })).toBe(false);
  expect(await thinks(THINKS_WHEN_ASKED, { thinking: true })).toBe(true);
  expect(await thinks(THINKS_ALWAYS, { thinking: false, enable_thinking: false })).toBe(true);
  expect(await thinks(THINKS_ADAPTIVELY, {})).toBe(false);
  expect(await thinks(THINKS_ADAPTIVELY, {}, 'What is 17 times 23?')).toBe(true);
  expect(await thinks(THINKS_ADAPTIVELY, { thinking: false }, 'What is 17 times 23?')).toBe(false);
});

test('effort makes thought longer, a budget bounds it where the family takes one', async () => {
  await using rig = await startRig();
  const thought = async (more: object) => {
    const chunks = (await rig.stream('Tell me of boats', more)).chunks();
    return usageOf(chunks)?.completion_tokens_details?.reasoning_tokens ?? 0;
  };
  const asked = { model: THINKS_WHEN_ASKED, chat_template_kwargs: { thinking: true } };
  const high = await thought({ ...asked, reasoning_effort: 'high' });
  expect(await thought({ ...asked, reasoning_effort: 'max' })).toBeGreaterThan(high);
  expect(await thought({ ...asked, reasoning_effort: 'high', thinking_token_budget: 3 })).toBe(
    high,
  );
  expect(await thought({ model: THINKS_BY_DEFAULT, thinking_token_budget: 3 })).toBe(3);
  expect(await thought({ model: THINKS_BY_DEFAULT, thinking_token_budget: 0 })).toBe(0);
});

test('an answer can end while it is still thinking, with no content at all', async () => {
  await using rig = await startRig();
  const answer = await rig.chat('Tell me of boats', { model: THINKS_ALWAYS, max_tokens: 6 });
  const [choice] = answer.whole().choices;
  expect(choice?.finish_reason).toBe('length');
  expect(choice?.message?.content).toBeNull();
  expect(choice?.message?.reasoning).not.toBe('');
  expect(answer.whole().usage).toMatchObject({
    completion_tokens: 6,
    completion_tokens_details: { reasoning_tokens: 6 },
  });
});

test('images are for models that see, and only as data', async () => {
  await using rig = await startRig();
  const ask = (model: string, url: string) =>
    rig.send('/v1/chat/completions', {
      model,
      max_tokens: 3,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
  const data = 'data:image/png;base64,iVBORw0KGgo=';
  const seen = await ask(THINKS_BY_DEFAULT, data);
  expect(seen.whole().usage?.prompt_tokens).toBeGreaterThan(1_024);
  expect((await ask(THINKS_WHEN_ASKED, data)).error().code).toBe(400);
  expect((await ask(THINKS_BY_DEFAULT, 'https://example.com/a.png')).error().code).toBe(400);
});

test('a conversation that goes on finds its last answer in the cache', async () => {
  await using rig = await startRig();
  const first = [{ role: 'user', content: 'Tell me of boats in 100 words.' }];
  const answer = (await rig.send('/v1/chat/completions', { messages: first })).whole();
  const reply = answer.choices[0]?.message?.content ?? '';
  const messages = [
    ...first,
    { role: 'assistant', content: reply },
    { role: 'user', content: 'Go on.' },
  ];
  const next = (await rig.send('/v1/chat/completions', { messages })).whole();
  const known = answer.usage?.total_tokens ?? 0;
  expect(next.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(known - 17);
});

test('a prompt can dictate steps, which the conversation counts', async () => {
  await using rig = await startRig();
  const steps = [{ call: 'add_numbers', arguments: { a: 2 } }, { say: 'It is 2.' }];
  const first = { role: 'user', content: `Add. Steps: ${JSON.stringify(steps)} Thank you.` };
  const next = async (messages: object[], tools: object[] = [ADD, WEATHER]) =>
    (await rig.send('/v1/chat/completions', { messages, tools })).whole().choices[0];
  const called = await next([first]);
  expect(called?.message?.tool_calls).toMatchObject([
    { function: { name: 'add_numbers', arguments: '{"a":2}' } },
  ]);
  const call = { role: 'assistant', tool_calls: called?.message?.tool_calls };
  const result = { role: 'tool', tool_call_id: 'a', content: '2' };
  const said = await next([first, call, result, { role: 'user', content: 'A reminder.' }]);
  expect(said).toMatchObject({ message: { content: 'It is 2.' }, finish_reason: 'stop' });
  const more = [first, call, result, { role: 'assistant', content: 'It is 2.' }];
  expect(await next([...more, { role: 'user', content: 'Go on.' }])).toMatchObject({
    message: { content: 'Done.' },
  });
  // A request without the tool is another one, such as for a title.
  const other = await next([first], [WEATHER]);
  expect(other?.message?.content).not.toBe('It is 2.');
});
