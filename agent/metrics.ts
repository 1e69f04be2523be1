/**
 * The agent's Prometheus metrics. Label values are bounded: configured engines and catalog models.
 * `request-metrics.ts` has the metrics of requests.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';
import { closeUnread } from '../shared/bounds/stop-parsing.ts';
import type { Clock } from '../shared/clock.ts';
import { isExpectedHost } from '../shared/host-names.ts';
import { limits } from '../shared/limits.ts';
import { type MetricsPage, pageOf } from '../shared/metrics/page.ts';
import { watchProcess } from '../shared/metrics/process.ts';
import { answerScrapes } from '../shared/metrics/scrapes.ts';
import { openPort } from '../shared/open-port.ts';
import { type SpanCounts, spanCounts } from '../shared/tracing/span-metrics.ts';
import type { Gpu } from '../shared/wire/messages.ts';
import type { Engine } from './engine/engine.ts';
import type { Gpus } from './gpu.ts';
import type { Readiness } from './readiness.ts';
import { RequestMetrics } from './request-metrics.ts';

const PREFIX = 'penstock_agent_';

/** A null value is left out. */
type EngineFigure = readonly [name: string, help: string, value: (engine: Engine) => number | null];

const ENGINE_GAUGES: readonly EngineFigure[] = [
  ['engine_up', 'Whether the engine answers', (engine) => Number(engine.up)],
  ['slots', 'Requests that the engine may run at once', (engine) => engine.load.slots],
  ['in_flight', 'Requests under way at the engine', (engine) => engine.load.inFlight],
  ['engine_running', 'Requests that the engine runs', (engine) => engine.figures.running],
  ['engine_waiting', 'Requests that wait in the engine', (engine) => engine.figures.waiting],
  ['engine_kv_use_ratio', 'Use of the KV cache, 0 to 1', (engine) => engine.figures.kvUse],
  [
    'engine_kv_tokens',
    'Tokens that fit the KV cache, if the engine reports that',
    (engine) => engine.profile.kvTokens,
  ],
];

const ENGINE_COUNTERS: readonly EngineFigure[] = [
  [
    'prefix_cache_hit_tokens_total',
    'Prompt tokens found in the prefix cache since the engine started',
    (engine) => engine.figures.prefixHitTokens,
  ],
  [
    'prefix_cache_query_tokens_total',
    'Prompt tokens looked up in the prefix cache since the engine started',
    (engine) => engine.figures.prefixQueryTokens,
  ],
];

const GPU_GAUGES: readonly (readonly [name: string, help: string, value: (gpu: Gpu) => number])[] =
  [
    ['gpu_memory_used_bytes', 'Memory in use on a GPU of the host', (gpu) => gpu.memoryUsedBytes],
    ['gpu_memory_bytes', 'Memory of a GPU of the host', (gpu) => gpu.memoryTotalBytes],
    ['gpu_use_ratio', 'Use of a GPU of the host, 0 to 1', (gpu) => gpu.use],
  ];

const LINK_STATES = ['waiting', 'connecting', 'joined', 'closed'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** What a link tells of itself. Counts are those since the link was made. */
export type LinkFigures = Readonly<{
  url: string;
  state: LinkState;
  /** Whether another link served the router when this one last reached it. */
  isSpare: boolean;
  reconnects: number;
  /** The round trip of the last ping that was answered in the session; null before. */
  rttMs: number | null;
  bytes: Readonly<{ received: number; sent: number }>;
}>;

/** The parts of the agent that are read at each scrape. */
export type Watched = Readonly<{
  engines: Iterable<Engine>;
  links: () => readonly LinkFigures[];
  gpus: () => Gpus;
  isReady: () => boolean;
}>;

type Fill = (set: (values: readonly string[], value: number) => void) => void;

export class Metrics implements Disposable {
  readonly #registry: Registry;
  readonly #process: Disposable;
  readonly requests: RequestMetrics;

  constructor(clock: Pick<Clock, 'every'>, registry = new Registry()) {
    this.#registry = registry;
    this.requests = new RequestMetrics(this.#registry);
    this.#process = watchProcess(this.#registry, { clock, prefix: PREFIX });
  }

  /** Adds the metrics that read the agent's parts at each scrape. */
  watch({ engines, links, gpus, isReady }: Watched): void {
    for (const [figures, kind] of [
      [ENGINE_GAUGES, Gauge],
      [ENGINE_COUNTERS, Counter],
    ] as const) {
      for (const [name, help, valueOf] of figures) {
        this.#read(kind, name, help, ['engine'], (set) => {
          for (const engine of engines) {
            const value = valueOf(engine);
            if (value !== null) set([engine.name], value);
          }
        });
      }
    }
    for (const [name, help, value] of GPU_GAUGES) {
      this.#read(Gauge, name, help, ['gpu'], (set) => {
        for (const [number, gpu] of gpus()) set([String(number)], value(gpu));
      });
    }
    this.#read(Gauge, 'ready', 'Whether /readyz answers 200: 1 or 0', [], (set) =>
      set([], Number(isReady())),
    );
    this.#watchLinks(links);
  }

  /** The metrics of spans, which only an agent has whose tracing is on. */
  countSpans(): SpanCounts {
    return spanCounts(this.#registry, 'penstock_agent');
  }

  /** A link has a series for as long as the agent keeps the link, so their number is bounded. */
  #watchLinks(links: Watched['links']): void {
    this.#read(Gauge, 'links', 'Links to routers by state', ['state'], (set) => {
      const states = links().map(({ state }) => state);
      for (const state of LINK_STATES) set([state], states.filter((is) => is === state).length);
    });
    this.#read(Gauge, 'link_up', 'Whether a router is joined: 1 or 0', ['router'], (set) => {
      for (const link of links()) {
        if (!link.isSpare) set([link.url], Number(link.state === 'joined'));
      }
    });
    this.#read(
      Gauge,
      'link_round_trip_seconds',
      'Round trip of the last ping to a router that was answered',
      ['router'],
      (set) => {
        for (const link of links()) {
          if (link.rttMs !== null) set([link.url], link.rttMs / 1_000);
        }
      },
    );
    this.#read(
      Counter,
      'link_bytes_total',
      'Bytes on the link to a router',
      ['router', 'direction'],
      (set) => {
        for (const link of links()) {
          set([link.url, 'received'], link.bytes.received);
          set([link.url, 'sent'], link.bytes.sent);
        }
      },
    );
    this.#read(
      Counter,
      'reconnects_total',
      'How often the link to a router was dialled again',
      ['router'],
      (set) => {
        for (const link of links()) set([link.url], link.reconnects);
      },
    );
  }

  read(): Promise<MetricsPage> {
    return pageOf(this.#registry);
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
    this.#registry.clear();
  }

  #read(
    Kind: typeof Gauge | typeof Counter,
    name: string,
    help: string,
    labelNames: readonly string[],
    fill: Fill,
  ): void {
    new Kind({
      name: `${PREFIX}${name}`,
      help: `${help}.`,
      labelNames,
      registers: [this.#registry],
      collect(this: Gauge | Counter) {
        this.reset();
        fill((values, value) => {
          this.inc(Object.fromEntries(labelNames.map((label, nth) => [label, values[nth]])), value);
        });
      },
    });
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
  const answer = answerScrapes(async () => [await metrics.read()]);
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
    answer(request, response);
  });
  server.maxConnections = limits.metricsConnectionsMax;
  await openPort(server, { host, port }, 'metrics');
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
