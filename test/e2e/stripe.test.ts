/**
 * T17 with a real router: it is killed while Stripe delivers a payment's event, and has credited
 * the payment once after Stripe's retry.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseRouterConfig } from '../../router/config.ts';
import type { FirstRun } from '../../router/first-run.ts';
import { prepareFirstRun } from '../support/installation.ts';
import { verifyLedger } from '../../router/verify/verify.ts';
import { openStoreReadOnly } from '../../router/store/open-store.ts';
import { sleep, systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { PENSTOCK } from '../bin/run.ts';
import { STRIPE_SECRETS, StripeStandIn } from '../support/stripe-stand-in.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);
const KILLS = 4;
/** A webhook takes about ten ms, so the kills come before, during and after its commit. */
const KILL_STEP_MS = 5;

test('T17: a router that is killed while it is told of payments credits each of them once', async () => {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'penstock-stripe-'));
  undo.defer(() => rm(folder, { recursive: true }));
  const stripe = undo.use(await StripeStandIn.start());
  const settings = {
    listeners: [{ host: '127.0.0.1', port: 0, region: 'global' }],
    metrics: { host: '127.0.0.1', port: 0 },
    store: `sqlite:${join(folder, 'penstock.db')}`,
    catalog: 'configs/catalog.yaml',
    secrets: join(folder, 'secrets.json'),
    payments: { provider: 'stripe', stripe: stripe.at },
    logLevel: 'error',
  };
  const file = join(folder, 'router.yaml');
  await writeFile(file, stringify(settings));
  const first = (await prepareFirstRun(parseRouterConfig(settings, file))) as FirstRun;
  const secrets = JSON.parse(await readFile(settings.secrets, 'utf8')) as object;
  await writeFile(settings.secrets, JSON.stringify({ ...secrets, stripe: STRIPE_SECRETS }));

  let router = await start(file);
  undo.defer(() => kill(router.process));
  const ask = async (method: string, path: string, body?: object) => {
    const url = `${router.origin}/api/v1/organizations/${first.organization.id}${path}`;
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${first.operator.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    return (await answer.json()) as any;
  };

  for (let i = 1; i <= KILLS; i++) {
    stripe.tellTo(`${router.origin}/api/v1/webhooks/stripe`);
    stripe.account.events.splice(0);
    const { checkout_url: page } = await ask('POST', '/payments', { amount: '20' });
    stripe.account.pay(page.split('/').at(-1));
    const telling = stripe.events().map((event) => stripe.deliver(event).catch(() => 0));
    await sleep(clock, i * KILL_STEP_MS);
    await kill(router.process);
    await Promise.all(telling);
    router = await start(file);
    stripe.tellTo(`${router.origin}/api/v1/webhooks/stripe`);
    for (const event of stripe.events()) expect(await stripe.deliver(event)).toBe(200);
    const { balance } = await ask('GET', '/credit');
    expect(balance).toBe(String(5 + i * 20));
  }

  await kill(router.process);
  const log = makeLog('test', 'silent');
  await using store = await openStoreReadOnly(
    { url: settings.store, registry: REGISTRY },
    { clock, log },
  );
  expect((await store.call(verifyLedger, null)).differences).toEqual([]);
}, 120_000);

async function start(file: string): Promise<{ process: ChildProcess; origin: string }> {
  const router = spawn(PENSTOCK, ['router', '--config', file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(router, 'message')) as [{ origin: string }];
  return { process: router, origin: ready.origin };
}

async function kill(router: ChildProcess): Promise<void> {
  if (router.exitCode !== null || router.signalCode !== null) return;
  router.kill('SIGKILL');
  await once(router, 'exit');
}
