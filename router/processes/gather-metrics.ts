/** The metrics of all processes of a router. Each series has the label `process`. */
import type { Clock } from '../../shared/clock.ts';
import { type MetricsPage, pageOf } from '../../shared/metrics/page.ts';
import { openRegistry } from '../metrics/registry.ts';
import type { Child } from './child.ts';

/** The label of the parent's own metrics. */
const PARENT = 'parent';

/**
 * Returns what reads the metrics of the parent and of its children. A child that does not answer is
 * left out.
 */
export function gatherMetrics(
  children: () => readonly Child[],
  { clock, parts }: Readonly<{ clock: Clock; parts: AsyncDisposableStack }>,
): () => Promise<readonly MetricsPage[]> {
  const { registry } = parts.use(openRegistry(clock, PARENT));
  return async () => {
    const pages = await Promise.all(children().map((child) => child.ask('metrics')));
    return [await pageOf(registry), ...pages.filter((page) => page !== null)];
  };
}
