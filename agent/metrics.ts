/**
 * The agent's Prometheus metrics. Label values are bounded: configured engines and catalog models.
 */
import { createServer, type Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { closeUnread } from '../shared/bounds/stop-parsing.ts';
import { isExpectedHost } from '../shared/host-names.ts';
import { limits } from '../shared/limits.ts';
import type { End } from '../shared/wire/end.ts';
import type { Gpu } from '../shared/wire/messages.ts';
import type { Counts } from './engine/counts.ts';
import type { Meter } from './engine/delivery.ts';
import type { Engine } from './engine/engine.ts';
import type { Gpus } from './gpu.ts';
import { Latency, type LatencySeries } from './latency.ts';

const TTFT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 2, 4, 8, 15, 30, 60];
const DURATION_SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1_800];
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

export type RequestStatus =
  | Extract<End, { outcome: 'finished' }>['finish']
  | Extract<End, { outcome: 'failed' }>['reason']
  | 'cancelled'
  | 'lost'
  | 'refused';

type Labels = { engine: string; model: string };

/** The parts of the agent that the gauges read at each scrape. */
export type Watched = Readonly<{
  engines: Iterable<Engine>;
  links: () => Iterable<LinkState>;
  gpus: () => Gpus;
}>;

export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #interToken = new Latency(
    'penstock_agent_inter_token_seconds',
    'Time between two chunks of an answer',
  );
  readonly #loop = monitorEventLoopDelay({ resolution: 20 });
  readonly #requests: Counter<'engine' | 'model' | 'status'>;
  readonly #tokens: Counter<'engine' | 'model' | 'kind'>;
  readonly #firstToken: Histogram<'engine' | 'model'>;
  readonly #duration: Histogram<'engine' | 'model'>;
  readonly reconnects: Counter;

  constructor() {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'penstock_agent_requests_total',
      help: 'Requests by how they ended',
      labelNames: ['engine', 'model', 'status'],
      registers,
    });
    this.#tokens = new Counter({
      name: 'penstock_agent_tokens_total',
      help: 'Tokens as the engines reported them',
      labelNames: ['engine', 'model', 'kind'],
      registers,
    });
    this.#firstToken = new Histogram({
      name: 'penstock_agent_time_to_first_token_seconds',
      help: 'From the request to the first chunk of its answer',
      labelNames: ['engine', 'model'],
      buckets: TTFT_SECONDS,
      registers,
    });
    this.#duration = new Histogram({
      name: 'penstock_agent_request_duration_seconds',
      help: 'From the request to the end of its answer',
      labelNames: ['engine', 'model'],
      buckets: DURATION_SECONDS,
      registers,
    });
    this.reconnects = new Counter({
      name: 'penstock_agent_reconnects_total',
      help: 'Links that were dialled again',
      registers,
    });
    this.#loop.enable();
  }

  /**
   * Starts to measure an accepted request. `now` is monotonic ms. `onFirst` is called at the first
   * chunk of the answer.
   */
  begin(labels: Labels, now: number, onFirst: () => void): RequestMeter {
    const { engine, model } = labels;
    return new RequestMeter(now, this.#interToken.series(engine, model), {
      first: (seconds) => {
        this.#firstToken.observe(labels, seconds);
        onFirst();
      },
      over: (status, seconds, counts) => {
        this.#requests.inc({ ...labels, status });
        this.#duration.observe(labels, seconds);
        if (counts) this.#spent(labels, counts);
      },
    });
  }

  refused(labels: Labels): void {
    this.#requests.inc({ ...labels, status: 'refused' satisfies RequestStatus });
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

  async text(): Promise<string> {
    return (await this.#registry.metrics()) + this.#interToken.text();
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

  #spent(labels: Labels, counts: Counts): void {
    const kinds = {
      prompt: counts.prompt,
      completion: counts.completion,
      cached: counts.cached ?? 0,
      reasoning: counts.reasoning ?? 0,
    };
    for (const [kind, tokens] of Object.entries(kinds)) {
      if (tokens > 0) this.#tokens.inc({ ...labels, kind }, tokens);
    }
  }
}

type MeterEvents = Readonly<{
  first(seconds: number): void;
  over(status: RequestStatus, seconds: number, counts: Counts | null): void;
}>;

/** Measures the times of one request. */
export class RequestMeter implements Meter {
  readonly #start: number;
  readonly #gaps: LatencySeries;
  readonly #events: MeterEvents;
  #lastAt = 0;

  constructor(start: number, gaps: LatencySeries, events: MeterEvents) {
    this.#start = start;
    this.#gaps = gaps;
    this.#events = events;
  }

  chunk(now: number): void {
    if (this.#lastAt === 0) this.#events.first((now - this.#start) / 1_000);
    else this.#gaps.observe((now - this.#lastAt) / 1_000);
    this.#lastAt = now;
  }

  over(status: RequestStatus, now: number, counts: Counts | null): void {
    this.#events.over(status, (now - this.#start) / 1_000, counts);
  }
}

/** Serves `/metrics`, and nothing else, until it is disposed of. */
export async function serveMetrics(
  metrics: Metrics,
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
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
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
