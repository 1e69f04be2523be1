/**
 * Traces of a whole service: the client's context goes through the router and an agent to the
 * engine, and the spans of both arrive at a receiver.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAgentConfig } from '../../agent/config.ts';
import { type RunningAgent, startAgent } from '../../agent/main.ts';
import { type Simulator, startSimulator } from '../../agent/simulator/main.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom, systemRandom as random } from '../../shared/random.ts';
import { mintSpanId, mintTraceId } from '../../shared/tracing/trace-context.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { readStream } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PROMPT = 'Write 10 words about the unmistakable quokka.';
const log = makeLog('test', 'silent');
const ids = seededRandom(1);

let receiver: OtlpReceiver;
let up: Up;
let agent: RunningAgent;
let engines: readonly Simulator[];
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  receiver = parts.use(await OtlpReceiver.start());
  const folder = await mkdtemp(join(tmpdir(), 'penstock-tracing-'));
  const tracing = { endpoint: receiver.url };
  const settings = join(folder, 'settings.yaml');
  // Only what a client has sampled is traced.
  await writeFile(settings, JSON.stringify({ tracing: { ...tracing, sampleRatio: 0 } }));
  up = parts.use(await Up.start(['--settings', settings]));
  const simulate = () =>
    startSimulator(
      { catalog: 'configs/catalog.yaml', port: 0, logLevel: 'silent' },
      { clock, random, log },
    );
  engines = [parts.use(await simulate()), parts.use(await simulate())];
  const enrol = ['agent', 'enrol', '--name', 'traced', '--region', 'global'];
  const { join_token } = await up.admin<{ join_token: string }>(...enrol);
  const config = parseAgentConfig(
    JSON.stringify({
      name: 'traced',
      data: folder,
      routers: [`${up.origin.replace('http', 'ws')}/agent`],
      join: join_token,
      metrics: { port: 0 },
      tracing,
      engines: engines.map(({ url }, nth) => ({ name: `engine-${nth}`, url })),
    }),
  );
  agent = parts.use(await startAgent(config, { clock, random, log }));
  const ready = async () =>
    (await up.admin<{ id: string; phase: string }[]>('worker', 'list')).filter(
      ({ phase }) => phase === 'ready',
    );
  await until(async () => (await ready()).length === 3, 'three workers');
  const [first] = (await ready()).filter(({ id }) => !id.includes('engine-'));
  await up.admin('worker', 'drain', '--worker', first?.id ?? '');
  await until(async () => (await ready()).length === 2, 'the two traced workers');
});
afterAll(() => parts.disposeAsync());

async function ask(traceparent: string | null): Promise<void> {
  const response = await up.post(
    '/chat/completions',
    { model: MODEL, messages: [{ role: 'user', content: PROMPT }], stream: true },
    {
      headers: {
        authorization: `Bearer ${up.first.api_key}`,
        'content-type': 'application/json',
        ...(traceparent !== null && { traceparent, tracestate: 'vendor=quokka-state' }),
      },
    },
  );
  expect((await readStream(response)).done).toBe(true);
}

type Journal = Readonly<{ started: number; last: { traceparent: string | null } | null }>;

async function journals(): Promise<Journal[]> {
  return await Promise.all(
    engines.map(async ({ url }) => (await (await fetch(`${url}/sim/requests`)).json()) as Journal),
  );
}

/** Sets the same faults on all engines. */
async function setFaults(faults: object, on = engines): Promise<void> {
  for (const { url } of on) {
    await fetch(`${url}/sim/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
  }
}

/** A sampled trace of a client, and how its spans are found once all of them have arrived. */
function clientTrace() {
  const [traceId, spanId] = [mintTraceId(ids), mintSpanId(ids)];
  const spans = (attempts: number) =>
    until(() => {
      const found = receiver.of(traceId);
      const isWhole =
        found.some(({ kind, service }) => kind === 2 && service === 'penstock-router') &&
        found.filter(({ service, kind }) => service === 'penstock-agent' && kind === 2).length ===
          attempts;
      return isWhole ? found : null;
    }, 'the spans of the trace');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01`, spans };
}

const named = (spans: readonly ReceivedSpan[], service: string, name: string) =>
  spans.filter((span) => span.service === `penstock-${service}` && span.name === name);

test('a trace goes from the client through the router and the agent to the engine', async () => {
  const { spanId, traceId, traceparent, spans: arrived } = clientTrace();
  await ask(traceparent);
  const spans = await arrived(1);
  const [server] = named(spans, 'router', 'POST /v1/chat/completions');
  const [attempt] = named(spans, 'router', `chat ${MODEL}`);
  const [onAgent] = named(spans, 'agent', `attempt ${MODEL}`);
  const [call] = named(spans, 'agent', `chat ${MODEL}`);
  expect(server?.parent).toBe(spanId);
  expect([attempt?.parent, onAgent?.parent, call?.parent]).toEqual([
    server?.id,
    attempt?.id,
    onAgent?.id,
  ]);
  const last = (await journals()).map((journal) => journal.last?.traceparent);
  expect(last).toContain(`00-${traceId}-${call?.id}-01`);
  const stages = spans.filter(({ parent, kind }) => parent === server?.id && kind === 1);
  expect(stages.map(({ name }) => name)).toEqual([
    'authenticate',
    'read',
    'admit',
    'pick',
    'settle',
  ]);
  expect(named(spans, 'router', 'relay').map(({ parent }) => parent)).toEqual([attempt?.id]);
  expect([attempt?.events, call?.events]).toEqual([['first_token'], ['first_token']]);
  const [row] = await up.usage();
  expect(server?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/chat/completions',
    'http.response.status_code': 200,
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'penstock',
    'gen_ai.request.model': MODEL,
    'gen_ai.response.id': row?.completion_id,
    'gen_ai.usage.input_tokens': row?.prompt_tokens,
    'gen_ai.usage.output_tokens': row?.completion_tokens,
    'penstock.request.id': row?.request_id,
    'penstock.organization.id': up.first.organization.id,
    'penstock.key.id': row?.key_id,
    'penstock.region': 'global',
  });
  for (const span of spans) {
    expect(span.endNs).toBeGreaterThanOrEqual(span.startNs);
    expect(span.status).toBe(0);
  }
});

test('an attempt that fails and the one after it are two spans', async () => {
  await setFaults({ http_500: { after_tokens: 0 } }, engines.slice(0, 1));
  // The router chooses the engine, so the first request may miss the one that fails.
  const spans = await until(async () => {
    const { traceparent, traceId, spans: arrived } = clientTrace();
    await ask(traceparent);
    await until(
      () => named(receiver.of(traceId), 'router', 'settle')[0],
      'the spans of the router',
    );
    const attempts = named(receiver.of(traceId), 'router', `chat ${MODEL}`).length;
    return attempts === 2 ? arrived(2) : null;
  }, 'a request that is tried twice');
  await setFaults({});
  const attempts = named(spans, 'router', `chat ${MODEL}`);
  expect(attempts.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
    [2, 'engine_failed'],
    [0, undefined],
  ]);
  const onAgent = named(spans, 'agent', `attempt ${MODEL}`);
  expect(new Set(onAgent.map(({ parent }) => parent))).toEqual(
    new Set(attempts.map(({ id }) => id)),
  );
  const [server] = named(spans, 'router', 'POST /v1/chat/completions');
  expect(server?.attributes['penstock.attempts']).toBe(2);
  expect(server?.status).toBe(0);
});

test('a malformed context, and one that is not sampled, is not traced', async () => {
  const before = receiver.spans.length;
  const { traceId, spanId } = clientTrace();
  const given = [`00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-01-x`, 'quokka', null];
  for (const traceparent of given) await ask(traceparent);
  const { traceparent, spans } = clientTrace();
  await ask(traceparent);
  const last = (await spans(1)).length;
  expect(receiver.spans.length - before).toBe(last);
});

test('a client that wants all of its requests traced gets as many as its rate allows', async () => {
  const traces = Array.from({ length: 60 }, clientTrace);
  await Promise.all(traces.map(({ traceparent }) => ask(traceparent)));
  const traced = () => traces.filter(({ traceId }) => receiver.of(traceId).length > 0).length;
  await until(() => traced() > 0, 'a trace');
  expect(traced()).toBeLessThan(60);
});

test('no prompt, answer, key or text of a client is in a span', async () => {
  const exported = Buffer.concat(receiver.bodies).toString('latin1');
  expect(exported).toContain(up.first.organization.id);
  for (const secret of ['quokka', up.first.api_key, up.first.api_key.slice(-20)]) {
    expect(exported).not.toContain(secret);
  }
});

test('the spans are counted by the router and by the agent', async () => {
  const urls = [up.ready.metrics_url, `http://127.0.0.1:${agent.metricsPort}/metrics`];
  for (const url of urls) {
    const page = await (await fetch(url)).text();
    expect(page).toMatch(/^penstock_\w+_spans_exported_total [1-9]/m);
  }
});
