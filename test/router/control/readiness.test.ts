/** Readiness, as load balancers see it, and the reasons, as operators see them. */
import { expect, test } from 'vitest';
import { FIRST_WORKER_MS_MAX, watchReadiness } from '../../../router/readiness.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { DialingAgent, idleEngine, newAgentKey } from './dialing-agent.ts';
import { enrol } from './enrol.ts';
import { type Rig, startRig } from './rig.ts';

const readiness = (rig: Rig) => rig.ask('GET', '/readyz', undefined, { authorization: '' });

test('a router that is not ready says what is to be put right', async () => {
  await using rig = await startRig();
  const reason = "this machine's clock is 61 s off from the store's";
  expect(await readiness(rig)).toMatchObject({ status: 200, body: { status: 'ready' } });
  rig.notReadyBecause = reason;
  expect(await readiness(rig)).toMatchObject({
    status: 503,
    body: { status: 'not ready', reason },
  });
});

test('a router that is ready lists the models that no ready worker serves, made once a second', async () => {
  const clock = new ManualClock();
  await using rig = await startRig(clock);
  const missing = async () => (await readiness(rig)).body.models_without_workers as string[];
  const all = await missing();
  expect(all.length).toBeGreaterThan(1);
  const { join_token } = await enrol(rig);
  using agent = await DialingAgent.dial(rig.origin, newAgentKey(), join_token);
  const served = all[1] ?? '';
  agent.send({ type: 'load', workers: [{ ...idleEngine('engine a'), models: [served] }] });
  while (rig.fleet.serving(served, 'global').length === 0) await readiness(rig);
  expect(await missing()).toEqual(all);
  clock.advance(1_000);
  expect(await missing()).toEqual(all.filter((model) => model !== served));
});

test('each reason why a router is not ready is its own', () => {
  const clock = Object.assign(new ManualClock(), { fault: null as string | null });
  const stop = new AbortController();
  const state = { healthy: false, ready: 0 };
  const reason = watchReadiness({
    clock,
    stopSignal: stop.signal,
    ledger: { isHealthy: () => state.healthy },
    fleet: { countByPhase: () => ({ joining: 0, ready: state.ready, draining: 0, gone: 0 }) },
  });
  expect(reason()).toBe('the store does not answer');
  state.healthy = true;
  expect(reason()).toBe('the router waits for its first worker');
  clock.fault = 'the clock jumped';
  expect(reason()).toBe('the clock jumped');
  clock.fault = null;
  state.ready = 1;
  expect(reason()).toBeNull();
  // A router that has had a worker does not wait for its first one again.
  state.ready = 0;
  expect(reason()).toBeNull();
  stop.abort();
  expect(reason()).toBe('the router is stopping');
});

test('a router without workers is ready after a while, because agents may come later', () => {
  const clock = Object.assign(new ManualClock(), { fault: null });
  const reason = watchReadiness({
    clock,
    stopSignal: new AbortController().signal,
    ledger: { isHealthy: () => true },
    fleet: { countByPhase: () => ({ joining: 0, ready: 0, draining: 0, gone: 0 }) },
  });
  expect(reason()).toBe('the router waits for its first worker');
  clock.advance(FIRST_WORKER_MS_MAX + 1);
  expect(reason()).toBeNull();
});
