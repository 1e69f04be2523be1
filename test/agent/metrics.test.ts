/** The agent's Prometheus metrics. */
import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Latency } from '../../agent/latency.ts';
import { Tallies } from '../../agent/tallies.ts';
import { turn } from './support/gate.ts';
import { HELLO, notesOf, type Rig, startRig, untilLoad } from './support/rig.ts';
import { type EngineRequest, generates } from './support/scripted-engine.ts';

const LABELS = 'engine="engine",model="test/plain"';

test('requests, tokens and times are counted by engine and model', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept();
  rig.clock.advance(150);
  ask.role(10);
  await call.until(() => call.records.length === 1);
  rig.clock.advance(12);
  ask.chunk({ content: 'x' }, [10, 1]);
  await call.until(() => call.records.length === 2);
  expect(await rig.metrics()).toContain('penstock_agent_in_flight{engine="engine"} 1');
  ask.chunk({}, [10, 2], 'stop').usage(10, 2, { cached: 4, reasoning: 1 }).done();
  await call.ended();
  const refused = rig.session.open(HELLO);
  (await rig.engine.ask(2)).refuse(503);
  await refused.ended();

  const text = await rig.metrics();
  for (const line of [
    `penstock_agent_requests_total{${LABELS},status="stop"} 1`,
    `penstock_agent_requests_total{${LABELS},status="busy"} 1`,
    `penstock_agent_tokens_total{${LABELS},kind="prompt"} 10`,
    `penstock_agent_tokens_total{${LABELS},kind="completion"} 2`,
    `penstock_agent_tokens_total{${LABELS},kind="cached"} 4`,
    `penstock_agent_tokens_total{${LABELS},kind="reasoning"} 1`,
    `penstock_agent_time_to_first_token_seconds_bucket{le="0.2",${LABELS}} 1`,
    `penstock_agent_inter_token_seconds_bucket{${LABELS},le="0.01"} 1`,
    `penstock_agent_inter_token_seconds_bucket{${LABELS},le="0.015"} 2`,
    `penstock_agent_inter_token_seconds_count{${LABELS}} 2`,
    `penstock_agent_request_duration_seconds_count{${LABELS}} 2`,
    'penstock_agent_engine_up{engine="engine"} 1',
    'penstock_agent_in_flight{engine="engine"} 0',
    'penstock_agent_links{state="joined"} 1',
    'penstock_agent_links{state="waiting"} 0',
    'penstock_agent_reconnects_total 0',
    'penstock_agent_event_loop_delay_seconds{quantile="0.99"}',
    'penstock_agent_prefix_cache_hit_tokens{engine="engine"} 0',
  ]) {
    expect(text).toContain(line);
  }
});

async function healthAt(rig: Rig, path: string) {
  const response = await fetch(`http://127.0.0.1:${rig.agent.metricsPort}${path}`);
  return { status: response.status, body: await response.json() };
}

test('an agent is ready with a router and an engine, and else says what is missing', async () => {
  const hangs = { onProbe: (ask: EngineRequest) => ask.refuse(500) };
  await using rig = await startRig({ engine: hangs, waits: false });
  const down = 'engine engine is down: it answers health checks, but does not generate tokens';
  await untilLoad(rig, () => notesOf(rig).includes('does not generate'));
  expect(await healthAt(rig, '/readyz')).toEqual({
    status: 503,
    body: { status: 'not ready', reasons: [down] },
  });
  rig.engine.onProbe = generates;
  await untilLoad(rig, () => rig.session.load()?.phase === 'ready');
  const ok = { status: 200, body: { status: 'ok' } };
  expect(await healthAt(rig, '/readyz')).toEqual(ok);

  await rig.router[Symbol.asyncDispose]();
  while (!(await rig.metrics()).includes('penstock_agent_links{state="joined"} 0')) await turn();
  expect(await healthAt(rig, '/readyz')).toMatchObject({
    status: 503,
    body: { reasons: ['no router is connected'] },
  });
  expect(await healthAt(rig, '/healthz')).toEqual(ok);
});

test('an agent that is told to stop is not ready while its last answer runs', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(10);
  const drained = rig.agent.drain();
  expect(await healthAt(rig, '/readyz')).toMatchObject({
    status: 503,
    body: { reasons: ['the agent is stopping'] },
  });
  ask.chunk({}, [10, 1], 'stop').usage(10, 1).done();
  await call.ended();
  await drained;
});

test('there is nothing else on the metrics port', async () => {
  await using rig = await startRig();
  const port = rig.agent.metricsPort;
  const statuses = [];
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics', 'POST'],
    ['/metrics?x=1', 'GET'],
  ] as const) {
    statuses.push((await fetch(`http://127.0.0.1:${port}${path}`, { method })).status);
  }
  expect(statuses).toEqual([404, 404, 200]);
});

test('the histogram of gaps counts each gap once, in its bucket', () => {
  const latency = new Latency('x_seconds', 'Help');
  const series = latency.series('e"1', 'm');
  for (const seconds of [0.001, 0.0011, 4, 9]) series.observe(seconds);
  const text = latency.text();
  expect(text).toContain('# TYPE x_seconds histogram');
  expect(text).toContain('x_seconds_bucket{engine="e\\"1",model="m",le="0.001"} 1');
  expect(text).toContain('x_seconds_bucket{engine="e\\"1",model="m",le="0.0025"} 2');
  expect(text).toContain('x_seconds_bucket{engine="e\\"1",model="m",le="5"} 3');
  expect(text).toContain('x_seconds_bucket{engine="e\\"1",model="m",le="+Inf"} 4');
  expect(text).toContain('x_seconds_count{engine="e\\"1",model="m"} 4');
});

test('counts that wait for a scrape are on the page as if prom-client had counted', async () => {
  const [own, theirs] = [new Registry(), new Registry()];
  const config = { name: 'x_total', help: 'Help', labelNames: ['model', 'kind'] as const };
  const tallies = new Tallies({ ...config, registers: [own] });
  const counter = new Counter({ ...config, registers: [theirs] });
  const models = Object.fromEntries(
    ['a', 'b"'].map((model) => [model, tallies.by('kind', { model })]),
  );
  for (const [model, kind, count] of [
    ['b"', 'prompt', 7],
    ['a', 'prompt', 1],
    ['b"', 'completion', 2],
    ['a', 'completion', 0.5],
    ['b"', 'prompt', 3],
  ] as const) {
    models[model]?.add(kind, count);
    counter.inc({ model, kind }, count);
    expect(await own.metrics()).toBe(await theirs.metrics());
  }
  expect(await own.metrics()).toContain('x_total{model="b\\"",kind="prompt"} 10');
  expect(await own.metrics()).toBe(await theirs.metrics());
});
