/** The official clients of OpenAI and Anthropic: what they make of answers, cut streams and errors. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from '../../../router/request/api.ts';
import { delivered } from '../../agent/support/gate.ts';
import { APIS } from '../../support/apis.ts';
import { setLimits } from '../ledger/set-organization.ts';
import { CONVERSATION, piecesOf, PROMPT, saidBy, say } from './conversation.ts';
import type { Customer } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let customer: Customer;
beforeEach(async () => {
  rig.rejoin();
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig.agent.drop());

type Read = ReturnType<typeof saidBy> & { finish: unknown; completion: number | undefined };
type Ask = (key: string, fields?: object) => Promise<Read>;

const openai = (apiKey: string) =>
  new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey, maxRetries: 0 });
const anthropic = (apiKey: string) =>
  new Anthropic({ baseURL: rig.origin, apiKey, maxRetries: 0, logLevel: 'off' });

function readChat({ choices, usage }: OpenAI.ChatCompletion): Read {
  const [choice] = choices;
  const message = choice?.message as OpenAI.ChatCompletionMessage & { reasoning?: string };
  return {
    text: message.content ?? '',
    reasoning: message.reasoning ?? '',
    calls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
    ),
    finish: choice?.finish_reason,
    completion: usage?.completion_tokens,
  };
}

function readText({ choices, usage }: OpenAI.Completion): Read {
  const [choice] = choices;
  const read = { text: choice?.text ?? '', reasoning: '', calls: [] };
  return { ...read, finish: choice?.finish_reason, completion: usage?.completion_tokens };
}

function readResponse(response: OpenAI.Responses.Response): Read {
  const { output, output_text: text, status, usage } = response;
  const of = <Type extends OpenAI.Responses.ResponseOutputItem['type']>(type: Type) =>
    output.filter((item): item is Extract<typeof item, { type: Type }> => item.type === type);
  return {
    text,
    reasoning: of('reasoning')
      .map(({ content }) => content?.[0]?.text ?? '')
      .join(''),
    calls: of('function_call').map(({ call_id: id, name, arguments: json }) => ({
      id,
      name,
      arguments: json,
    })),
    finish: status,
    completion: usage?.output_tokens,
  };
}

function readMessage({ content, stop_reason: finish, usage }: Anthropic.Message): Read {
  const read: Read = { ...saidBy([]), finish, completion: usage.output_tokens };
  for (const block of content) {
    if (block.type === 'text') read.text += block.text;
    if (block.type === 'thinking') read.reasoning += block.thinking;
    if (block.type !== 'tool_use') continue;
    const { id, name, input } = block;
    read.calls.push({ id, name, arguments: JSON.stringify(input) });
  }
  return read;
}

const { chat, completions, responses, messages } = CONVERSATION;
const usage = { include_usage: true };

const CLIENTS: Record<Api, Record<'whole' | 'streamed', Ask>> = {
  chat: {
    whole: async (key, fields) =>
      readChat(await openai(key).chat.completions.create({ ...chat, ...fields })),
    streamed: async (key, fields) => {
      const body = { ...chat, ...fields, stream_options: usage };
      const stream = openai(key).chat.completions.stream(body);
      return readChat(await stream.finalChatCompletion());
    },
  },
  completions: {
    whole: async (key, fields) =>
      readText(await openai(key).completions.create({ ...completions, ...fields })),
    streamed: async (key, fields) => {
      const body = { ...completions, ...fields, stream: true as const, stream_options: usage };
      const read: Read = { ...saidBy([]), finish: null, completion: 0 };
      for await (const chunk of await openai(key).completions.create(body)) {
        const { text, finish, completion } = readText(chunk);
        read.text += text;
        read.finish ??= finish;
        read.completion = completion;
      }
      return read;
    },
  },
  responses: {
    whole: async (key, fields) =>
      readResponse(await openai(key).responses.create({ ...responses, ...fields })),
    streamed: async (key, fields) =>
      readResponse(
        await openai(key)
          .responses.stream({ ...responses, ...fields })
          .finalResponse(),
      ),
  },
  messages: {
    whole: async (key, fields) =>
      readMessage(await anthropic(key).messages.create({ ...messages, ...fields })),
    streamed: async (key, fields) =>
      readMessage(
        await anthropic(key)
          .messages.stream({ ...messages, ...fields })
          .finalMessage(),
      ),
  },
};

const FINISHES: Record<Api, Record<'tool_calls' | 'length', string>> = {
  chat: { tool_calls: 'tool_calls', length: 'length' },
  completions: { tool_calls: 'stop', length: 'length' },
  responses: { tool_calls: 'completed', length: 'incomplete' },
  messages: { tool_calls: 'tool_use', length: 'max_tokens' },
};

/** The class of each error, and how the client finds its code. */
const ERRORS = {
  openai: {
    400: OpenAI.BadRequestError,
    401: OpenAI.AuthenticationError,
    402: OpenAI.APIError,
    404: OpenAI.NotFoundError,
    429: OpenAI.RateLimitError,
    502: OpenAI.InternalServerError,
    503: OpenAI.InternalServerError,
  },
  anthropic: {
    400: Anthropic.BadRequestError,
    401: Anthropic.AuthenticationError,
    402: Anthropic.PaymentRequiredError,
    404: Anthropic.NotFoundError,
    429: Anthropic.RateLimitError,
    502: Anthropic.InternalServerError,
    503: Anthropic.OverloadedError,
  },
} as const;
type Status = keyof typeof ERRORS.openai;

describe.each(APIS)('%s', (api) => {
  const client = CLIENTS[api];
  const sdk = api === 'messages' ? 'anthropic' : 'openai';

  /** Expects the client's own error for this status, with the code and the id of the request. */
  async function isError(asked: Promise<unknown>, status: Status, code: string): Promise<void> {
    const error = await asked.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ERRORS[sdk][status]);
    const { requestID } = error as { requestID: string };
    expect(requestID).toMatch(/^req_/);
    if (error instanceof Anthropic.APIError) {
      expect([error.status, error.errorCode]).toEqual([status === 503 ? 529 : status, code]);
      expect(error.error).toMatchObject({ type: 'error', request_id: requestID });
    } else expect(error).toMatchObject({ status, code });
  }

  test.each(['whole', 'streamed'] as const)(
    'reads thoughts, text, calls, finish and usage: %s',
    async (how) => {
      for (const finish of ['tool_calls', 'length'] as const) {
        const pieces = piecesOf(api, finish);
        const asked = client[how](customer.value);
        const agent = await rig.agent.next();
        say(agent, pieces);
        const stop = api === 'completions' && finish === 'tool_calls' ? 'stop' : finish;
        agent.finish(PROMPT, pieces.length, { finish: stop });
        const read = { ...saidBy(pieces), finish: FINISHES[api][finish] };
        expect(await asked).toEqual({ ...read, completion: pieces.length });
      }
    },
  );

  test('raises when a stream is cut', async () => {
    const pieces = piecesOf(api, 'tool_calls');
    const asked = client.streamed(customer.value);
    asked.catch(() => {});
    const agent = await rig.agent.next();
    say(agent, pieces);
    await delivered();
    agent.fail();
    // An error of the connection: the response itself was a 200.
    await expect(asked).rejects.toSatisfy(
      (error) => error instanceof Error && !('status' in error && error.status),
    );
    const [row] = await rig.rows(customer.organization);
    expect(row).toMatchObject({ cost: 0n, outcome: 'voided' });
  });

  describe.each(['whole', 'streamed'] as const)('%s errors are typed', (how) => {
    const ask = (fields: object = {}, key = customer.value) => client[how](key, fields);

    test('400, 401 and 404', async () => {
      await isError(ask({ temperature: 'warm' }), 400, 'invalid_value');
      await isError(ask({}, `${customer.value}x`), 401, 'invalid_api_key');
      await isError(ask({ model: 'no/such' }), 404, 'model_not_found');
    });

    test('402 without credit, and when the credit does not pay for the prompt as counted', async () => {
      const poor = await rig.customer(0n);
      await isError(ask({}, poor.value), 402, 'insufficient_credit');
      // Enough for the prompt by its bytes alone, and not for all the tokens that it may have.
      const short = await rig.customer(4_500_000_000n);
      const asked = ask({}, short.value);
      asked.catch(() => {});
      (await rig.agent.next()).content(8_000, 1);
      await isError(asked, 402, 'insufficient_credit');
    });

    test('429 when there are too many requests', async () => {
      const { organization } = customer;
      const one = { organization, limits: { requestsPerMinute: 1 } };
      await rig.books.store.call(setLimits, one);
      await isError(ask({ temperature: 'warm' }), 400, 'invalid_value');
      const first = ask();
      const agent = await rig.agent.next();
      agent.finish(PROMPT, 1);
      await first;
      await isError(ask(), 429, 'rate_limited');
    });

    test('400 when the prompt as counted does not fit', async () => {
      const asked = ask();
      asked.catch(() => {});
      (await rig.agent.next()).fail('context_length');
      await isError(asked, 400, 'context_length_exceeded');
    });

    test('502 when no engine answers', async () => {
      const asked = ask();
      asked.catch(() => {});
      (await rig.agent.next()).fail();
      await isError(asked, 502, 'engine_failed');
    });

    test('503, or the 529 of Anthropic, when none serves the model', async () => {
      rig.agent.drop();
      await isError(ask(), 503, 'no_worker');
    });
  });
});
