/** What two real routers record of one real agent, whose engine restarts and which then stops. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAgentConfig } from '../../agent/config.ts';
import { startAgent } from '../../agent/main.ts';
import { startSimulator } from '../../agent/simulator/main.ts';
import type { AgentEvent } from '../../shared/api/agents.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { until } from '../support/up.ts';
import { Fleet } from '../torture/fleet.ts';
import { PostgresServer } from '../torture/postgres-server.ts';

const log = makeLog('test', 'silent');

function simulate(port: number) {
  const options = { catalog: 'configs/catalog.yaml', port, logLevel: 'silent' } as const;
  return startSimulator(options, { clock, random, log });
}

test('routers record once what happened to a host, and each of them its own link to it', {
  timeout: 120_000,
}, async () => {
  await using postgres = await PostgresServer.create();
  await using fleet = await Fleet.start({ postgres, routers: 2, processes: 1 });
  await using parts = new AsyncDisposableStack();
  let engine = await simulate(0);
  parts.defer(() => engine[Symbol.asyncDispose]());
  const { id, join_token } = await fleet.office.call<{ id: string; join_token: string }>(
    'POST',
    '/agents',
    { name: 'second' },
  );
  const data = await mkdtemp(join(tmpdir(), 'penstock-agent-'));
  parts.defer(() => rm(data, { recursive: true, force: true }));
  const config = parseAgentConfig(
    JSON.stringify({
      name: 'second',
      data,
      routers: [`${fleet.router(0).origin.replace('http', 'ws')}/agent`],
      join: join_token,
      metrics: { port: 0 },
      engines: [{ name: 'vllm', url: engine.url }],
    }),
  );
  const agent = await startAgent(config, { clock, random, log });
  parts.defer(() => agent[Symbol.asyncDispose]());
  const events = async () => {
    const path = `/agents/${id}/events`;
    return (await fleet.office.call<{ data: AgentEvent[] }>('GET', path)).data;
  };
  const happened = async (action: string, times: number) =>
    (await events()).filter((event) => event.action === action).length === times;
  await until(() => happened('agent.joined', 2), 'a link to each router');
  await until(() => happened('worker.found', 1), 'the engine');
  await fleet.serving(1);

  const port = Number(new URL(engine.url).port);
  await engine[Symbol.asyncDispose]();
  engine = await simulate(port);
  await until(() => happened('worker.restarted', 1), 'the restart', 60_000);
  await fleet.office.call('POST', `/agents/${id}/drain`);
  await agent.drain();
  await until(() => happened('agent.left', 2), 'the end of both links');

  const seen = await events();
  const of = (action: string) => seen.filter((event) => event.action === action);
  for (const action of [
    'agent.enrol',
    'agent.started',
    'worker.found',
    'worker.restarted',
    'agent.drain',
    'agent.stopping',
  ]) {
    expect([action, of(action).length]).toEqual([action, 1]);
  }
  const routers = (action: string) => new Set(of(action).map(({ router }) => router));
  expect(routers('agent.joined').size).toBe(2);
  expect(routers('agent.left')).toEqual(routers('agent.joined'));
  expect(new Set(of('agent.left').map(({ detail }) => detail))).toEqual(new Set(['closed']));
});

test('a router that stops records the ends of its links before its store closes', {
  timeout: 120_000,
}, async () => {
  await using postgres = await PostgresServer.create();
  await using fleet = await Fleet.start({ postgres, routers: 2, processes: 1 });
  await fleet.serving();
  const [host] = (await fleet.office.call<{ data: { id: string }[] }>('GET', '/agents')).data;
  expect(await fleet.router(1).process.stop(60_000)).toBe(0);
  const path = `/agents/${host?.id}/events`;
  const { origin } = fleet.router(0);
  const { data } = await fleet.office.call<{ data: AgentEvent[] }>('GET', path, undefined, origin);
  const left = data.filter(({ action }) => action === 'agent.left');
  expect(left).toEqual([expect.objectContaining({ detail: 'stopping', count: 1 })]);
  expect(await fleet.verify()).toBeNull();
});
