/** `docs/metrics.md`, which is generated from the metrics that router and agent register. */
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Metrics } from '../agent/metrics.ts';
import { LinkFigures } from '../router/fleet/link-figures.ts';
import { HistoryRecorder } from '../router/history/recorder.ts';
import { openAudit } from '../router/metering/open.ts';
import { watchFleet, watchLinks } from '../router/metrics/fleet.ts';
import { openRegistry } from '../router/metrics/registry.ts';
import { watchScaling } from '../router/metrics/scaling.ts';
import { LedgerMetrics, watchClock, watchLedger, watchPool } from '../router/metrics/store.ts';
import { watchValue } from '../router/metrics/value.ts';
import {
  countEmails,
  countManagement,
  countPaymentAlarms,
  countReloads,
  countRuns,
  watchBacklog,
  watchCatalog,
  watchCertificates,
  watchReady,
  watchTurns,
} from '../router/metrics/work.ts';
import { RefusedConnections } from '../router/refused-connections.ts';
import { RequestMetrics } from '../router/request/metrics.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { systemRandom as random } from '../shared/random.ts';
import { spanCounts } from '../shared/tracing/span-metrics.ts';

type Listed = Readonly<{
  name: string;
  help: string;
  type: string;
  labelNames: readonly string[];
}>;

/** What the metrics whose names match are for. A metric is in the first section that matches it. */
type Section = Readonly<{ title: string; use: string; names: RegExp }>;

const ROUTER: readonly Section[] = [
  {
    title: 'Requests',
    use: 'Availability and latency that customers see: service levels, and what a request costs in time and tokens. The share of predicted cached tokens that is reported shows how good routing is; the difference between best and chosen is what the queues cost.',
    names:
      /^penstock_router_(requests_total|requests_in_flight|time_to_first|inter_token|request_duration|tokens_total|prompt_tokens|cached_tokens|replays|token_count|keys_refused)/,
  },
  {
    title: 'Queue, routing and attempts',
    use: 'Whether capacity is short, and which worker or host fails. At most 1,024 workers have series of their own.',
    names:
      /^penstock_router_(requests_waiting|waiting_|decision|attempts|failovers|breaker|worker|prefix_index)/,
  },
  {
    title: 'Scaling',
    use: 'Autoscaling. Each router knows all workers that are linked to it, and the requests of other routers, so take the maximum over routers and processes and not the sum. A worker that serves several models counts for each.',
    names: /^penstock_router_model_/,
  },
  {
    title: 'Money and store',
    use: 'Whether the ledger keeps up and the store answers. Investigate every increase of clamps or faults.',
    names:
      /^penstock_router_(admission|settlement|reservations|holds|hold_ttl|clamps|ledger|store|heartbeat|peers|clock|payment)/,
  },
  {
    title: 'Background work',
    use: 'Whether emails, payments and erasures are done. Every router counts the same backlog: take the maximum.',
    names: /^penstock_router_(jobs|scheduled|emails|webhooks)/,
  },
  {
    title: 'Fleet and links',
    use: 'Which agent flaps, is far away, or reports figures that cannot be right.',
    names: /^penstock_router_(link_|links_|links$|audits|agent_alarms)/,
  },
  {
    title: 'Router',
    use: 'The state of the router itself.',
    names: /penstock_router_/,
  },
];

const AGENT: readonly Section[] = [
  {
    title: 'Requests of the agent',
    use: 'What the engine does, as the host sees it. The difference to the same metric of the router is the time on the link and in the queue.',
    names:
      /^penstock_agent_(requests_total|tokens_total|time_to_first|inter_token|request_duration)/,
  },
  {
    title: 'Engines and GPUs',
    use: 'Whether the engine is up and full, and what its cache is worth.',
    names: /^penstock_agent_(engine|slots|in_flight|prefix|gpu)/,
  },
  {
    title: 'Links of the agent',
    use: 'Whether each router is reached. A link has series for as long as the agent keeps it.',
    names: /^penstock_agent_(link_|links$|reconnects)/,
  },
  { title: 'Agent', use: 'The state of the agent itself.', names: /penstock_agent_/ },
];

const PROCESS: Section = {
  title: 'Process',
  use: 'Both daemons have these, without a prefix, so that dashboards and rules that others have made find them. `nodejs_eventloop_lag_*` include the 50 ms between two samples, and cover the time since the page was last read by anybody, so alert on `penstock_router_event_loop_delay_seconds` instead.',
  names: /^(process|nodejs)_/,
};

const UNITS = ['seconds', 'bytes', 'tokens', 'ratio'];

/** Registers everything that a router registers, without any of it being read. */
function routerMetrics(): Listed[] {
  using parts = new DisposableStack();
  const { registry } = parts.use(openRegistry(clock, null));
  const [log, none] = [makeLog('test', 'silent'), {} as never];
  const requests = new RequestMetrics({
    registry,
    now: () => clock.now(),
    history: new HistoryRecorder(),
  });
  requests.watchWaiting(() => []);
  requests.watchCountPauses(() => 0);
  new LedgerMetrics(registry);
  new RefusedConnections({ clock, log, metrics: registry });
  watchLedger(registry, none);
  watchClock(registry, none);
  watchPool(registry, { pool: { idle: 0, used: 0, most: 0, waiting: 0 } });
  watchFleet(registry, none, []);
  watchLinks(registry, none, new LinkFigures());
  watchScaling(registry, { fleet: none, catalog: none, clock, regions: [] });
  watchBacklog(registry, { backlog: none, clock });
  watchCatalog(registry, none);
  watchCertificates(registry, []);
  watchReady(registry, () => null);
  countManagement(registry);
  countEmails(registry, none);
  countRuns(registry);
  countPaymentAlarms(registry);
  countReloads(registry);
  spanCounts(registry, 'penstock_router');
  watchValue(
    registry,
    'penstock_router_connections',
    'Open connections on all listeners.',
    () => 0,
  );
  watchTurns(registry, { waiting: 0 });
  const audit = { sample: 0, recountIn: [], canaryEveryS: null };
  parts.use(openAudit(audit, { fleet: none, clock, random, log, metrics: registry }));
  return listed(registry);
}

function agentMetrics(): Listed[] {
  const registry = new Registry();
  using metrics = new Metrics(clock, registry);
  metrics.watch({ engines: [], links: () => [], gpus: () => new Map(), isReady: () => true });
  metrics.countSpans();
  return listed(registry);
}

function listed(registry: Registry): Listed[] {
  // Its types lack the names of labels, and say that the type of a metric is a number.
  return registry.getMetricsAsArray() as unknown as Listed[];
}

function isOfProcess({ name }: Listed): boolean {
  return PROCESS.names.test(name);
}

function chapter(sections: readonly Section[], all: readonly Listed[]): string {
  const left = new Set(all);
  return sections
    .map(({ title, use, names }) => {
      const metrics = [...left].filter(({ name }) => names.test(name));
      for (const metric of metrics) left.delete(metric);
      return `### ${title}\n\n${use}\n\n${table(metrics)}`;
    })
    .join('\n\n');
}

function table(metrics: readonly Listed[]): string {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labelNames, help }) => {
      const unit = UNITS.find((one) => new RegExp(`_${one}(_total|_free|_max)?$`).test(name)) ?? '';
      const labels = labelNames.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${unit} | ${labels} | ${help} |`;
    });
  return ['| Metric | Type | Unit | Labels | Meaning |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function metricsPage(router: readonly Listed[], agent: readonly Listed[]): string {
  const own = (all: readonly Listed[]) => all.filter((metric) => !isOfProcess(metric));
  return `# Metrics

This page is generated from the code. \`npx vitest run --project sqlite test/metrics.test.ts -u\` generates it again.

Router and agent serve their metrics at \`/metrics\` on the port of the setting \`metrics\`, which only monitoring should reach: as Prometheus text, or as OpenMetrics if the header \`Accept\` names it, as that of Prometheus does. In OpenMetrics, the latencies of requests have exemplars, whose label \`request_id\` is the id of a request for \`GET /api/v1/organizations/{id}/usage\` and the log; Prometheus keeps them with \`--enable-feature=exemplar-storage\`. Histograms have fixed buckets, finest between 10 ms and 2 s; there are no native histograms.

All labels are bounded. \`model\` is a model of the catalog, or empty if the request was refused before its model was known; \`region\` is that of the listener; \`streamed\` is \`true\`, \`false\`, or empty likewise; \`code\` is a code of [errors.md](errors.md). If a router is several processes ([processes.md](processes.md)), all its series have the label \`process\`: the number of the process, or \`parent\`.

\`penstock ledger verify\` prints the differences that it finds and ends with a status; it is not part of a router, so it has no metrics.

## Router

${chapter(ROUTER, own(router))}

## Agent

${chapter(AGENT, own(agent))}

## Process

${PROCESS.use}

${table(agent.filter(isOfProcess))}
`;
}

test('docs/metrics.md lists the metrics of router and agent', async () => {
  const page = metricsPage(routerMetrics(), agentMetrics());
  await expect(page).toMatchFileSnapshot('../docs/metrics.md');
});

test('names follow the conventions of Prometheus, and help is a sentence', () => {
  const own = [...routerMetrics(), ...agentMetrics()].filter((metric) => !isOfProcess(metric));
  const wrong = own.filter(
    ({ name, type, help }) =>
      (type === 'counter') !== name.endsWith('_total') || !/^[A-Z].*\.$/.test(help),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
