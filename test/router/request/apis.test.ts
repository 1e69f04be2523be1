/**
 * One suite for all inference APIs: the same conversation, with every ending, every failure and every
 * cancel at every point. What is charged, held and sent does not depend on the API.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from '../../../router/request/api.ts';
import { delivered, standstill } from '../../agent/support/gate.ts';
import { APIS } from '../../support/apis.ts';
import { idleEngine } from '../control/dialing-agent.ts';
import {
  ask,
  CONVERSATION,
  finishesOf,
  heard,
  piecesOf,
  PRICE,
  PROMPT,
  requestOf,
  saidBy,
  say,
} from './conversation.ts';
import { translated } from './reading/translate/translated.ts';
import type { Customer } from './rig.ts';
import { type AgentStream, endless } from './scripted-agent.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const CREDIT = 10n ** 12n;
/** The marks of an ending, in any API. */
const END =
  /\[DONE\]|response\.(completed|incomplete|failed)|message_stop|message_delta|"error":\{/;
const FREE = { cost: 0n, outcome: 'voided' } as const;

let customer: Customer;
beforeEach(async () => {
  rig.rejoin();
  customer = await rig.customer(CREDIT);
});
/** After every test nothing is held, and the balance agrees with the usage rows. */
afterEach(async () => {
  const rows = await rig.rows(customer.organization);
  const charged = rows.reduce((sum, one) => sum + one.cost, 0n);
  const after = { balance: CREDIT - charged, held: 0n, reserve: 0n };
  expect(await rig.balance(customer.organization)).toMatchObject(after);
  rig.agent.drop();
});

function cost(completion: number, cached = 0): bigint {
  const fresh = BigInt(PROMPT - cached) * PRICE.prompt + BigInt(cached) * PRICE.cached;
  return fresh + BigInt(completion) * PRICE.completion;
}

async function row() {
  const [newest] = await rig.rows(customer.organization);
  return newest;
}

/** Two engines behind the agent, so that a request can be tried again. */
function serveTwice(): void {
  const workers = ['one', 'two'].map((name) => ({
    ...idleEngine(name),
    models: [...rig.models],
    slots: 100,
  }));
  rig.agent.say({ type: 'load', workers });
}

/** A request that has reached its agent. */
async function begin(api: Api, stream: boolean, fields: object = {}) {
  const leaving = new AbortController();
  const response = ask(api, customer, { stream, ...fields }, { signal: leaving.signal });
  response.catch(() => {});
  return { agent: await rig.agent.next(), response, leave: () => leaving.abort() };
}

test('the agent gets the same conversation from every API', () => {
  const chatOf = (api: Api) => {
    const { chat: body, facts } = translated(api, CONVERSATION[api]);
    const { messages, tools, max_tokens, temperature } = body as Record<string, unknown>;
    const { tools: count, wantsReasoning, images } = facts.asked;
    return {
      body: { messages, tools, max_tokens, temperature },
      asked: { count, images: images.count, bytes: images.bytes },
      wantsReasoning,
      turns: facts.turns,
    };
  };
  const chat = chatOf('chat');
  expect(chat).toMatchObject({ wantsReasoning: true, asked: { count: 1, images: 1 } });
  expect(chatOf('responses')).toEqual(chat);
  // Clients of this API ask for thinking without knowing whether the model can.
  expect(chatOf('messages')).toEqual({ ...chat, wantsReasoning: false });
});

describe.each(APIS)('%s', (api) => {
  const all = piecesOf(api, 'tool_calls');
  const points = all.map((_, nth) => nth + 1);

  test.each(finishesOf(api))(
    'MONEY 12: an answer that ends with %s says all, and shows the usage that is charged',
    async (finish) => {
      const pieces = piecesOf(api, finish);
      const completion = pieces.length;
      for (const stream of [true, false]) {
        // Cached tokens are believed once the same prompt was seen.
        for (const cached of [0, 1_500]) {
          const { agent, response } = await begin(api, stream);
          say(agent, pieces);
          agent.finish(PROMPT, completion, { finish, cached, reasoning: 1 });
          const { answer, status, isCut } = await heard(api, await response);
          const usage = { prompt: PROMPT, cached, completion };
          const complete = { ...saidBy(pieces), finish, usage, isComplete: true };
          expect({ answer, status, isCut }).toEqual({
            answer: complete,
            status: 200,
            isCut: false,
          });
          expect(await row()).toMatchObject({
            promptTokens: PROMPT,
            cachedTokens: cached,
            completionTokens: completion,
            reasoningTokens: 1,
            finishReason: finish,
            cost: cost(completion, cached),
            outcome: 'settled',
            status: 200,
          });
          await rig.pass(1);
        }
        customer = await rig.customer(CREDIT);
      }
    },
  );

  test.each([true, false])(
    'the usage row says what was asked for, streamed: %s',
    async (stream) => {
      const { agent, response } = await begin(api, stream);
      say(agent, all);
      agent.finish(PROMPT, all.length);
      await heard(api, await response);
      const { path: endpoint } = requestOf(api, { stream });
      expect(await row()).toMatchObject({ endpoint, streamed: stream, maxTokens: 100 });
    },
  );

  test('MONEY 12: nothing that ends an answer goes out before the charge', async () => {
    const { agent, response } = await begin(api, true);
    say(agent, all);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let raw = '';
    let isOver = false;
    const reading = (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        raw += decoder.decode(piece.value, { stream: true });
      }
      isOver = true;
    })();
    const gate = rig.gated.hold('settle');
    agent.finish(PROMPT, all.length);
    await gate.reached;
    await delivered();
    expect(raw).toContain('read');
    expect(raw).not.toMatch(END);
    expect(isOver).toBe(false);
    gate.letGo();
    await reading;
    expect(raw).toMatch(END);
    expect(await row()).toMatchObject({ cost: cost(all.length), outcome: 'settled' });
  });

  test('MONEY 12: a whole answer waits for its charge', async () => {
    const { agent, response } = await begin(api, false);
    let answered = false;
    void response.finally(() => {
      answered = true;
    });
    const gate = rig.gated.hold('settle');
    say(agent, all);
    agent.finish(PROMPT, all.length);
    await gate.reached;
    await delivered();
    expect(answered).toBe(false);
    gate.letGo();
    expect((await heard(api, await response)).answer.isComplete).toBe(true);
    expect(await row()).toMatchObject({ cost: cost(all.length), outcome: 'settled' });
  });

  test('MONEY 13: where the hold is gone and the account cannot bear the charge, the stream is cut', async () => {
    const { agent, response } = await begin(api, true);
    say(agent, all);
    const reading = heard(api, await response);
    await rig.books.sweep(rig.ledger.incarnation);
    const { organization, key } = customer;
    const spending = rig.books.reservation(organization, CREDIT, { key });
    expect(await rig.books.ledger.reserve(spending)).toHaveProperty('held');
    agent.finish(PROMPT, all.length);
    expectCut(await reading);
    await rig.books.void(organization, spending.request);
    const [, cut] = await rig.rows(organization);
    expect(cut).toMatchObject({ ...FREE, status: 402, error: 'insufficient_credit' });
    await rig.ledger.heartbeat();
  });

  const FAILURES: [what: string, fail: (agent: AgentStream) => void, error: string][] = [
    ['the engine fails', (agent) => agent.fail(), 'engine_failed'],
    ['the agent ends it unasked', (agent) => agent.stop(PROMPT, 6), 'engine_failed'],
    ['the agent exceeds its grant', (agent) => agent.content(PROMPT, 9_999), 'worker_lost'],
    ['the link breaks', () => rig.agent.drop(), 'worker_lost'],
  ];
  const anyFailure = FAILURES.flatMap(([what, fail, error]) =>
    points.map((point) => [what, point, fail, error] as const),
  );
  test.each(anyFailure)(
    'MONEY 15: %s after piece %i of a stream: cut, and free',
    async (_what, point, fail, error) => {
      const { agent, response } = await begin(api, true);
      const said = all.slice(0, point);
      say(agent, said);
      const reading = heard(api, await response);
      fail(agent);
      const { answer } = expectCut(await reading);
      expect(answer).toMatchObject({ text: saidBy(said).text, reasoning: saidBy(said).reasoning });
      expect(await row()).toMatchObject({ ...FREE, status: 502, error });
    },
  );

  test.each([0, ...points])(
    'a whole answer that fails after piece %i is given by another engine, and charged once',
    async (point) => {
      serveTwice();
      const { agent, response } = await begin(api, false);
      say(agent, all.slice(0, point));
      agent.fail();
      const second = await rig.agent.next();
      expect(second.open.worker).not.toBe(agent.open.worker);
      say(second, all);
      second.finish(PROMPT, all.length);
      const { answer } = await heard(api, await response);
      expect(answer).toMatchObject({ ...saidBy(all), isComplete: true });
      const rows = await rig.rows(customer.organization);
      expect(rows.map((one) => one.cost)).toEqual([cost(all.length)]);
    },
  );

  test('a stream that fails before its first byte is given by another engine, and charged once', async () => {
    serveTwice();
    const { agent, response } = await begin(api, true);
    agent.fail();
    const second = await rig.agent.next();
    say(second, all);
    second.finish(PROMPT, all.length);
    const { answer } = await heard(api, await response);
    expect(answer).toMatchObject({ ...saidBy(all), isComplete: true });
    const rows = await rig.rows(customer.organization);
    expect(rows.map((one) => one.cost)).toEqual([cost(all.length)]);
  });

  test.each([true, false])(
    'MONEY 15: an answer that no engine gives is an error, and free (streamed: %s)',
    async (stream) => {
      const { agent, response } = await begin(api, stream);
      agent.finish(PROMPT, 0);
      const { status, raw } = await heard(api, await response);
      expect([status, codeOf(raw)]).toEqual([502, 'engine_failed']);
      expect(await row()).toMatchObject({ ...FREE, status: 502 });
    },
  );

  test('MONEY 15, 20: a stream that stops coming is cut after two minutes, and free', async () => {
    const { agent, response } = await begin(api, true);
    say(agent, all);
    const reading = heard(api, await response);
    await rig.pass(125_000);
    expectCut(await reading);
    expect(await row()).toMatchObject({ ...FREE, status: 504, error: 'idle_timeout' });
  });

  const cancels = [true, false].flatMap((stream) =>
    points.map((point) => [stream, point] as const),
  );
  test.each(cancels)(
    'MONEY 15: who leaves an answer (streamed: %s) after piece %i pays for what was counted',
    async (stream, point) => {
      const { agent, response, leave } = await begin(api, stream);
      say(agent, all.slice(0, point));
      if (stream) await response;
      else await delivered();
      leave();
      await agent.cancelled();
      agent.stop(PROMPT, point + 1);
      expect(await row()).toMatchObject({
        completionTokens: point + 1,
        cost: cost(point + 1),
        outcome: 'settled',
        status: 499,
      });
    },
  );

  test('MONEY 15: who stops reading pays for what was generated until that was given up', async () => {
    const most = { max_tokens: 4_000, max_output_tokens: 4_000 };
    const { body, path } = requestOf(api, { stream: true, ...most });
    const { stream, response } = await rig.beginUnread(customer, body, path);
    const answer = endless(stream, PROMPT);
    await standstill(() => answer.send());
    await response;
    await rig.pass(65_000);
    await stream.cancelled();
    stream.stop(PROMPT, answer.count);
    expect(await row()).toMatchObject({ cost: cost(answer.count), status: 499 });
  });

  const early: [what: string, prompt: number, accepted: boolean, charged: object][] = [
    ['took it', 0, false, FREE],
    ['counted its prompt', 0, true, FREE],
    ['said anything', PROMPT, true, { cost: cost(0), outcome: 'settled' }],
  ];
  test.each(early)(
    'MONEY 15: who leaves before the engine %s pays for the prompt as far as it was counted',
    async (_what, prompt, accepted, charged) => {
      const { agent, leave } = await begin(api, true);
      leave();
      await agent.cancelled();
      agent.stop(prompt, 0, accepted);
      expect(await row()).toMatchObject({ ...charged, status: 499 });
    },
  );

  test.each([true, false])(
    'MONEY 9: an answer whose credit is used up ends with length, and is paid (streamed: %s)',
    async (stream) => {
      const { agent, response } = await begin(api, stream);
      say(agent, all);
      agent.cutShort(PROMPT, all.length);
      const { answer } = await heard(api, await response);
      const usage = { prompt: PROMPT, completion: all.length };
      expect(answer).toMatchObject({ finish: 'length', usage, isComplete: true });
      expect(await row()).toMatchObject({ cost: cost(all.length), outcome: 'settled' });
    },
  );
});

/** Expects that nothing tells the client that the answer is complete, or what failed. */
function expectCut(seen: Awaited<ReturnType<typeof heard>>) {
  expect(seen).toMatchObject({ status: 200, isCut: true });
  expect(seen.answer).toMatchObject({ finish: null, usage: null, isComplete: false });
  expect(seen.raw).not.toMatch(END);
  return seen;
}

function codeOf(raw: string): string | undefined {
  const { error } = JSON.parse(raw) as {
    error: { code?: string; details?: { error_code: string } };
  };
  return error.code ?? error.details?.error_code;
}
