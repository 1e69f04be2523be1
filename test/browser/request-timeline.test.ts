/**
 * The timeline of a request: how long it waited for a host, and which attempts failed and why, as
 * the management API and the page of the request tell it. Router, agents and engines are real.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UsageDetail } from '../../shared/api/usage.ts';
import { readyWorkers, type SecondHost, startSecondHost } from '../support/second-host.ts';
import { up } from '../support/shared-up.ts';
import { readStream } from '../support/sse.ts';
import { until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

let second: SecondHost;
let operator: Visitor;
let page: Page;
const parts = new AsyncDisposableStack();
beforeAll(async () => {
  second = parts.use(await startSecondHost(up, { slots: 1 }));
  operator = parts.use(await Visitor.operator(browser, up));
  ({ page } = operator);
});
afterAll(() => parts.disposeAsync());

/** Sends a request, and returns its id when it has ended. */
async function send(words = 10): Promise<string> {
  const answer = await up.post('/chat/completions', {
    model: MODEL,
    stream: true,
    messages: [{ role: 'user', content: `Write ${words} words.` }],
  });
  const id = answer.headers.get('x-request-id') ?? '';
  await readStream(answer);
  return id;
}

async function detailOf(request: string): Promise<UsageDetail> {
  const { id } = up.first.organization;
  // A request that fails may be stored a moment after its answer.
  return await until(
    () => up.api('GET', `/organizations/${id}/usage/${request}`).catch(() => null),
    'the usage row',
  );
}

async function open(request: string): Promise<void> {
  await page.goto(`/${up.first.organization.id}/logs/${request}`);
  await page.getByRole('list', { name: 'Time of each stage' }).waitFor();
}

/** The items of the timeline, without their times. */
async function events(): Promise<string[]> {
  const items = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  return await items.locator('span.font-medium').allTextContents();
}

test('a failover is shown with its reason, how long the failed attempt took, and who took over', async () => {
  await second.setFaults({ http_500: { after_tokens: 0 } });
  const sent: string[] = [];
  // The router chooses the workers, so that some requests may all go to the first one.
  await until(async () => {
    sent.push(...(await Promise.all(Array.from({ length: 10 }, () => send()))));
    return (await second.taken('http_500')) > 0;
  }, 'a request that the second worker fails');
  await second.setFaults({});
  const details = await Promise.all(sent.map(detailOf));
  const failedOver = details.find(({ timeline }) => timeline?.failed_attempts.length === 1);
  expect(failedOver).toMatchObject({ status: 200, error: null });
  const { timeline, request_id } = failedOver as UsageDetail;
  const [failed] = timeline?.failed_attempts ?? [];
  expect(failed?.code).toBe('engine_failed');
  expect(failed?.after_ms).toBeGreaterThanOrEqual(timeline?.admitted_ms ?? NaN);
  expect(timeline?.picked_ms).toBeGreaterThanOrEqual(
    (failed?.after_ms ?? NaN) + (failed?.duration_ms ?? NaN) - 1,
  );

  await open(request_id);
  await page.getByText('A host failed before the response began, and another took over.').waitFor();
  await page
    .getByText(/The inference engine of the first host failed after .+; another took over\./)
    .waitFor();
  expect(await events()).toEqual([
    'Received',
    'Read',
    'Admitted',
    'Attempt 1 failed',
    'Host picked',
    'First token',
    'Ended',
  ]);
  const facts = page.locator('section', {
    has: page.getByRole('heading', { level: 2, name: 'Details', exact: true }),
  });
  await expect
    .poll(() => facts.innerText())
    .toMatch(/Endpoint\s+\/v1\/chat\/completions\s+Streamed\s+Yes\s+Token limit\s+Not set/);
  await operator.look('request-failover');
  const shown = await up.admin<Record<string, unknown>>('request', 'show', '--request', request_id);
  expect(shown).toMatchObject({ timeline: { failed_attempts: [{ code: 'engine_failed' }] } });
});

test('a request that waited for a host says how long, and one that none could serve why', async () => {
  await until(
    async () => (await readyWorkers(up)).every(({ breaker }) => breaker === 'closed') || send(),
    'two workers without a fault',
  );
  // The second host alone, which takes one request at a time.
  const { data } = await up.api('GET', '/agents');
  const agents = data as readonly { id: string; name: string }[];
  const first = agents.find(({ name }) => name !== 'second');
  await up.api('POST', `/agents/${first?.id}/drain`);
  const sent = await Promise.all([send(60), send(60)]);
  const details = await Promise.all(sent.map(detailOf));
  const waited = details.find(({ timeline }) => timeline?.waited_ms !== null);
  const { timeline, request_id } = waited as UsageDetail;
  expect(timeline?.waited_ms).toBeGreaterThan(100);
  expect(timeline?.picked_ms).toBeGreaterThanOrEqual(
    (timeline?.admitted_ms ?? NaN) + (timeline?.waited_ms ?? NaN) - 2,
  );
  await open(request_id);
  await page.getByText(/^All hosts were busy: it waited .+ for one\.$/).waitFor();
  const stages = page.getByRole('list', { name: 'Time of each stage' });
  await stages.getByText('Waiting for a host').waitFor();
  await operator.look('request-waited');

  await second.setFaults({ http_500: { after_tokens: 0, count: 1 } });
  const failed = await send();
  await up.api('POST', `/agents/${first?.id}/undrain`);
  await second.setFaults({});
  expect((await detailOf(failed)).error).toBe('engine_failed');
  await open(failed);
  await page
    .getByText(/The inference engine of the host failed after .+\. No other host/)
    .waitFor();
  expect((await events()).slice(-2)).toEqual(['Attempt 1 failed', 'Ended']);
  await operator.look('request-unanswered');
});

test('a request that an earlier version served has its timeline as far as it is known', async () => {
  const request = await send();
  await page.route('**/api/v1/organizations/*/requests/*', async (route) => {
    const answer = await route.fetch();
    const { usage } = (await answer.json()) as { usage: UsageDetail };
    const json = { usage: { ...usage, timeline: null }, refusal: null };
    await route.fulfill({ response: answer, json });
  });
  await page.goto(`/${up.first.organization.id}/logs/${request}`);
  await page.getByText(/were not stored for this request/).waitFor();
  expect(await events()).toEqual(['Received', 'Admitted', 'First token', 'Ended']);
});
