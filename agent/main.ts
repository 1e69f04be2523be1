/** `penstock agent`: dials out to the routers and serves their requests with its engines. */
import { BUILD } from '../shared/build.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Random } from '../shared/random.ts';
import { loadZeromq } from '../shared/zeromq.ts';
import type { AgentConfig, EngineConfig } from './config.ts';
import { Drains } from './drains.ts';
import { Echoes } from './echoes.ts';
import { Engine } from './engine/engine.ts';
import { KvEventsFollower } from './engine/kv-events/follow.ts';
import { isCommand, Supervisor } from './engine/supervise.ts';
import { Watch } from './engine/watch.ts';
import { loadIdentity } from './identity.ts';
import { GpuWatch } from './gpu.ts';
import { Metrics, serveMetrics } from './metrics.ts';
import { proxyFor } from './proxy.ts';
import { Readiness } from './readiness.ts';
import { RequestLog } from './request-log.ts';
import { Routers } from './routers.ts';
import { AttemptTraces } from './traces.ts';
import { loadTrust } from './trust.ts';

export type AgentParts = Readonly<{ clock: Clock; random: Random; log: Log }>;

export interface RunningAgent extends AsyncDisposable {
  readonly metricsPort: number;
  /**
   * Accepts no new requests. Resolves when the running requests have ended and every link is
   * closed.
   */
  drain(): Promise<void>;
}

/** Starts an agent. Disposing of it ends it at once and aborts its running requests. */
export async function startAgent(config: AgentConfig, parts: AgentParts): Promise<RunningAgent> {
  const { clock, random, log } = parts;
  // A proxy in the environment that cannot be used ends the start, and so does a missing module.
  for (const { url } of config.routers) proxyFor(url, config.proxy);
  if (config.engines.some(({ kvEvents }) => kvEvents)) loadZeromq();
  await using undo = new AsyncDisposableStack();
  const identity = await loadIdentity(config.data, random);
  const metrics = undo.use(new Metrics(clock));
  const readiness = new Readiness();
  const engines = config.engines.map((engine) => undo.use(new Engine(engine, clock)));
  for (const [nth, engine] of engines.entries()) {
    const settings = config.engines[nth] as EngineConfig;
    const process = isCommand(settings) ? new Supervisor(engine, settings, parts) : null;
    if (process) undo.use(process);
    undo.use(new Watch(engine, parts, process));
    if (settings.kvEvents) undo.use(new KvEventsFollower(engine, settings.kvEvents, parts));
  }
  const gpus = undo.use(
    new GpuWatch(clock, (seen) => {
      for (const engine of engines) engine.load.equip(seen);
    }),
  );
  const served = undo.use(await serveMetrics({ metrics, readiness }, config.metrics));
  const echoes = undo.use(new Echoes(clock));
  const traces = await openTraces(config, { ...parts, metrics, undo });
  const known = config.routers.map(async (router) => ({
    url: router.url,
    trust: await loadTrust(router),
  }));
  const routers = undo.use(
    new Routers(await Promise.all(known), {
      identity,
      boot: Buffer.from(random.bytes(16)).toString('hex'),
      version: BUILD.version,
      join: config.join,
      proxy: config.proxy,
      engines,
      clock,
      lingerMs: config.lingerMs,
      random,
      log: log.child({ as: config.name }),
      metrics,
      requestLog: new RequestLog(log, config.requestLog),
      traces,
      echoes,
      drains: new Drains(),
    }),
  );
  readiness.started({
    engines,
    isJoined: () => routers.states().includes('joined'),
    isStopping: () => routers.isStopping,
  });
  metrics.watch({
    engines,
    links: () => routers.figures(),
    gpus: () => gpus.gpus,
    isReady: () => readiness.faults().length === 0,
  });
  const owned = undo.move();
  return {
    metricsPort: served.port,
    drain: () => routers.drain(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Returns null when tracing is off. Loads OpenTelemetry only if it is on. */
async function openTraces(
  { tracing, name }: AgentConfig,
  parts: AgentParts & Readonly<{ metrics: Metrics; undo: AsyncDisposableStack }>,
): Promise<AttemptTraces | null> {
  if (tracing === undefined) return null;
  const { OtlpExporter } = await import('../shared/tracing/exporter.ts');
  const { clock, random, log, metrics, undo } = parts;
  const sink = new OtlpExporter(tracing, {
    service: 'penstock-agent',
    instance: name,
    clock,
    log,
    counts: metrics.countSpans(),
  });
  return new AttemptTraces({ sink: undo.use(sink), clock, random });
}

/** Runs an agent until `signal` aborts, and then drains it. */
export async function runAgent(
  config: AgentConfig,
  parts: AgentParts & Readonly<{ signal: AbortSignal; onReady?(agent: RunningAgent): void }>,
): Promise<void> {
  await using agent = await startAgent(config, parts);
  parts.onReady?.(agent);
  const { signal, log } = parts;
  if (!signal.aborted) {
    await new Promise((stop) => signal.addEventListener('abort', stop, { once: true }));
  }
  log.info('agent started draining');
  await agent.drain();
}
