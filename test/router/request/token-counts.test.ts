/** `POST /v1/messages/count_tokens`: by an engine that can, else by the router's estimate; free. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CLIENTS_OPEN_MAX,
  ORGANIZATION_WAITING_MAX,
} from '../../../router/fleet/token-count-client.ts';
import { limits } from '../../../shared/limits.ts';
import type { Count } from '../../../shared/wire/messages.ts';
import { setLimits, setStatus } from '../ledger/set-organization.ts';
import { type Customer, MODEL, SEEING } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/v1/messages/count_tokens';
const { least, most } = limits.linkCountChars;

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig.rejoin());

const user = (content: unknown) => ({ model: MODEL, messages: [{ role: 'user', content }] });

function ask(body: object, of = customer): Promise<Response> {
  return rig.post(of, {}, { body: JSON.stringify(body) }, PATH);
}

/** Waits for the next request to count, and answers it. */
async function counts(nth: number, prompt: number | null): Promise<Count> {
  await rig.agent.gate.until(() => rig.agent.counts.length > nth);
  const asked = rig.agent.counts[nth] as Count;
  rig.agent.say({ type: 'counted', id: asked.id, prompt, answer: null });
  return asked;
}

async function told(response: Response | Promise<Response>) {
  const answer = await response;
  const by = answer.headers.get('x-token-count');
  return { status: answer.status, by, body: (await answer.json()) as { input_tokens: number } };
}

test('an engine counts the chat that it would be sent, with its system message and tools', async () => {
  const answer = told(
    ask({
      ...user('Hi.'),
      system: 'Be brief.',
      tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    }),
  );
  const asked = await counts(0, 42);
  expect(asked).toMatchObject({ worker: 'one', model: MODEL, endpoint: 'chat', answer: null });
  expect(JSON.parse(asked.prompt as string)).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi.' },
    ],
    tools: [{ type: 'function', function: { name: 'read' } }],
  });
  expect(await answer).toEqual({ status: 200, by: 'engine', body: { input_tokens: 42 } });
});

test('an Idempotency-Key is ignored, even a malformed one', async () => {
  const headers = { authorization: `Bearer ${customer.value}`, 'idempotency-key': 'k'.repeat(256) };
  const init = { headers, body: JSON.stringify(user('Hi.')) };
  const answer = told(rig.post(customer, {}, init, PATH));
  await counts(0, 5);
  expect(await answer).toMatchObject({ status: 200, by: 'engine' });
});

test('nothing is charged, held or listed, and no request reaches an engine', async () => {
  const before = await rig.balance(customer.organization);
  const answer = told(ask(user('Hi.')));
  await counts(0, 5);
  await answer;
  expect(await rig.balance(customer.organization)).toEqual(before);
  expect(await rig.rows(customer.organization)).toEqual([]);
  expect(rig.agent.streams).toEqual([]);
});

test('an older agent is asked for what it takes, and a newer one for more', async () => {
  const text = 'x'.repeat(least);
  expect(await told(ask(user(text)))).toMatchObject({ status: 200, by: 'estimate' });
  rig.agent.report([MODEL], { countChars: most });
  const answer = told(ask(user(text)));
  await counts(0, 20_000);
  expect(await answer).toMatchObject({ by: 'engine', body: { input_tokens: 20_000 } });
  expect(await told(ask(user('x'.repeat(most))))).toMatchObject({ by: 'estimate' });
  // Two bytes a character.
  expect(await told(ask(user('é'.repeat(most / 2))))).toMatchObject({ by: 'estimate' });
  expect(rig.agent.counts).toHaveLength(1);
});

test('an engine without a tokenizer, an image and a model that nobody serves are estimated', async () => {
  rig.agent.report([MODEL], { countChars: 0 });
  const estimated = await told(ask(user('word '.repeat(300))));
  expect(estimated).toMatchObject({ status: 200, by: 'estimate' });
  expect(estimated.body.input_tokens).toBeGreaterThan(300);
  rig.agent.report([]);
  expect(await told(ask(user('Hi.')))).toMatchObject({ by: 'estimate' });
  rig.agent.report([SEEING], { countChars: most });
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  const seen = { ...user([{ type: 'image', source }]), model: SEEING };
  expect(await told(ask(seen))).toMatchObject({ by: 'estimate' });
  expect(rig.agent.counts).toEqual([]);
});

test('a worker that does not count, or counts what cannot be, is believed nothing', async () => {
  const none = told(ask(user('Hi.')));
  await counts(0, null);
  expect(await none).toMatchObject({ status: 200, by: 'estimate' });
  // It is left alone for a while.
  expect(await told(ask(user('Hi.')))).toMatchObject({ by: 'estimate' });
  expect(rig.agent.counts).toHaveLength(1);
  await rig.pass(5_000);
  const absurd = told(ask(user('Hi.')));
  await counts(1, 1_000_000);
  expect(await absurd).toMatchObject({ by: 'estimate' });
});

test('a worker that cannot count one organization’s text still counts for others', async () => {
  const other = await rig.customer(10n ** 12n);
  const none = told(ask(user('Hi.')));
  await counts(0, null);
  expect(await none).toMatchObject({ by: 'estimate' });
  const answer = told(ask(user('Hi.'), other));
  await counts(1, 5);
  expect(await answer).toMatchObject({ by: 'engine', body: { input_tokens: 5 } });
});

test('the metrics tell who counted, and how many workers are not asked for a while', async () => {
  const by = (who: string) => rig.metric('penstock_router_token_counts_total', { by: who });
  const pauses = () => rig.metric('penstock_router_token_count_pauses');
  // Longer than any pause that other tests have left.
  await rig.pass(10_000);
  const before = [await by('engine'), await by('estimate')] as const;
  const answer = told(ask(user('Hi.')));
  await counts(0, 5);
  await answer;
  expect(await pauses()).toBe(0);
  const none = told(ask(user('Hi.')));
  await counts(1, null);
  await none;
  expect([await by('engine'), await by('estimate')]).toEqual([before[0] + 1, before[1] + 1]);
  expect(await pauses()).toBe(1);
  await rig.pass(5_000);
  expect(await pauses()).toBe(0);
});

test('what the Messages API refuses is refused here, in its words', async () => {
  const bad = await ask({ model: MODEL, messages: [] });
  expect([bad.status, await bad.json()]).toMatchObject([
    400,
    { type: 'error', error: { type: 'invalid_request_error' } },
  ]);
  expect((await ask({ ...user('Hi.'), model: 'qwen/none' })).status).toBe(404);
  expect((await fetch(`${rig.origin}${PATH}`, { method: 'POST' })).status).toBe(401);
  const { organization } = customer;
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  expect((await ask(user('Hi.'))).status).toBe(403);
});

test('the limit of requests at once holds, and a rate of its own', async () => {
  const { organization } = customer;
  const set = { organization, limits: { concurrentRequests: 1 } };
  await rig.books.store.call(setLimits, set);
  const first = told(ask(user('Hi.')));
  await rig.agent.gate.until(() => rig.agent.counts.length > 0);
  expect((await ask(user('Hi.'))).status).toBe(429);
  expect((await ask(user('Hi.'))).status).toBe(429);
  await counts(0, 5);
  expect(await first).toMatchObject({ by: 'engine' });
  rig.agent.report([]);
  const eager = await rig.customer(0n);
  const { burst } = limits.tokenCounts.peer;
  const answers: number[] = [];
  for (let nth = 0; nth <= burst; nth++) answers.push((await ask(user('Hi.'), eager)).status);
  expect(answers).toEqual([...Array.from({ length: burst }, () => 200), 429]);
});

test('a worker that is silent for five seconds is waited for no longer', async () => {
  const answer = told(ask(user('Hi.')));
  await rig.agent.gate.until(() => rig.agent.counts.length > 0);
  await rig.pass(5_000);
  expect(await answer).toMatchObject({ status: 200, by: 'estimate' });
});

test('a host counts a few prompts of an organization at a time, some wait for their turn, and the rest are estimated', async () => {
  const by: (string | null)[] = [];
  const counted = CLIENTS_OPEN_MAX + ORGANIZATION_WAITING_MAX;
  const asked = Array.from({ length: counted + 3 }, async () =>
    by.push((await told(ask(user('Hi.')))).by),
  );
  // Those that find no place are answered before the host has counted any.
  await rig.until(() => by.length === 3);
  expect(by).toEqual(['estimate', 'estimate', 'estimate']);
  expect(rig.agent.counts).toHaveLength(CLIENTS_OPEN_MAX);
  const other = told(ask(user('Hi.'), await rig.customer(10n ** 12n)));
  for (let nth = 0; nth < counted + 1; nth++) await counts(nth, 5);
  expect(await other).toMatchObject({ by: 'engine' });
  await Promise.all(asked);
  expect(by.filter((one) => one === 'engine')).toHaveLength(counted);
});

test('a prompt that has waited for two seconds, or whose host leaves, is estimated', async () => {
  const open = Array.from({ length: CLIENTS_OPEN_MAX }, () => told(ask(user('Hi.'))));
  await rig.agent.gate.until(() => rig.agent.counts.length === CLIENTS_OPEN_MAX);
  const from = rig.books.clock.monotonic();
  const by: (string | null)[] = [];
  void told(ask(user('Hi.'))).then((answer) => by.push(answer.by));
  await rig.passUntil(() => by.length > 0);
  expect([by, rig.agent.counts.length]).toEqual([['estimate'], CLIENTS_OPEN_MAX]);
  expect(rig.books.clock.monotonic() - from).toBeLessThan(5_000);
  const waiting = told(ask(user('Hi.')));
  await rig.until(() => rig.entrance.bodyBytes > 0);
  rig.agent.drop();
  for (const answer of [...open, waiting]) {
    expect(await answer).toMatchObject({ status: 200, by: 'estimate' });
  }
});
