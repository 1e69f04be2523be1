/** The agent's Prometheus metrics. */
import { expect, test } from 'vitest';
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
    `penstock_agent_time_to_first_token_seconds_bucket{${LABELS},le="0.15"} 1`,
    `penstock_agent_inter_token_seconds_bucket{${LABELS},le="0.01"} 1`,
    `penstock_agent_inter_token_seconds_bucket{${LABELS},le="0.015"} 2`,
    `penstock_agent_inter_token_seconds_count{${LABELS}} 2`,
    `penstock_agent_request_duration_seconds_count{${LABELS}} 2`,
    'penstock_agent_engine_up{engine="engine"} 1',
    'penstock_agent_in_flight{engine="engine"} 0',
    'penstock_agent_links{state="joined"} 1',
    'penstock_agent_links{state="waiting"} 0',
    `penstock_agent_reconnects_total{router="${rig.router.url}"} 0`,
    `penstock_agent_link_up{router="${rig.router.url}"} 1`,
    '# TYPE penstock_agent_event_loop_delay_seconds histogram',
    'process_resident_memory_bytes ',
    'penstock_agent_prefix_cache_hit_tokens_total{engine="engine"} 0',
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
