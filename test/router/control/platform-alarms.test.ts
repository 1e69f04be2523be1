/** The alarms of the operators' first page, each from what the router knows. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Reliability } from '../../../shared/api/platform.ts';
import { RUNBOOKS } from '../../../shared/alarm-runbooks.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { type AlarmFacts, alarmsFrom } from '../../../router/control/platform/alarms.ts';
import {
  noticedBy,
  type NoticedParts,
  readNoticed,
} from '../../../router/control/platform/noticed.ts';
import type { Seen } from '../../../router/control/platform/router-alarms.ts';
import { RouterWatch } from '../../../router/control/platform/router-watch.ts';
import { DECLARED_DEAD } from '../../../router/ledger/operations.ts';
import { clock, namesOf, NOTHING, NOW, PARTS, routerOf, seenBy } from './alarm-facts.ts';

function hourOf(counts: Partial<Reliability>): Reliability {
  const { answered = 0, cancelled = 0, unavailable = 0, failed = 0 } = counts;
  const served = answered + cancelled;
  const all = served + unavailable + failed;
  const others = { refused: 0, limited: 0, ttft_ms: null, queue_ms: null };
  const availability = all === 0 ? null : served / all;
  return { answered, cancelled, unavailable, failed, availability, ...others };
}

test('there is no alarm when all is well', () => {
  expect(alarmsFrom(NOTHING)).toEqual([]);
});

test.each([
  ['no request', {}],
  ['nine failures of ten requests', { answered: 1, failed: 9 }],
  ['as many failures as the objective allows', { answered: 19_980, failed: 20 }],
])('there is no alarm of the availability with %s', (_, counts) => {
  expect(alarmsFrom({ ...NOTHING, lastHour: hourOf(counts) })).toEqual([]);
});

test.each<[string, Partial<AlarmFacts>, 'urgent' | 'warning', string]>([
  [
    'not_ready',
    { seen: [seenBy({ not_ready: 'the store does not answer' })] },
    'urgent',
    'The router is not ready: the store does not answer.',
  ],
  [
    'router_lost',
    {
      routers: [routerOf({ beat: DECLARED_DEAD, version: '0.1.0' }), routerOf({})],
    },
    'warning',
    '1 router stopped without signing off. Entries go when their holds are freed.',
  ],
  [
    'version_skew',
    {
      routers: [routerOf({ version: null }), routerOf({})],
    },
    'warning',
    'Routers of different versions run: 0.2.0, unknown.',
  ],
  [
    'no_worker',
    { seen: [seenBy({ models_without_workers: namesOf('a', 'b', 'c', 'd', 'e') })] },
    'urgent',
    '5 models have no ready worker: a, b, c and 2 more.',
  ],
  [
    'model_down',
    {
      troubled: [{ kind: 'unserved', model: 'a', region: 'eu' }],
    },
    'urgent',
    'The model a has no ready worker in EU.',
  ],
  [
    'model_degraded',
    {
      troubled: [
        { kind: 'degraded', model: 'a', region: 'global' },
        { kind: 'degraded', model: 'b', region: 'global' },
      ],
    },
    'warning',
    '2 models have degraded service in Global: a, b.',
  ],
  [
    'availability_low',
    { lastHour: hourOf({ answered: 9_980, unavailable: 15, failed: 5 }) },
    'warning',
    'The availability of the last hour is 99.800%: 20 of 10,000 requests failed. The objective is 99.9%.',
  ],
  [
    'availability_low',
    { lastHour: hourOf({ answered: 90, cancelled: 8, failed: 12 }) },
    'urgent',
    'The availability of the last hour is 89.090%: 12 of 110 requests failed. The objective is 99.9%.',
  ],
  [
    'catalog_rejected',
    { seen: [seenBy({ catalog_rejected: true })] },
    'warning',
    'The present catalog file was rejected, and the one before stays in force.',
  ],
  [
    'worker_not_ready',
    { seen: [seenBy({ unready_workers: namesOf('gpu-1/vllm') })] },
    'warning',
    '1 worker is not ready: gpu-1/vllm.',
  ],
  [
    'host_lost',
    { lostHosts: [{ name: 'gpu-1', since: NOW - 60_000 }] },
    'warning',
    '1 host was lost, and its agent was neither drained nor stopped: gpu-1.',
  ],
  [
    'audit',
    { seen: [seenBy({ suspect_workers: namesOf('gpu-1/vllm') })] },
    'warning',
    'Audits found token counts that do not fit their answers: gpu-1/vllm.',
  ],
  [
    'jobs_failed',
    { jobs: { failed: 1_000, oldestFailed: NOW - 60_000, retried: 0, oldestDue: null } },
    'warning',
    '1,000 or more jobs were given up after the last attempt.',
  ],
  [
    'jobs_late',
    { jobs: { failed: 0, oldestFailed: null, retried: 0, oldestDue: NOW - 16 * 60_000 } },
    'urgent',
    'A job that is due has waited for 16 minutes.',
  ],
  [
    'no_seller',
    { seen: [seenBy({ seller_missing: true })] },
    'warning',
    'Receipts and invoices have no name, address and tax ID of a seller: set `seller` in the configuration of the routers.',
  ],
])('%s', (kind, facts, severity, message) => {
  expect(alarmsFrom({ ...NOTHING, ...facts })).toEqual([
    expect.objectContaining({ kind, severity, message, count: null, last: null }),
  ]);
});

test.each([['one region', ['eu']] as const, ['two regions', ['eu', 'us']] as const])(
  'a model in %s without any worker is told once',
  (_, regions) => {
    const troubled = regions.map((region) => ({ kind: 'unserved', model: 'a', region }) as const);
    const seen = [seenBy({ models_without_workers: namesOf('a') })];
    const alarms = alarmsFrom({ ...NOTHING, seen, troubled });
    expect(alarms.map(({ kind }) => kind)).toEqual(['no_worker']);
  },
);

test('what the router has noticed is told with how often and when, the urgent first', () => {
  const watch = new RouterWatch(clock);
  const certificate = (days: number) => ({ current: { expires: NOW + days * DAY_MS } });
  watch.note('clamp', 'cached_clamped');
  clock.advance(1_000);
  watch.note('clamp', 'cached_clamped');
  watch.note('payment', 'undecided');
  watch.note('payment', 'refund_failed');
  watch.taskEnded('fold usage', 'failed');
  watch.taskEnded('recharge', 'failed');
  watch.taskEnded('recharge', 'done');
  watch.beatsAs(() => ({ heartbeatAgeMs: 12_000, holdTtlMs: 30_000 }));
  watch.listensAt([
    { origin: 'https://a', certificate: certificate(2) },
    { origin: 'https://b', certificate: certificate(20) },
    { origin: 'https://c', certificate: certificate(21) },
    { origin: 'https://d', certificate: certificate(-1) },
    { origin: 'http://e', certificate: null },
  ]);
  const last = new Date(NOW + 1_000).toISOString();
  const alarms = alarmsFrom({ ...NOTHING, seen: [seenBy(noticedBy({ ...PARTS, watch }))] });
  expect(alarms.map(({ severity, message }) => [severity, message])).toEqual([
    ['urgent', 'The store has not accepted a heartbeat of the router for 12 s.'],
    ['urgent', 'The certificate of https://a expires in 2 days.'],
    ['urgent', 'The certificate of https://d has expired.'],
    [
      'urgent',
      "The payment provider has left a payment or refund undecided for a day. The router's log has the details.",
    ],
    ['warning', 'The last run of the scheduled task "fold usage" failed.'],
    ['warning', 'The certificate of https://b expires in 20 days.'],
    ['warning', 'A host reported an impossible count, which was reduced: cached clamped.'],
    [
      'warning',
      'The payment provider could not pay out a refund, and its amount went back to the balance.',
    ],
  ]);
  expect(alarms.at(-2)).toMatchObject({ count: 2, last, since: new Date(NOW).toISOString() });
});

test('an alarm of models names them and their regions, for the incident that may follow', () => {
  const troubled = [{ kind: 'unserved', model: 'a', region: 'eu' } as const];
  const seen = [seenBy({ models_without_workers: namesOf('b') })];
  const alarms = alarmsFrom({ ...NOTHING, seen, troubled });
  expect(alarms).toMatchObject([
    { kind: 'no_worker', models: ['b'], regions: [], runbook: 'PenstockModelWithoutWorker' },
    { kind: 'model_down', models: ['a'], regions: ['eu'] },
  ]);
});

test('alarms of several routers are told once, with the routers that see them', () => {
  const clamp = { kind: 'clamp', what: 'cached_clamped', first: NOW - 2, last: NOW - 1 } as const;
  const expires = NOW + 2 * DAY_MS;
  const certificates = [{ listener: 'https://a', expires }];
  const seen = [
    seenBy({ noted: [{ ...clamp, count: 2 }], certificates, failing_tasks: ['fold usage'] }),
    seenBy({ noted: [{ ...clamp, count: 3, last: NOW }], certificates }, 'gateway-2'),
    seenBy({ not_ready: 'the clock is off' }, 'gateway-3'),
  ];
  const alarms = alarmsFrom({ ...NOTHING, seen });
  const shown = alarms.map(({ kind, message, routers = [] }) => [
    kind,
    message,
    routers.map(({ name }) => name).join(', '),
  ]);
  expect(shown).toEqual([
    ['not_ready', 'gateway-3 is not ready: the clock is off.', 'gateway-3'],
    ['certificate', 'The certificate of https://a expires in 2 days.', 'gateway-1, gateway-2'],
    ['task_failing', 'The last run of the scheduled task "fold usage" failed.', 'gateway-1'],
    [
      'clamp',
      'A host reported an impossible count, which was reduced: cached clamped.',
      'gateway-1, gateway-2',
    ],
  ]);
  expect(alarms.at(-1)).toMatchObject({
    count: 5,
    since: new Date(NOW - 2).toISOString(),
    last: new Date(NOW).toISOString(),
  });
});

test('workers that are not ready are counted once, however many routers see them', () => {
  const unready_workers = namesOf('gpu-1/vllm', 'gpu-2/vllm');
  const all = [seenBy({ unready_workers }), seenBy({ unready_workers }, 'gateway-2')];
  const message = '2 workers are not ready: gpu-1/vllm, gpu-2/vllm.';
  const [alarm] = alarmsFrom({ ...NOTHING, seen: all });
  expect(alarm).toMatchObject({ message, routers: [] });
  const some = [seenBy({ unready_workers }), seenBy({}, 'gateway-2')];
  const [partly] = alarmsFrom({ ...NOTHING, seen: some });
  expect(partly).toMatchObject({ message, routers: [{ name: 'gateway-1' }] });
});

test('a model without workers on some routers is an alarm if others of the same regions have them', () => {
  const lacks = { models_without_workers: namesOf('a') };
  const messages = (...seen: Seen[]) =>
    alarmsFrom({ ...NOTHING, seen }).map(({ message }) => message);
  // A model of one region, as it should be.
  expect(messages(seenBy(lacks, 'in-eu', 'eu'), seenBy({}, 'in-us', 'us'))).toEqual([]);
  expect(messages(seenBy(lacks, 'one', 'eu'), seenBy({}, 'two', 'eu'))).toEqual([
    'one has no ready worker for a, and other routers of the same regions have one.',
  ]);
  expect(messages(seenBy(lacks, 'one', 'eu'), seenBy(lacks, 'two', 'us'))).toEqual([
    'The model a has no ready worker.',
  ]);
  // One router of eu is cut off, and nobody in us serves the model.
  const troubled = [{ kind: 'unserved', model: 'a', region: 'us' } as const];
  const seen = [seenBy(lacks, 'one', 'eu'), seenBy({}, 'two', 'eu'), seenBy(lacks, 'three', 'us')];
  expect(alarmsFrom({ ...NOTHING, seen, troubled }).map(({ message }) => message)).toEqual([
    'one has no ready worker for a, and other routers of the same regions have one.',
    'The model a has no ready worker in US.',
  ]);
});

test('a router that has stopped reporting is an alarm, and one of an earlier version is not', () => {
  const routers = [
    routerOf({ recent_at: BigInt(NOW - 45_000) }),
    routerOf({ id: 'rtr_2' as never, recent_at: null, host: null }),
  ];
  expect(alarmsFrom({ ...NOTHING, routers })).toMatchObject([
    {
      kind: 'router_silent',
      message: '1 router stopped reporting: gateway-1.',
      since: new Date(NOW - 45_000).toISOString(),
      routers: [{ id: 'rtr_1', name: 'gateway-1' }],
    },
  ]);
});

test('what a router reports is bounded, and what another version reports is left out', () => {
  const workers = Array.from({ length: 500 }, (_, n) => ({
    session: { name: 'x'.repeat(500) },
    name: `vllm-${n}`,
    phase: 'joining',
    models: [],
  }));
  const fleet = { workers } as unknown as NoticedParts['fleet'];
  const many = Array.from({ length: 500 }, (_, n) => ({ entry: { id: `lab/${n}` } }));
  const catalog = { models: many, status: { fault: 'x' } } as unknown as NoticedParts['catalog'];
  const text = JSON.stringify(noticedBy({ ...PARTS, fleet, catalog }));
  expect(text.length).toBeLessThan(16_384);
  expect(readNoticed(text)).toMatchObject({
    unready_workers: { count: 500 },
    models_without_workers: { count: 500 },
  });
  for (const other of [null, '', '{"not_ready":7}', '[]']) expect(readNoticed(other)).toBeNull();
});

test('a report that is out of all bounds makes no alarm, and a new kind leaves the others', () => {
  const report = noticedBy(PARTS);
  const clamp = { kind: 'clamp', what: 'x', count: 1, first: 0, last: 1 };
  const readWith = (more: object) => readNoticed(JSON.stringify({ ...report, ...more }));
  expect(readWith({ failing_tasks: Array.from({ length: 50_000 }, String) })).toBeNull();
  expect(readWith({ certificates: [{ listener: 'x', expires: -9e15 }] })).toBeNull();
  const odd = [{ ...clamp, last: 9e15 }, { ...clamp, kind: 'new' }, clamp];
  expect(readWith({ noted: odd })?.noted).toEqual([clamp]);
});

test('each runbook of an alarm is in the runbooks', () => {
  const text = readFileSync(new URL('../../../docs/runbooks.md', import.meta.url), 'utf8');
  for (const runbook of Object.values(RUNBOOKS)) {
    if (runbook !== null) expect(text).toContain(`\n## ${runbook}\n`);
  }
});
