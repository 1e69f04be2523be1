/**
 * The agent's Prometheus metrics. Label values are bounded: configured engines and catalog models.
 * `request-metrics.ts` has the metrics of requests.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry } from 'prom-client';
import { closeUnread } from '../shared/bounds/stop-parsing.ts';
import { isExpectedHost } from '../shared/host-names.ts';
import { limits } from '../shared/limits.ts';
import { type SpanCounts, spanCounts } from '../shared/tracing/span-metrics.ts';
import type { Gpu } from '../shared/wire/messages.ts';
import type { Engine } from './engine/engine.ts';
import type { Gpus } from './gpu.ts';
import type { Readiness } from './readiness.ts';
import { RequestMetrics } from './request-metrics.ts';

const NANOSECONDS = 1e9;

type EngineGauge = readonly [name: string, help: string, value: (engine: Engine) => number];

const ENGINE_GAUGES: readonly EngineGauge[] = [
  ['engine_up', 'Whether the engine answers', (engine) => Number(engine.up)],
  ['in_flight', 'Requests under way at the engine', (engine) => engine.load.inFlight],
  ['engine_running', 'Requests that the engine runs', (engine) => engine.figures.running],
  ['engine_waiting', 'Requests that wait in the engine', (engine) => engine.figures.waiting],
  ['engine_kv_use_ratio', 'Use of the KV cache', (engine) => engine.figures.kvUse],
  [
    'prefix_cache_hit_tokens',
    'Prompt tokens found in the cache since the engine started',
    (engine) => engine.figures.prefixHitTokens,
  ],
  [
    'prefix_cache_query_tokens',
    'Prompt tokens looked up in the cache since the engine started',
    (engine) => engine.figures.prefixQueryTokens,
  ],
];

const GPU_GAUGES: readonly (readonly [name: string, help: string, value: (gpu: Gpu) => number])[] =
  [
    ['gpu_memory_used_bytes', 'Memory in use on a GPU of the host', (gpu) => gpu.memoryUsedBytes],
    ['gpu_memory_bytes', 'Memory of a GPU of the host', (gpu) => gpu.memoryTotalBytes],
    ['gpu_use_ratio', 'Use of a GPU of the host', (gpu) => gpu.use],
  ];

const LINK_STATES = ['waiting', 'connecting', 'joined', 'closed'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** The parts of the agent that the gauges read at each scrape. */
export type Watched = Readonly<{
  engines: Iterable<Engine>;
  links: () => Iterable<LinkState>;
  gpus: () => Gpus;
}>;

export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #loop = monitorEventLoopDelay({ resolution: 20 });
  readonly requests: RequestMetrics;
  readonly reconnects: Counter;

  constructor() {
    this.requests = new RequestMetrics(this.#registry);
    this.reconnects = new Counter({
      name: 'penstock_agent_reconnects_total',
      help: 'Links that were dialled again',
      registers: [this.#registry],
    });
    this.#loop.enable();
  }

  /** Adds the gauges that read the agent's parts at each scrape. */
  watch({ engines, links, gpus }: Watched): void {
    for (const [name, help, value] of ENGINE_GAUGES) {
      this.#gauge(name, help, 'engine', (set) => {
        for (const engine of engines) set(engine.name, value(engine));
      });
    }
    this.#gauge('links', 'Links to routers by state', 'state', (set) => {
      const states = [...links()];
      for (const state of LINK_STATES) set(state, states.filter((is) => is === state).length);
    });
    for (const [name, help, value] of GPU_GAUGES) {
      this.#gauge(name, help, 'gpu', (set) => {
        for (const [number, gpu] of gpus()) set(String(number), value(gpu));
      });
    }
    const loop = this.#loop;
    const help = 'Delay of the event loop since the last scrape';
    this.#gauge('event_loop_delay_seconds', help, 'quantile', (set) => {
      for (const percent of [50, 99, 100]) {
        set(String(percent / 100), loop.percentile(percent) / NANOSECONDS);
      }
      loop.reset();
    });
  }

  /** The metrics of spans, which only an agent has whose tracing is on. */
  countSpans(): SpanCounts {
    return spanCounts(this.#registry, 'penstock_agent');
  }

  async text(): Promise<string> {
    return (await this.#registry.metrics()) + this.requests.text();
  }

  [Symbol.dispose](): void {
    this.#loop.disable();
    this.#registry.clear();
  }

  #gauge(
    name: string,
    help: string,
    label: string,
    fill: (set: (value: string, count: number) => void) => void,
  ): void {
    const gauge = new Gauge({
      name: `penstock_agent_${name}`,
      help,
      labelNames: [label],
      registers: [],
      collect: () => fill((value, count) => gauge.set({ [label]: value }, count)),
    });
    this.#registry.registerMetric(gauge);
  }
}

type Parts = Readonly<{ metrics: Metrics; readiness: Readiness }>;

/** Serves `/metrics`, `/healthz` and `/readyz`, and nothing else, until it is disposed of. */
export async function serveMetrics(
  { metrics, readiness }: Parts,
  {
    host,
    port,
    allowedHosts = [],
  }: Readonly<{ host: string; port: number; allowedHosts?: readonly string[] }>,
): Promise<AsyncDisposable & { readonly port: number }> {
  // Concurrent scrapes share one page.
  let page: Promise<string> | null = null;
  const server: Server = createServer((request, response) => {
    closeUnread(request, response);
    if (!isExpectedHost(request.headers.host, allowedHosts)) {
      response.writeHead(403).end('metrics.allowedHosts does not list this Host\n');
      return;
    }
    const path = request.method === 'GET' ? request.url?.split('?', 1)[0] : null;
    if (path === '/healthz') return answerHealth(response, []);
    if (path === '/readyz') return answerHealth(response, readiness.faults());
    if (path !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    page ??= metrics.text().finally(() => {
      page = null;
    });
    page.then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = limits.metricsConnectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerHealth(response: ServerResponse, faults: readonly string[]): void {
  const body = faults.length === 0 ? { status: 'ok' } : { status: 'not ready', reasons: faults };
  response
    .writeHead(faults.length === 0 ? 200 : 503, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    })
    .end(JSON.stringify(body));
}
