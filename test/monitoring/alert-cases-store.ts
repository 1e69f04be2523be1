/** The cases of the alerts about the store, its jobs, money and keys (`alert-cases.ts`). */
import { type AlertCase, pair } from './alert-cases.ts';

const ROUTER = 'instance="r1"';

const gauge = (name: string, values: string) => ({
  [`penstock_router_${name}{${ROUTER}}`]: values,
});
const counter = (name: string, labels: string, values: string) => ({
  [`penstock_router_${name}{${ROUTER},${labels}}`]: values,
});

const heartbeat = (age: number) => ({
  ...gauge('heartbeat_age_seconds', `${age}x5`),
  ...gauge('hold_ttl_seconds', '30x5'),
});
const commits = (slow: number) => ({
  ...counter('ledger_commit_seconds_bucket', 'le="0.1"', `0+${100 - slow}x20`),
  ...counter('ledger_commit_seconds_bucket', 'le="0.25"', '0+100x20'),
  ...counter('ledger_commit_seconds_bucket', 'le="+Inf"', '0+100x20'),
});

/** An alert that one event is enough for, whether its series was there before or not. */
function once(of: string, name: string, labels: string): AlertCase[] {
  return [
    ...pair(
      of,
      {
        minutes: 80,
        everyMinutes: 10,
        fires: 'the first event ever',
        near: 'an event of yesterday',
      },
      counter(name, labels, '_x75 1x4'),
      counter(name, labels, '1x80'),
    ),
    {
      of,
      when: 'one more event',
      series: counter(name, labels, '2x70 3x9'),
      minutes: 80,
      everyMinutes: 10,
      firing: [of],
    },
  ];
}

/** Keys that are refused each minute, among a hundred requests; `yesterday` is for the day before. */
function keys(cause: string, refused: number, yesterday = 0) {
  const day = 1440;
  return {
    ...counter(
      'keys_refused_total',
      `region="eu",cause="${cause}"`,
      [`0+${yesterday}x${day}`, `${yesterday * day}+${refused}x30`].join(' '),
    ),
    ...counter('requests_total', 'region="eu",status="401"', `0+100x${day + 30}`),
  };
}

export const STORE_AND_MONEY: readonly AlertCase[] = [
  ...pair(
    'PenstockStoreDown',
    { minutes: 5, fires: 'it does not answer', near: 'it answers again' },
    gauge('store_up', '1 1 0x3'),
    gauge('store_up', '0x3 1 1'),
  ),
  ...pair(
    'PenstockHeartbeatLate',
    { minutes: 5, fires: 'older than half of the TTL', near: 'not as old' },
    heartbeat(16),
    heartbeat(14),
  ),
  ...pair(
    'PenstockStoreSlow',
    { minutes: 20, fires: 'two commits in a hundred are slow', near: 'one in two hundred' },
    commits(2),
    commits(0.5),
  ),
  ...pair(
    'PenstockStorePoolFull',
    { minutes: 15, fires: 'calls always wait', near: 'now and then' },
    gauge('store_calls_waiting', '4x15'),
    gauge('store_calls_waiting', '4x8 0 4x5'),
  ),
  ...once('PenstockLedgerFault', 'ledger_faults_total', 'operation="settle"'),
  ...pair(
    'PenstockClockOff',
    { minutes: 5, fires: 'ten seconds behind', near: 'three seconds ahead' },
    gauge('clock_offset_seconds', '-10x5'),
    gauge('clock_offset_seconds', '3x5'),
  ),
  ...pair(
    'PenstockJobsLate',
    { minutes: 10, fires: 'for twenty minutes', near: 'for ten minutes' },
    gauge('jobs_oldest_due_seconds', '1200x10'),
    gauge('jobs_oldest_due_seconds', '600x10'),
  ),
  ...once('PenstockJobsFailed', 'jobs_total', 'kind="email",result="failed"'),
  ...pair(
    'PenstockTasksFailing',
    {
      minutes: 60,
      everyMinutes: 10,
      fires: 'it fails and never succeeds',
      near: 'it fails now and then',
    },
    counter('scheduled_tasks_total', 'task="t",result="failed"', '0+0.2x60'),
    {
      ...counter('scheduled_tasks_total', 'task="t",result="failed"', '0+0.2x60'),
      ...counter('scheduled_tasks_total', 'task="t",result="done"', '0+0.2x60'),
    },
  ),
  ...pair(
    'PenstockMailFailing',
    { minutes: 30, everyMinutes: 10, fires: 'six times', near: 'once' },
    counter('emails_total', 'result="failed"', '0+0.2x30'),
    counter('emails_total', 'result="failed"', '0x20 1x9'),
  ),
  ...pair(
    'PenstockWebhooksFailing',
    { minutes: 30, everyMinutes: 10, fires: 'six are rejected', near: 'they are accepted' },
    counter('webhooks_total', 'result="rejected"', '0+0.2x30'),
    counter('webhooks_total', 'result="accepted"', '0+0.2x30'),
  ),
  ...once('PenstockPaymentAlarm', 'payment_alarms_total', 'alarm="undecided"'),
  ...once('PenstockCountsClamped', 'clamps_total', 'what="prompt_clamped"'),
  ...once('PenstockAuditAlarm', 'agent_alarms_total', 'worker="w",kind="prompt"'),
  ...pair(
    'PenstockUnauthorizedSurge',
    {
      minutes: 1470,
      everyMinutes: 10,
      fires: 'half of the requests, from one day to the next',
      near: 'every day',
    },
    keys('unknown', 50),
    keys('unknown', 50, 50),
  ),
  {
    of: 'PenstockUnauthorizedSurge',
    when: 'strangers send words that are no keys',
    series: keys('malformed', 90),
    minutes: 1470,
    everyMinutes: 10,
    firing: [],
  },
];
