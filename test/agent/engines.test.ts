/** Engines as routers see them: up or down, their models, and their load. */
import { expect, test } from 'vitest';
import { startAgent } from '../../agent/main.ts';
import { limits } from '../../shared/limits.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom } from '../../shared/random.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { FakeRouter, MODEL, THINKER } from './support/fake-router.ts';
import { turn } from './support/gate.ts';
import { agentConfig, HELLO, readySession, scratch, startRig } from './support/rig.ts';
import { ScriptedEngine } from './support/scripted-engine.ts';

async function pass(clock: ManualClock, holds: () => boolean, stepMs = 50): Promise<void> {
  while (!holds()) {
    clock.advance(stepMs);
    await turn();
  }
}

test('a load report tells what the engine is, what it serves and how busy it is', async () => {
  await using rig = await startRig({ slots: 9 });
  rig.engine.metrics = `# HELP vllm:num_requests_running Number of requests
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="a } b"} 3.0
vllm:num_requests_running{engine="1",model_name="a"} 4.0
vllm:num_requests_running_by_reason{engine="1"} 100
vllm:num_requests_waiting{engine="0"} 2.0
vllm:kv_cache_usage_perc{engine="0"} 0.25
vllm:kv_cache_usage_perc{engine="1"} 0.75 1700000000
vllm:prefix_cache_queries_total{engine="0"} 1.5e+03
vllm:prefix_cache_hits_total{engine="0"} 640.0`;
  await pass(rig.clock, () => rig.session.load()?.running === 7);
  expect(rig.session.load()).toEqual({
    worker: 'engine',
    engine: 'vllm 0.25.0',
    boot: expect.stringMatching(/^[0-9a-f]{32}$/),
    phase: 'ready',
    models: [MODEL.id, THINKER.id],
    runningUsage: true,
    salted: true,
    running: 7,
    waiting: 2,
    slots: 9,
    kvUse: 0.5,
    kvTokens: null,
    prefixHitTokens: 640,
    // Without the agent's own two probes of 200 tokens.
    prefixQueryTokens: 1_100,
    countChars: limits.linkCountChars.most,
    reportsLogprobs: true,
    lastStream: 0,
    gpus: [],
    notes: [expect.stringContaining('--enable-prompt-tokens-details')],
  });
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).accept();
  await pass(rig.clock, () => rig.session.load()?.lastStream === call.stream);
});

test('load is told each second, and a busy engine is asked ten times as often as an idle one', async () => {
  await using rig = await startRig();
  const polls = () => rig.engine.paths.filter((path) => path === '/metrics').length;
  const over = async (ms: number) => {
    const [before, loads] = [polls(), rig.session.loads.length];
    for (let at = 0; at < ms; at += 50) {
      rig.clock.advance(50);
      for (let turns = 0; turns < 10; turns++) await turn();
    }
    return { polls: polls() - before, loads: rig.session.loads.length - loads };
  };
  const idle = await over(5_000);
  expect(idle.polls).toBeLessThanOrEqual(6);
  expect(idle.loads).toBeGreaterThanOrEqual(4);
  rig.session.open(HELLO);
  (await rig.engine.ask()).accept();
  const busy = await over(2_000);
  expect(busy.polls).toBeGreaterThan(10);
  expect(busy.polls).toBeLessThanOrEqual(21);
});

test('an engine that goes away is joining, and ready again when it is back', async () => {
  await using rig = await startRig();
  const { port } = rig.engine;
  await rig.engine[Symbol.asyncDispose]();
  await pass(rig.clock, () => rig.session.load()?.phase === 'joining');
  expect(rig.session.load()?.models).toEqual([]);
  const call = rig.session.open(HELLO);
  await call.until(() => call.refused !== null);
  expect(call.refused).toBe('busy');

  await using back = await ScriptedEngine.start({ port, version: '0.26.1' });
  back.models = [{ id: MODEL.id }];
  await pass(rig.clock, () => rig.session.load()?.phase === 'ready');
  expect(rig.session.load()).toMatchObject({ engine: 'vllm 0.26.1', models: [MODEL.id] });
});

test('an engine that says it is not healthy is not used', async () => {
  await using rig = await startRig();
  rig.engine.health = 503;
  await pass(rig.clock, () => rig.session.load()?.phase === 'joining');
  rig.engine.health = 200;
  await pass(rig.clock, () => rig.session.load()?.phase === 'ready');
});

test('an engine that cannot be reached by a request is looked at without delay', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO);
  (await rig.engine.ask()).reset();
  await rig.engine[Symbol.asyncDispose]();
  expect((await call.ended()).end).toMatchObject({ reason: 'engine_died' });
  const before = rig.clock.monotonic();
  await pass(rig.clock, () => rig.session.load()?.phase === 'joining', 10);
  expect(rig.clock.monotonic() - before).toBeLessThan(400);
});

test('a model is served under the name that is configured, the checkpoint or the catalog gives it', async () => {
  await using rig = await startRig();
  const served = async () => {
    await pass(rig.clock, () => rig.session.load()?.phase === 'ready');
    const nth = rig.engine.asks.length + 1;
    const call = rig.session.open(HELLO);
    const ask = await rig.engine.ask(nth);
    call.cancel();
    await call.ended();
    return ask.body['model'];
  };
  expect(await served()).toBe(MODEL.hubModelId);
  rig.engine.models = [{ id: 'nickname', root: MODEL.hubModelId }];
  await pass(rig.clock, () => rig.session.load()?.models.length === 1, 500);
  expect(await served()).toBe('nickname');
  rig.engine.models = [{ id: MODEL.id }];
  await pass(
    rig.clock,
    () =>
      rig.session.load()?.models.length === 0 ||
      rig.engine.paths.filter((p) => p === '/v1/models').length >= 3,
    500,
  );
  expect(await served()).toBe(MODEL.id);
});

test('a new catalog is resolved anew', async () => {
  await using rig = await startRig();
  rig.router.models = [{ ...THINKER, id: 'test/renamed' }];
  rig.session.welcome();
  await pass(rig.clock, () => rig.session.load()?.models.join() === 'test/renamed');
  rig.router.models = [{ ...MODEL, id: 'a/b', hubModelId: 'A/B' }];
  rig.session.welcome();
  await pass(rig.clock, () => rig.session.load()?.phase === 'joining');
});

test('several engines are workers of their own, each with its own names and slots', async () => {
  await using one = await ScriptedEngine.start();
  await using two = await ScriptedEngine.start({ version: null });
  await using router = await FakeRouter.start();
  await using data = await scratch();
  two.models = [{ id: 'mine' }];
  const clock = new ManualClock();
  const config = agentConfig({
    data: data.folder,
    routers: [router.url],
    engines: [
      { name: 'one', url: `${one.url}/`, slots: 1 },
      { name: 'two', url: `${two.url}/v1`, models: { [MODEL.id]: 'mine', [THINKER.id]: 'gone' } },
    ],
  });
  const parts = { clock, random: seededRandom(1), log: makeLog('agent', 'silent') };
  await using undo = new AsyncDisposableStack();
  undo.use(await startAgent(config, parts));
  const session = await readySession(router, clock, { worker: 'two' });
  await pass(clock, () => session.load('one')?.phase === 'ready');
  expect(session.load('one')).toMatchObject({ slots: 1, models: [MODEL.id, THINKER.id] });
  expect(session.load('two')).toMatchObject({ engine: 'openai', models: [MODEL.id] });

  const first = session.open(HELLO, { worker: 'one' });
  const full = session.open(HELLO, { worker: 'one' });
  const second = session.open(HELLO, { worker: 'two' });
  (await one.ask()).accept().role(3).chunk({}, [3, 1], 'stop').usage(3, 1).done();
  const ask = (await two.ask()).accept();
  expect(ask.body['model']).toBe('mine');
  ask.chunk({ content: 'x' }, undefined, 'stop').usage(3, 1).done();
  await Promise.all([first.ended(), second.ended()]);
  expect(full.refused).toBe('busy');
  await pass(clock, () => session.load('two')?.running === 0);
});
