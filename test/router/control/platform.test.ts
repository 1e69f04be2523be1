/** The platform as a whole, for operators: money and tokens by day, top customers, and alarms. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetHistory } from '../../../router/history/history.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { foldLedgerSlice } from '../../../router/usage/ledger-days/fold.ts';
import { PlatformStatus, PlatformSummary } from '../../../shared/api/platform.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { log, type Rig, startRig } from './rig.ts';

const DAY_MS = 24 * 60 * 60_000;
const START = Date.UTC(2026, 0, 31, 12);
const TODAY = START / DAY_MS - 0.5;
/** In millions of pico-USD. */
const DOLLAR = 1_000_000n;

let clock: ManualClock;
let rig: Rig;
beforeAll(async () => {
  clock = new ManualClock(START);
  rig = await startRig(clock);
  // The welcome of the first organization is not what these tests count.
  await rig.place.sql('delete from ledger_days');
});
afterAll(() => rig[Symbol.asyncDispose]());

async function newOrganization(name: string): Promise<OrganizationId> {
  const { status, body } = await rig.ask('POST', '/api/v1/organizations', { name });
  expect(status).toBe(201);
  return body.id;
}

/** Adds sums to the ledger by day. `amount` is in USD. */
async function addDay(
  organization: string,
  { ago, kind, amount }: Readonly<{ ago: number; kind: string; amount: number }>,
): Promise<void> {
  const high = BigInt(amount) * DOLLAR;
  await rig.place.sql(
    `insert into ledger_days (organization, day, kind, transfers, change_high, change_low,
       first_seq, last_seq)
     values ('${organization}', ${TODAY - ago}, '${kind}', 1, ${high}, 0, 1, 1)`,
  );
}

async function summary(): Promise<PlatformSummary> {
  const { status, body } = await rig.ask('GET', '/api/v1/platform/summary');
  expect(status, JSON.stringify(body)).toBe(200);
  return PlatformSummary.parse(body);
}

async function readStatus(): Promise<PlatformStatus> {
  const { body } = await rig.ask('GET', '/api/v1/platform/status');
  return PlatformStatus.parse(body);
}

test('money is summed by day over all organizations, and customers are ranked by their usage', async () => {
  const [small, large, old] = [
    await newOrganization('Small'),
    await newOrganization('Large'),
    await newOrganization('Old'),
  ];
  for (const [organization, ago, kind, amount] of [
    [small, 0, 'payment', 20],
    [small, 0, 'usage', -3],
    [large, 0, 'payment', 100],
    [large, 0, 'usage', -10],
    [large, 0, 'reversal', 1],
    [large, 0, 'refund', -5],
    [large, 29, 'usage', -2],
    [old, 10, 'usage', -50],
    [old, 10, 'welcome', 5],
    [old, 30, 'usage', -500],
  ] as const) {
    await addDay(organization, { ago, kind, amount });
  }
  const { days, top_customers: top } = await summary();
  expect(days).toHaveLength(30);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-01-02', '2026-01-31']);
  const money = { payments: '0', refunds: '0', credits: '0', usage: '0' };
  // Four organizations were given a welcome, which is not folded yet.
  const today = { payments: '120', refunds: '-5', credits: '20', usage: '12' };
  expect(days.at(-1)).toMatchObject(today);
  expect(days[0]).toMatchObject({ ...money, usage: '2' });
  expect(days[19]).toMatchObject({ ...money, credits: '5', usage: '50' });
  expect(top.last_7_days).toEqual([
    { organization: large, name: 'Large', usage: '9' },
    { organization: small, name: 'Small', usage: '3' },
  ]);
  expect(top.last_30_days.map(({ name, usage }) => [name, usage])).toEqual([
    ['Old', '50'],
    ['Large', '11'],
    ['Small', '3'],
  ]);
});

test('the ten customers with the most usage are listed, and one without usage is not', async () => {
  await rig.place.sql('delete from ledger_days');
  for (let n = 1; n <= 12; n++) {
    await addDay(await newOrganization(`Customer ${n}`), { ago: 1, kind: 'usage', amount: -n });
  }
  await addDay(await newOrganization('Idle'), { ago: 1, kind: 'reversal', amount: 1 });
  const { top_customers: top } = await summary();
  expect(top.last_7_days.map(({ usage }) => usage)).toEqual([
    '12',
    '11',
    '10',
    '9',
    '8',
    '7',
    '6',
    '5',
    '4',
    '3',
  ]);
});

test('what the ledger has folded is in the sums of its day', async () => {
  const organization = await newOrganization('Folded');
  const path = `/api/v1/organizations/${organization}/credit/adjustments`;
  const adjusted = await rig.ask(
    'POST',
    path,
    { amount: '7', reason: 'a gift' },
    {
      'idempotency-key': 'gift',
    },
  );
  expect(adjusted.status).toBe(201);
  const before = await summary();
  expect(await foldLedgerSlice(rig.store, { organization })).toBe('folded');
  // What is not folded yet counts, and only once.
  expect((await summary()).days).toEqual(before.days);
  expect(before.money_is_current).toBe(true);
  // Beside the adjustment, 18 organizations were given a welcome.
  expect(before.days.at(-1)).toMatchObject({ credits: '97' });
});

test('a charge that is not folded yet counts for the top customers as for its day', async () => {
  await rig.place.sql('delete from ledger_days');
  const id = await newOrganization('Fresh');
  await addDay(id, { ago: 1, kind: 'usage', amount: -1 });
  await rig.place.sql(
    `insert into transfers (id, organization, seq, debit, credit, amount, kind, reference, created)
     values ('trf_f', '${id}', 2, 'customer:${id}', 'revenue', ${5n * 1_000_000n * DOLLAR}, 'usage',
       'req_f', ${START})`,
    `update accounts set transfer_seq = 2 where id = '${id}'`,
  );
  const used = [{ organization: id, name: 'Fresh', usage: '6' }];
  const { days, top_customers: top } = await summary();
  expect(days.slice(-2).map(({ usage }) => usage)).toEqual(['1', '5']);
  expect(top).toEqual({ last_7_days: used, last_30_days: used });
  // With too many of them, neither counts them.
  await rig.place.sql(`update accounts set transfer_seq = 60000 where id = '${id}'`);
  const behind = await summary();
  expect(behind.money_is_current).toBe(false);
  expect(behind.days.at(-1)).toMatchObject({ usage: '0' });
  expect(behind.top_customers.last_7_days).toMatchObject([{ usage: '1' }]);
  await rig.place.sql(`update accounts set transfer_seq = 2 where id = '${id}'`);
});

test('requests and tokens of a day are those of the history of the fleet', async () => {
  const recorder = new HistoryRecorder();
  const { store, fleet } = rig;
  const sampled = () => ({
    workers: fleet.workers,
    models: [],
    waiting: [],
    regions: ['eu' as const, 'global' as const],
  });
  await using history = new FleetHistory({ recorder, store, clock, random, log, sampled });
  for (const region of ['eu', 'global'] as const) {
    recorder.ended(region, 'lab/small', 200);
    recorder.billed(region, {
      model: 'lab/small',
      agent: null,
      worker: null,
      promptTokens: 100,
      cachedTokens: 10,
      completionTokens: 7,
    });
  }
  clock.advance(60_000);
  await history.written();
  const { days } = await summary();
  expect(days.at(-1)).toMatchObject({ requests: 2, prompt_tokens: 200, completion_tokens: 14 });
  expect(days.at(-2)).toMatchObject({ requests: 0, prompt_tokens: 0, completion_tokens: 0 });
});

test('alarms say that jobs were given up, and that no worker serves a model', async () => {
  await rig.place.sql(
    'delete from jobs',
    `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at, created, ended)
     values ('job_1', 'letter', 'nobody', '1', '{}', 'failed', 12, 1, 1, 1),
       ('job_2', 'letter', 'nobody', '2', '{}', 'waiting', 3, ${START + DAY_MS}, 1, null),
       ('job_3', 'letter', 'nobody', '3', '{}', 'waiting', 0, ${START + DAY_MS}, 1, null)`,
  );
  const { alarms, jobs } = await readStatus();
  expect(jobs).toEqual({ failed: 1, retried: 1 });
  expect(alarms).toContainEqual(
    expect.objectContaining({
      kind: 'jobs_failed',
      page: 'jobs',
      message: '1 job was given up after the last attempt.',
    }),
  );
  expect(alarms[0]).toMatchObject({ kind: 'no_worker', severity: 'urgent', page: 'fleet' });
});

/** What a router reports of itself, as JSON. */
function noticed(
  some: Readonly<{ not_ready?: string; failing_tasks?: readonly string[] }>,
): string {
  return JSON.stringify({
    not_ready: null,
    heartbeat_age_ms: 0,
    hold_ttl_ms: 30_000,
    certificates: [],
    failing_tasks: [],
    catalog_rejected: false,
    seller_missing: false,
    models_without_workers: { names: [], count: 0 },
    unready_workers: { names: [], count: 0 },
    suspect_workers: { names: [], count: 0 },
    noted: [],
    ...some,
  });
}

test('an alarm of any router is told by whichever answers, as long as that router reports', async () => {
  await rig.place.sql(
    `insert into incarnations (id, beat, url, regions, started, version, recent_at, host, pid, noticed)
     values ('rtr_other', 1, null, 'global', ${START}, '0.2.0', ${clock.now()}, 'gateway-2', 7,
       '${noticed({ failing_tasks: ['fold usage'] })}')`,
  );
  const kinds = async () =>
    (await readStatus()).alarms.map(({ kind, routers = [] }) => [
      kind,
      routers.map(({ name }) => name).join(', '),
    ]);
  expect(await kinds()).toContainEqual(['task_failing', 'gateway-2 · process 7']);
  clock.advance(31_000);
  const later = await kinds();
  expect(later).toContainEqual(['router_silent', 'gateway-2 · process 7']);
  expect(later.map(([kind]) => kind)).not.toContain('task_failing');
});

test('a router that was told to stop is no alarm, and one that is not ready by itself is', async () => {
  const stopping = noticed({ not_ready: 'the router is stopping' });
  const broken = noticed({ not_ready: 'the clock is off' });
  const at = clock.now();
  await rig.place.sql(
    `insert into incarnations (id, beat, url, regions, started, version, recent_at, host, pid, draining, noticed)
     values ('rtr_stopping', 1, null, 'global', ${START}, '0.2.0', ${at}, 'gateway-3', 7, 1, '${stopping}'),
       ('rtr_broken', 1, null, 'global', ${START}, '0.2.0', ${at}, 'gateway-4', 7, 0, '${broken}')`,
  );
  const { alarms } = await readStatus();
  expect(alarms.filter(({ kind }) => kind === 'not_ready').map(({ message }) => message)).toEqual([
    'gateway-4 · process 7 is not ready: the clock is off.',
  ]);
});
