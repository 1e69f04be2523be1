/** What the metrics tell of a request: its times, its attempts, and what was predicted of it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Customer, MODEL } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const WHOLE = { stream: false, stream_options: undefined };
/** Fewer than the hold covers, so that it need not be extended before the first token goes out. */
const PROMPT = 20;

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig.rejoin());

const LABELS = { model: MODEL, region: 'global' };

/** How much a metric grows while `act` runs. */
async function growth(
  name: string,
  labels: Readonly<Record<string, string>>,
  act: () => Promise<unknown>,
): Promise<number> {
  const before = await rig.metric(`penstock_router_${name}`, labels);
  await act();
  await rig.ended();
  return (await rig.metric(`penstock_router_${name}`, labels)) - before;
}

test.each([true, false])('the time to the first token, streamed or not: %s', async (isStreamed) => {
  const labels = { ...LABELS, streamed: String(isStreamed) };
  const answered = async () => {
    const fields = isStreamed ? {} : WHOLE;
    const { stream, response } = await rig.beginRaw(customer, fields);
    rig.books.clock.advance(40);
    stream.content(PROMPT, 1);
    rig.books.clock.advance(900);
    stream.finish(PROMPT, 10);
    await (await response).text();
  };
  const name = 'time_to_first_token_seconds';
  // One observation of 40 ms.
  expect(await growth(name, { ...labels, le: '0.05' }, answered)).toBe(1);
  expect(await growth(name, { ...labels, le: '0.03' }, answered)).toBe(0);
  const rows = await rig.rows(customer.organization);
  expect(rows.map(({ ttftMs, durationMs }) => [ttftMs, durationMs])).toEqual([
    [40, 940],
    [40, 940],
  ]);
});

test('an attempt that fails is counted for its worker, and the failover for its model', async () => {
  const failed = async () => {
    const { stream, response } = await rig.beginRaw(customer);
    stream.fail('engine');
    expect((await response).status).toBe(502);
  };
  const reason = 'engine_failed';
  expect(await growth('attempts_failed_total', { reason }, failed)).toBe(1);
  expect(await growth('attempts_total', { outcome: 'failed' }, failed)).toBe(1);
  expect(await growth('failovers_total', { ...LABELS, reason }, failed)).toBe(1);
});

test('a refused key is counted by the cause, and the status is 401', async () => {
  const last = customer.value.at(-1) === 'A' ? 'B' : 'A';
  const mistyped = { ...customer, value: customer.value.slice(0, -1) + last };
  const refused = async () => expect((await rig.post(mistyped)).status).toBe(401);
  const labels = { region: 'global', cause: 'malformed' };
  expect(await growth('keys_refused_total', labels, refused)).toBe(1);
  const ends = { region: 'global', model: '', code: 'invalid_api_key' };
  expect(await growth('requests_total', ends, refused)).toBe(1);
});
