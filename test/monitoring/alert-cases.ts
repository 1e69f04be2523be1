/**
 * What makes each alert fire, and the near miss in which it does not. Values are written as
 * promtool writes them: `0+3x30` begins at 0 and rises by 3 each minute, thirty times; `_` is a
 * minute without a sample.
 */

export type AlertCase = Readonly<{
  /** The alert that the case is about. */
  of: string;
  when: string;
  series: Readonly<Record<string, string>>;
  minutes: number;
  /** How often the rules are evaluated: each minute unless the case takes hours. */
  everyMinutes?: number;
  /** All alerts that fire at the end. */
  firing: readonly string[];
}>;

const ROUTER = 'instance="r1"';
const MODEL = 'model="m",region="eu"';

type Ends = Readonly<{
  minutes: number;
  everyMinutes?: number;
  fires: string;
  near: string;
}>;

/** A pair of cases: the series that make the alert fire, and those that nearly do. */
export function pair(
  of: string,
  { fires, near, ...when }: Ends,
  firingSeries: AlertCase['series'],
  nearSeries: AlertCase['series'],
): AlertCase[] {
  return [
    { of, when: fires, series: firingSeries, ...when, firing: [of] },
    { of, when: near, series: nearSeries, ...when, firing: [] },
  ];
}

/** Requests of a model: so many answered and failed each minute, in two hours. */
function requests(answered: number, failed: number, status = 503) {
  const name = `penstock_router_requests_total{${ROUTER},${MODEL},status`;
  return {
    [`${name}="200"}`]: `0+${answered}x120`,
    [`${name}="${status}"}`]: `0+${failed}x120`,
  };
}

/** First tokens of a model: so many begin in time and late each minute, in two hours. */
function firstTokens(inTime: number, late: number) {
  const name = `penstock_router_time_to_first_token_seconds`;
  return {
    [`${name}_bucket{${ROUTER},${MODEL},le="5"}`]: `0+${inTime}x120`,
    [`${name}_count{${ROUTER},${MODEL}}`]: `0+${inTime + late}x120`,
  };
}

const AVAILABILITY = ['PenstockAvailabilityBurnsFast', 'PenstockAvailabilityBurnsSlowly'] as const;
const FIRST_TOKEN = ['PenstockFirstTokenBurnsFast', 'PenstockFirstTokenBurnsSlowly'] as const;

const OBJECTIVES: readonly AlertCase[] = [
  {
    of: AVAILABILITY[0],
    when: 'one request in fifty fails',
    series: requests(980, 20),
    minutes: 120,
    everyMinutes: 10,
    firing: AVAILABILITY,
  },
  {
    of: AVAILABILITY[0],
    when: 'four requests in a thousand fail',
    series: requests(996, 4),
    minutes: 120,
    everyMinutes: 10,
    firing: [AVAILABILITY[1]],
  },
  {
    of: AVAILABILITY[0],
    when: 'half of the requests are refused because of their clients',
    series: requests(500, 500, 429),
    minutes: 120,
    everyMinutes: 10,
    firing: [],
  },
  {
    of: AVAILABILITY[0],
    when: 'a few requests fail at night, when there are few',
    series: {
      ...requests(0.2, 0),
      [`penstock_router_requests_total{${ROUTER},${MODEL},status="502"}`]: '0+0.05x120',
    },
    minutes: 120,
    everyMinutes: 10,
    firing: [],
  },
  {
    of: AVAILABILITY[1],
    when: 'five requests in ten thousand fail',
    series: requests(9995, 5),
    minutes: 120,
    everyMinutes: 10,
    firing: [],
  },
  {
    of: FIRST_TOKEN[0],
    when: 'one answer in five begins late',
    series: firstTokens(80, 20),
    minutes: 120,
    everyMinutes: 10,
    firing: FIRST_TOKEN,
  },
  {
    of: FIRST_TOKEN[0],
    when: 'one answer in twenty-five begins late',
    series: firstTokens(96, 4),
    minutes: 120,
    everyMinutes: 10,
    firing: [FIRST_TOKEN[1]],
  },
  {
    of: FIRST_TOKEN[1],
    when: 'one answer in two hundred begins late',
    series: firstTokens(995, 5),
    minutes: 120,
    everyMinutes: 10,
    firing: [],
  },
];

const loop = (slow: number) => ({
  [`penstock_router_event_loop_delay_seconds_bucket{job="penstock-router",${ROUTER},le="0.1"}`]: `0+${60 - slow}x20`,
  [`penstock_router_event_loop_delay_seconds_count{job="penstock-router",${ROUTER}}`]: '0+60x20',
});
const files = (open: number) => ({
  [`process_open_fds{job="penstock-router",${ROUTER}}`]: `${open}x10`,
  [`process_max_fds{job="penstock-router",${ROUTER}}`]: '1000x10',
});
const expires = (days: number) => ({
  [`penstock_router_certificate_expiry_timestamp_seconds{${ROUTER},listener="l"}`]: `${days * 86_400}x90`,
});
const versions = (second: string) => ({
  'penstock_router_build_info{job="penstock-router",instance="r1",version="1",commit="a"}':
    '1x1500',
  [`penstock_router_build_info{job="penstock-router",instance="r2",version="${second}",commit="a"}`]:
    '1x1500',
});
const management = (failed: number) => ({
  [`penstock_router_management_requests_total{${ROUTER},class="2xx"}`]: '0+50x20',
  [`penstock_router_management_requests_total{${ROUTER},class="5xx"}`]: `0+${failed}x20`,
});

const ROUTERS: readonly AlertCase[] = [
  ...pair(
    'PenstockRouterDown',
    { minutes: 6, fires: 'a router is gone for three minutes', near: 'for one minute' },
    { 'up{job="penstock-router",instance="r1"}': '1 1 1 0 0 0 0' },
    { 'up{job="penstock-router",instance="r1"}': '1 1 1 1 1 0 0' },
  ),
  {
    of: 'PenstockRouterDown',
    when: 'Prometheus knows no router',
    series: { 'up{job="penstock-router",instance="r1"}': '_x6' },
    minutes: 6,
    firing: ['PenstockRouterDown'],
  },
  ...pair(
    'PenstockRouterNotReady',
    { minutes: 15, fires: 'a router is not ready for long', near: 'it drains for five minutes' },
    { [`penstock_router_ready{${ROUTER}}`]: '0x15' },
    { [`penstock_router_ready{${ROUTER}}`]: '1x9 0x5' },
  ),
  ...pair(
    'PenstockEventLoopBlocked',
    { minutes: 20, fires: 'half of the seconds are blocked', near: 'one second in ten' },
    loop(30),
    loop(6),
  ),
  ...pair(
    'PenstockOpenFilesShort',
    { minutes: 10, fires: '90 % of the files are open', near: '70 %' },
    files(900),
    files(700),
  ),
  ...pair(
    'PenstockConnectionsRefused',
    { minutes: 10, fires: 'ten a minute are refused', near: 'one a minute' },
    { [`penstock_router_connections_refused_total{${ROUTER},bound="address"}`]: '0+10x10' },
    { [`penstock_router_connections_refused_total{${ROUTER},bound="address"}`]: '0+1x10' },
  ),
  ...pair(
    'PenstockCertificateExpires',
    { minutes: 90, everyMinutes: 10, fires: 'in ten days', near: 'in twenty days' },
    expires(10),
    expires(20),
  ),
  ...pair(
    'PenstockVersionSkew',
    {
      minutes: 1500,
      everyMinutes: 10,
      fires: 'two versions run for 25 hours',
      near: 'both are the same',
    },
    versions('2'),
    versions('1'),
  ),
  ...pair(
    'PenstockReloadRejected',
    { minutes: 20, fires: 'the first file that changes is rejected', near: 'long ago' },
    {
      [`penstock_router_reloads_total{${ROUTER},what="certificate",result="rejected"}`]: '_x15 1x5',
    },
    { [`penstock_router_reloads_total{${ROUTER},what="certificate",result="rejected"}`]: '1x20' },
  ),
  {
    of: 'PenstockReloadRejected',
    when: 'the catalog on disk is not the one in force',
    series: { [`penstock_router_catalog_rejected{${ROUTER}}`]: '1x5' },
    minutes: 5,
    firing: ['PenstockReloadRejected'],
  },
  ...pair(
    'PenstockManagementFailing',
    { minutes: 20, fires: 'one call in six fails', near: 'one call in fifty' },
    management(10),
    management(1),
  ),
];

const workers = (values: string) => ({
  [`penstock_router_model_workers_ready{${ROUTER},${MODEL}}`]: values,
  // Another router may have lost its links to workers that this one has.
  [`penstock_router_model_workers_ready{instance="r2",${MODEL}}`]: '0x10',
});
const waiting = (values: string) => ({
  [`penstock_router_requests_waiting{${ROUTER},${MODEL}}`]: values,
});
const capacity = (free: number, kvFree: number) => ({
  [`penstock_router_model_slots{${ROUTER},${MODEL}}`]: '100x20',
  [`penstock_router_model_slots_free{${ROUTER},${MODEL}}`]: `${free}x20`,
  [`penstock_router_model_kv_tokens{${ROUTER},${MODEL}}`]: '1000x20',
  [`penstock_router_model_kv_tokens_free{${ROUTER},${MODEL}}`]: `${kvFree}x20`,
});

const CAPACITY: readonly AlertCase[] = [
  ...pair(
    'PenstockModelWithoutWorker',
    { minutes: 10, fires: 'the only worker goes', near: 'one router still has a worker' },
    workers('1x5 0x4'),
    workers('2x5 1x4'),
  ),
  {
    of: 'PenstockModelWithoutWorker',
    when: 'no worker ever served the model',
    series: workers('0x10'),
    minutes: 10,
    firing: [],
  },
  ...pair(
    'PenstockModelFull',
    { minutes: 20, fires: 'requests always wait', near: 'the queue is empty now and then' },
    waiting('3x20'),
    waiting('3x5 0 3x5 0 3x8'),
  ),
  ...pair(
    'PenstockCapacityShort',
    { minutes: 20, fires: 'one slot in twenty is free', near: 'one in five' },
    capacity(5, 500),
    capacity(20, 500),
  ),
  {
    of: 'PenstockCapacityShort',
    when: 'slots are free, and the KV cache is full',
    series: capacity(50, 10),
    minutes: 20,
    firing: ['PenstockCapacityShort'],
  },
];

const UP_AGENT = 'up{job="penstock-agent",instance="h1"}';
const links = (joined: number) => ({
  'penstock_agent_links{instance="h1",state="joined"}': `${joined}x5`,
  'penstock_agent_links{instance="h1",state="waiting"}': `${2 - joined}x5`,
});
const attempts = (failed: number) => ({
  [`penstock_router_attempts_total{${ROUTER},worker="w",outcome="finished"}`]: '0+80x15',
  [`penstock_router_attempts_total{${ROUTER},worker="w",outcome="failed"}`]: `0+${failed}x15`,
});
const share = (second: number) => ({
  [`penstock_router_worker_share{${ROUTER},worker="w"}`]: '0x10',
  'penstock_router_worker_share{instance="r2",worker="w"}': `${second}x10`,
});
const ended = (reason: string) => ({
  [`penstock_router_links_ended_total{${ROUTER},agent="a",reason="${reason}"}`]: '0+1x15',
});

const HOSTS: readonly AlertCase[] = [
  ...pair(
    'PenstockAgentDown',
    { minutes: 12, fires: 'it cannot be scraped', near: 'for three minutes' },
    { [UP_AGENT]: '1x4 0x7' },
    { [UP_AGENT]: '1x8 0x2' },
  ),
  {
    of: 'PenstockAgentDown',
    when: 'an agent behind NAT sends no more samples',
    series: { [UP_AGENT]: '1x4 stale _x15' },
    minutes: 20,
    firing: ['PenstockAgentDown'],
  },
  ...pair(
    'PenstockAgentWithoutRouter',
    { minutes: 5, fires: 'no link is joined', near: 'one of two links is joined' },
    links(0),
    links(1),
  ),
  ...pair(
    'PenstockLinksFlapping',
    { minutes: 15, fires: 'its links fall silent', near: 'routers are stopped' },
    ended('silent'),
    ended('stopping'),
  ),
  ...pair(
    'PenstockEngineDown',
    { minutes: 10, fires: 'the engine is down', near: 'it was restarted' },
    { 'penstock_agent_engine_up{instance="h1",engine="e"}': '0x10' },
    { 'penstock_agent_engine_up{instance="h1",engine="e"}': '1x4 0x3 1x2' },
  ),
  ...pair(
    'PenstockBreakerOpen',
    { minutes: 10, fires: 'on both routers', near: 'on one router' },
    share(0),
    share(1),
  ),
  ...pair(
    'PenstockWorkerFailing',
    { minutes: 15, fires: 'one attempt in five fails', near: 'one in eighty' },
    attempts(20),
    attempts(1),
  ),
];

export const SERVING: readonly AlertCase[] = [...OBJECTIVES, ...ROUTERS, ...CAPACITY, ...HOSTS];
