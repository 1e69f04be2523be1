/** The metrics of a process, whichever daemon it runs: the standard ones, its build and its event loop. */
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { BUILD } from '../build.ts';
import type { Clock } from '../clock.ts';
import { LOOP_SAMPLE_MS, LoopDelay } from '../loop-delay.ts';
import { Histograms } from './series.ts';

const LOOP_EVERY_MS = 1_000;
const LOOP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Gauges of prom-client with the suffix of a counter. Others of its gauges say the same by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

type ProcessMetricsParts = Readonly<{
  clock: Pick<Clock, 'every'>;
  /** The beginning of the names of our own metrics. */
  prefix: string;
}>;

/** Adds the metrics of this process. They are measured until the result is disposed of. */
export function watchProcess(
  registry: Registry,
  { clock, prefix }: ProcessMetricsParts,
): Disposable {
  // Without a prefix, so that dashboards and rules that others have made find them.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1. The labels name the version and the commit that runs, and the version of Node.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  }).set({ ...BUILD, node: process.versions.node }, 1);
  return watchEventLoop(registry, clock, prefix);
}

/** Unlike the gauges of prom-client, it does not begin anew when somebody reads the page. */
function watchEventLoop(
  registry: Registry,
  clock: Pick<Clock, 'every'>,
  prefix: string,
): Disposable {
  const delays = new Histograms(registry, {
    name: `${prefix}event_loop_delay_seconds`,
    help: 'The longest delay of the event loop in each second, one observation a second.',
    labels: [],
    buckets: LOOP_SECONDS,
  }).series({});
  const loop = new LoopDelay();
  const timer = clock.every(LOOP_EVERY_MS, () => delays.observe(loop.take(100) / 1000));
  return {
    [Symbol.dispose]() {
      timer.cancel();
      loop[Symbol.dispose]();
    },
  };
}
