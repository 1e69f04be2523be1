/** The alarms of the operators' first page, each from what the router knows. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AlarmTimes } from '../../../router/control/platform/alarm-times.ts';
import { type AlarmFacts, alarmsFrom, RUNBOOKS } from '../../../router/control/platform/alarms.ts';
import { RouterWatch } from '../../../router/control/platform/router-watch.ts';
import { DECLARED_DEAD } from '../../../router/ledger/operations.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 24 * 60 * 60_000;
const clock = new ManualClock(NOW);
const NOTHING: AlarmFacts = {
  now: NOW,
  notReadyBecause: null,
  routers: [{ beat: 1n, version: '0.2.0' }],
  jobs: { failed: 0, oldestFailed: null, retried: 3, oldestDue: NOW - 1_000 },
  catalogFault: null,
  isSellerMissing: false,
  modelsWithoutWorkers: [],
  troubledModels: { down: [], degraded: [] },
  unreadyWorkers: [],
  suspectWorkers: [],
  lostHosts: [],
  watch: new RouterWatch(clock),
};

test('there is no alarm when all is well', () => {
  expect(alarmsFrom(NOTHING)).toEqual([]);
});

test.each<[string, Partial<AlarmFacts>, 'urgent' | 'warning', string]>([
  [
    'not_ready',
    { notReadyBecause: 'the store does not answer' },
    'urgent',
    'This router is not ready: the store does not answer.',
  ],
  [
    'router_lost',
    {
      routers: [
        { beat: DECLARED_DEAD, version: '0.1.0' },
        { beat: 1n, version: '0.2.0' },
      ],
    },
    'warning',
    '1 router stopped without signing off. Entries go when their holds are freed.',
  ],
  [
    'version_skew',
    {
      routers: [
        { beat: 1n, version: null },
        { beat: 1n, version: '0.2.0' },
      ],
    },
    'warning',
    'Routers of different versions run: 0.2.0, unknown.',
  ],
  [
    'no_worker',
    { modelsWithoutWorkers: ['a', 'b', 'c', 'd', 'e'] },
    'urgent',
    'No ready worker serves a, b, c and 2 more.',
  ],
  [
    'model_down',
    {
      troubledModels: {
        down: [{ model: 'a', region: 'eu', name: 'a in eu' }],
        degraded: [],
      },
    },
    'urgent',
    'The status page shows no capacity for a in eu.',
  ],
  [
    'model_degraded',
    {
      troubledModels: {
        down: [],
        degraded: [
          { model: 'a', region: 'global', name: 'a' },
          { model: 'b', region: 'global', name: 'b' },
        ],
      },
    },
    'warning',
    'The status page shows degraded service of a, b.',
  ],
  [
    'catalog_rejected',
    { catalogFault: 'line 3' },
    'warning',
    'The present catalog file was rejected, and the one before stays in force.',
  ],
  [
    'worker_not_ready',
    { unreadyWorkers: ['gpu-1/vllm'] },
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
    { suspectWorkers: ['gpu-1/vllm'] },
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
    { isSellerMissing: true },
    'warning',
    'Receipts and invoices have no name, address and tax ID of a seller: set `seller` in the configuration of the routers.',
  ],
])('%s', (kind, facts, severity, message) => {
  expect(alarmsFrom({ ...NOTHING, ...facts })).toEqual([
    expect.objectContaining({ kind, severity, message, count: null, last: null }),
  ]);
});

test.each([['one region', ['a']] as const, ['two regions', ['a in eu', 'a in us']] as const])(
  'a model in %s without any worker is told once',
  (_, names) => {
    const down = names.map((name) => ({ model: 'a', region: 'eu' as const, name }));
    const troubledModels = { down, degraded: [] };
    const alarms = alarmsFrom({ ...NOTHING, modelsWithoutWorkers: ['a'], troubledModels });
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
  const alarms = alarmsFrom({ ...NOTHING, watch });
  expect(alarms.map(({ severity, message }) => [severity, message])).toEqual([
    ['urgent', 'The store has not accepted a heartbeat of this router for 12 s.'],
    ['urgent', 'The certificate of https://a expires in 2 days.'],
    ['urgent', 'The certificate of https://d has expired.'],
    [
      'urgent',
      "The payment provider has left a payment or refund undecided for a day. The router's log has the details.",
    ],
    ['warning', 'The last run of the scheduled task "fold usage" failed.'],
    ['warning', 'The certificate of https://b expires in 20 days.'],
    ['warning', 'A host reported an impossible count, which was reduced: cached clamped.'],
  ]);
  expect(alarms.at(-1)).toMatchObject({ count: 2, last, since: new Date(NOW).toISOString() });
});

test('an alarm of models names them and their regions, for the incident that may follow', () => {
  const down = [{ model: 'a', region: 'eu' as const, name: 'a in eu' }];
  const troubledModels = { down, degraded: [] };
  const alarms = alarmsFrom({ ...NOTHING, modelsWithoutWorkers: ['b'], troubledModels });
  expect(alarms).toMatchObject([
    { kind: 'no_worker', models: ['b'], regions: [], runbook: 'PenstockModelWithoutWorker' },
    { kind: 'model_down', models: ['a'], regions: ['eu'] },
  ]);
});

test('an alarm tells since when its cause holds, or else since when it was noticed', () => {
  const lostHosts = [
    { name: 'gpu-1', since: NOW - 60_000 },
    { name: 'gpu-2', since: NOW - 120_000 },
  ];
  const facts = { ...NOTHING, lostHosts, unreadyWorkers: ['gpu-3/vllm'] };
  const times = new AlarmTimes();
  const at = (ms: number) => new Date(ms).toISOString();
  const sinces = (all: AlarmFacts, now: number) =>
    times.since(alarmsFrom(all), now).map(({ kind, since }) => [kind, since]);
  const lost = ['host_lost', at(NOW - 120_000)];
  expect(sinces(facts, NOW)).toEqual([['worker_not_ready', at(NOW)], lost]);
  expect(sinces({ ...facts, unreadyWorkers: ['gpu-4/vllm'] }, NOW + 5_000)).toEqual([
    ['worker_not_ready', at(NOW)],
    lost,
  ]);
  expect(sinces({ ...facts, unreadyWorkers: [] }, NOW + 10_000)).toEqual([lost]);
  expect(sinces(facts, NOW + 15_000)).toEqual([['worker_not_ready', at(NOW + 15_000)], lost]);
});

test('each runbook of an alarm is in the runbooks', () => {
  const text = readFileSync(new URL('../../../docs/runbooks.md', import.meta.url), 'utf8');
  for (const runbook of Object.values(RUNBOOKS)) {
    if (runbook !== null) expect(text).toContain(`\n## ${runbook}\n`);
  }
});
