/**
 * An agent that is given one address serves all routers. A decision made on one router holds on all
 * of them.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { PICO_PER_USD } from '../../shared/money.ts';
import { until } from '../support/up.ts';
import { Fleet, type Router } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { Process } from '../torture/process.ts';

const STOP_MS_MAX = 60_000;
/** A revocation must take effect within seconds. */
const REVOKED_MS_MAX = 10_000;

let server: PostgresServer;
let fleet: Fleet;
beforeAll(async () => {
  server = await PostgresServer.create();
  fleet = await Fleet.start({ postgres: server, routers: 2, agents: 2, addresses: 1, tokenMs: 2 });
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

async function answers(router: Router): Promise<string | null> {
  const { key } = await fleet.office.customer('Peers', PICO_PER_USD);
  const prompt = 'Write exactly 5 tokens.';
  const call = await fleet.log.ask({ base: router.base, key, model: MODEL, prompt, maxTokens: 10 });
  return call.ending;
}

test('one address in its configuration serves two routers, and a third that joins later', async () => {
  expect(await answers(fleet.router(1))).toBe('complete');
  const third = await fleet.addRouter();
  await until(
    async () => (await fetch(`${third.origin}/readyz`)).status === 200,
    'the third router to be ready',
  );
  // It serves at once, because a router is not ready before its agents have found it.
  expect(await answers(third)).toBe('complete');
});

test('a router that restarts is served again by agents that have never been given its address', {
  timeout: 120_000,
}, async () => {
  const [, , third] = fleet.routers;
  if (!third) throw new Error('the third router did not join');
  expect(await third.process.stop(STOP_MS_MAX)).toBe(0);
  await third.start();
  await third.serving(2);
  await third.process.kill();
  await third.start();
  await third.serving(2);
  expect(await answers(third)).toBe('complete');
});

test('the models that a key may call, changed on one router, are those of the next request on another', async () => {
  const customer = await fleet.office.customer('Picky', PICO_PER_USD);
  const other = fleet.router(1);
  const allow = (models: readonly string[] | null) =>
    fleet.office.call(
      'PATCH',
      `/organizations/${customer.id}/keys/${customer.keyId}`,
      { allowed_models: models },
      fleet.router(0).origin,
    );
  const ask = async () => {
    const response = await fetch(`${other.base}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 1,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    return error?.code ?? response.status;
  };
  for (let round = 0; round < 3; round += 1) {
    expect(await ask()).toBe(200);
    await allow(['lab/another']);
    expect(await ask()).toBe('model_not_allowed');
    await allow([MODEL]);
    // A router that has cached a refused key hears of the change within seconds.
    await until(async () => (await ask()) === 200, 'the model to be allowed');
  }
});

test('a copy of an agent is refused by every router, and the agent stays', async () => {
  const data = join(fleet.folder, 'copied');
  await cp(join(fleet.folder, 'agent-0'), data, { recursive: true });
  const text = await readFile(join(fleet.folder, 'agent-0.yaml'), 'utf8');
  const routers = fleet.routers.map(({ origin }) => `${origin.replace('http', 'ws')}/agent`);
  const file = join(fleet.folder, 'copied.yaml');
  await writeFile(file, stringify({ ...(parse(text) as object), data, routers }));
  const copy = new Process('copy', ['agent', '--config', file]);
  await copy.start();
  try {
    await until(
      () => copy.output.split('duplicate: another agent').length > routers.length,
      'a refusal by each router',
    );
    expect(copy.output).not.toContain('agent joined a router');
    await fleet.serving();
  } finally {
    await copy.stop(STOP_MS_MAX);
  }
});

test('an agent revoked on one router is gone from all of them within seconds, and stays away', async () => {
  const { data } = await fleet.office.call<{ data: { id: string; name: string }[] }>(
    'GET',
    '/agents',
  );
  const { id } = data.find(({ name }) => name === 'agent 1') ?? { id: '' };
  await fleet.office.call('POST', `/agents/${id}/revoke`);
  const revokedAt = performance.now();
  const ready = async (router: Router) => {
    const page = await (await fetch(router.metricsUrl)).text();
    return Number(/^penstock_router_workers\{phase="ready"\} (\d+)$/m.exec(page)?.[1]);
  };
  await until(
    async () => (await Promise.all(fleet.routers.map(ready))).every((workers) => workers === 1),
    'the revoked agent to be gone',
    REVOKED_MS_MAX,
  );
  process.stdout.write(
    `revoked everywhere after ${Math.round(performance.now() - revokedAt)} ms\n`,
  );
  const agent = fleet.agents[1] as Process;
  await until(() => agent.output.includes('this agent was revoked'), 'the agent to be refused');
  const key = /"key":"(SHA256:[^"]{43})"/.exec(agent.output)?.[1] ?? 'no key';
  await until(
    () => fleet.routers.some(({ process: { output } }) => output.includes(`"key":"${key}"`)),
    'a router to log the key that the agent has logged',
  );
  expect(await Promise.all(fleet.routers.map(ready))).toEqual([1, 1, 1]);
});
