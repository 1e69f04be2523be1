/** Five real client libraries with a real `penstock up`, streamed and not streamed. */
import Anthropic from '@anthropic-ai/sdk';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ContextOverflowError } from '@langchain/core/errors';
import { ChatOpenAI } from '@langchain/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';

const PLAIN = 'qwen/qwen3-235b-a22b-instruct-2507';
const THINKER = 'qwen/qwen3.5-397b-a17b';
const ASK = 'Say in 20 words what a penstock is.';

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
} as const;

describe('openai', () => {
  const client = () =>
    new OpenAI({ baseURL: up.ready.base_url, apiKey: up.first.api_key, maxRetries: 0 });

  test('a completion has text, a finish reason, usage and the request id', async () => {
    const { data, request_id } = await client()
      .chat.completions.create({ model: PLAIN, messages: [{ role: 'user', content: ASK }] })
      .withResponse();
    expect(data.object).toBe('chat.completion');
    expect(data.model).toBe(PLAIN);
    expect(data.choices[0]?.message.content?.split(/\s+/).length).toBeGreaterThan(10);
    expect(data.choices[0]?.finish_reason).toBe('stop');
    expect(data.usage?.total_tokens).toBe(
      (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
    );
    expect(request_id).toMatch(/^req_/);
  });

  test('a stream has a null finish reason until its last content chunk, and usage when asked for', async () => {
    const stream = await client().chat.completions.create({
      model: PLAIN,
      messages: [{ role: 'user', content: ASK }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const finishes = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.finish_reason));
    expect(finishes.slice(0, -1).every((finish) => finish === null)).toBe(true);
    expect(finishes.at(-1)).toBe('stop');
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(10);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(text.split(/\s+/).length).toBeGreaterThan(10);
  });

  test('without include_usage a stream has no usage chunk', async () => {
    const stream = await client().chat.completions.create({
      model: PLAIN,
      messages: [{ role: 'user', content: ASK }],
      stream: true,
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.every((chunk) => chunk.choices.length === 1 && !chunk.usage)).toBe(true);
  });

  test('the legacy endpoint continues a prompt, streamed and not', async () => {
    const whole = await client().completions.create({ model: PLAIN, prompt: 'Once upon a time' });
    expect(whole.object).toBe('text_completion');
    expect(whole.choices[0]?.text.length).toBeGreaterThan(5);
    const stream = await client().completions.create({
      model: PLAIN,
      prompt: 'Once upon a time',
      stream: true,
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.map((chunk) => chunk.choices[0]?.text).join('')).toBe(whole.choices[0]?.text);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  test('the catalog is listed', async () => {
    const models = await Array.fromAsync(client().models.list());
    expect(models.map((model) => model.id)).toContain(PLAIN);
    const one = { id: PLAIN, object: 'model', owned_by: 'qwen' };
    expect(await client().models.retrieve(PLAIN)).toMatchObject(one);
  });

  test('tools: content is null beside the calls, and the loop closes with text', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'What is the weather in Paris? Use get_weather.' },
    ];
    const first = await client().chat.completions.create({
      model: PLAIN,
      messages,
      tools: [WEATHER],
      tool_choice: 'required',
    });
    const message = first.choices[0]?.message;
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(message?.content).toBeNull();
    const call = message?.tool_calls?.[0];
    if (!message || call?.type !== 'function') throw new Error('no tool call');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toHaveProperty('city');
    const second = await client().chat.completions.create({
      model: PLAIN,
      messages: [...messages, message, { role: 'tool', tool_call_id: call.id, content: 'Sunny' }],
      tools: [WEATHER],
    });
    expect(second.choices[0]?.finish_reason).toBe('stop');
    expect(second.choices[0]?.message.content).toBeTruthy();
  });

  test('tool calls stream as fragments that the client joins', async () => {
    const stream = client().chat.completions.stream({
      model: PLAIN,
      messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
      tools: [WEATHER],
      tool_choice: 'required',
    });
    const final = await stream.finalChatCompletion();
    const call = final.choices[0]?.message.tool_calls?.[0];
    if (call?.type !== 'function') throw new Error('no tool call');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toHaveProperty('city');
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('JSON mode gives JSON', async () => {
    const answer = await client().chat.completions.create({
      model: PLAIN,
      messages: [{ role: 'user', content: 'Describe a dam as JSON.' }],
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toBeTypeOf('object');
  });

  test('reasoning through an extra field: on by default, off when told so', async () => {
    const ask = (reasoning?: object) =>
      client().chat.completions.create({
        model: THINKER,
        messages: [{ role: 'user', content: 'Why do dams have penstocks?' }],
        ...(reasoning ? { reasoning } : {}),
      });
    const thought = (await ask()).choices[0]?.message as { reasoning?: string; content: string };
    expect(thought.reasoning).toBeTruthy();
    expect(thought.content).toBeTruthy();
    const quiet = (await ask({ effort: 'none' })).choices[0]?.message;
    expect(quiet).not.toHaveProperty('reasoning');
    expect(quiet).not.toHaveProperty('reasoning_content');
  });

  test('errors are typed and carry the request id', async () => {
    const asked = client().chat.completions.create({
      model: PLAIN,
      messages: [{ role: 'user', content: ASK }],
      temperature: 3,
    });
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof OpenAI.BadRequestError)) throw new Error(`got ${String(error)}`);
    expect(error.param).toBe('temperature');
    expect(error.requestID).toMatch(/^req_/);

    const stranger = new OpenAI({ baseURL: up.ready.base_url, apiKey: 'sk-nobody', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(
      client().chat.completions.create({
        model: 'no/model',
        messages: [{ role: 'user', content: 'x' }],
      }),
    ).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('@anthropic-ai/sdk', () => {
  const client = () =>
    new Anthropic({ baseURL: up.origin, apiKey: up.first.api_key, maxRetries: 0 });
  const ask = (): { max_tokens: number; messages: Anthropic.MessageParam[] } => ({
    max_tokens: 2_000,
    messages: [{ role: 'user', content: ASK }],
  });

  test('a message has text, a stop reason and usage', async () => {
    const message = await client().messages.create({ ...ask(), model: PLAIN });
    expect(message.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/.{20}/) }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.output_tokens).toBeGreaterThan(10);
  });

  test('streams thinking, then text', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1_024 } as const;
    const stream = client().messages.stream({ ...ask(), model: THINKER, thinking });
    const { content } = await stream.finalMessage();
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  });

  test('the catalog is listed', async () => {
    const models = await Array.fromAsync(client().models.list());
    expect(models.map(({ id }) => id)).toContain(PLAIN);
    expect(await client().models.retrieve(PLAIN)).toMatchObject({ id: PLAIN });
  });
});

describe('ai with @ai-sdk/openai-compatible', () => {
  const provider = () =>
    createOpenAICompatible({
      name: 'penstock',
      baseURL: up.ready.base_url,
      apiKey: up.first.api_key,
      includeUsage: true,
    });

  test('generates text', async () => {
    const { text, usage, finishReason } = await generateText({
      model: provider()(PLAIN),
      prompt: ASK,
    });
    expect(text.length).toBeGreaterThan(20);
    expect(finishReason).toBe('stop');
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  test('streams text, with usage and reasoning', async () => {
    const result = streamText({ model: provider()(THINKER), prompt: ASK });
    const kinds = new Set<string>();
    let text = '';
    for await (const part of result.fullStream) {
      kinds.add(part.type);
      if (part.type === 'text-delta') text += part.text;
    }
    expect(text.length).toBeGreaterThan(20);
    expect(kinds).toContain('reasoning-delta');
    expect((await result.usage).outputTokens).toBeGreaterThan(0);
  });
});

describe('@langchain/openai', () => {
  const model = () =>
    new ChatOpenAI({
      model: PLAIN,
      apiKey: up.first.api_key,
      maxRetries: 0,
      configuration: { baseURL: up.ready.base_url },
    });

  test('invokes', async () => {
    const message = await model().invoke(ASK);
    expect(message.text.length).toBeGreaterThan(20);
    expect(message.usage_metadata).toMatchObject({ output_tokens: expect.any(Number) });
  });

  test('knows a conversation that is too long, so that it can be shortened', async () => {
    const asked = model().invoke('word '.repeat(300_000));
    await expect(asked).rejects.toSatisfy((error) => ContextOverflowError.isInstance(error));
  });

  test('streams', async () => {
    let text = '';
    for await (const chunk of await model().stream(ASK)) text += chunk.text;
    expect(text.length).toBeGreaterThan(20);
  });
});

describe('@openrouter/ai-sdk-provider', () => {
  const provider = () =>
    createOpenRouter({
      baseURL: up.ready.base_url,
      apiKey: up.first.api_key,
      // Makes the library request the usage chunk.
      compatibility: 'strict',
    });

  test('generates text', async () => {
    const { text, finishReason } = await generateText({
      model: provider().chat(PLAIN),
      prompt: ASK,
    });
    expect(text.length).toBeGreaterThan(20);
    expect(finishReason).toBe('stop');
  });

  test('streams text', async () => {
    const result = streamText({ model: provider().chat(PLAIN), prompt: ASK });
    let text = '';
    for await (const piece of result.textStream) text += piece;
    expect(text.length).toBeGreaterThan(20);
    expect((await result.usage).outputTokens).toBeGreaterThan(0);
  });
});
