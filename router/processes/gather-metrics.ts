/** The metrics of all processes of a router as one page. Each series has the label `process`. */
import { AggregatorRegistry, type Registry } from 'prom-client';
import { makeRegistry } from '../metrics.ts';
import type { Child } from './child.ts';
import type { MetricsPage } from './messages.ts';

/** The label of the parent's own metrics. */
const PARENT = 'parent';

/**
 * Returns a registry whose page has the metrics of the parent and of its children. A child that
 * does not answer is left out.
 */
export function gatherMetrics(
  children: () => readonly Child[],
): Pick<Registry, 'metrics' | 'contentType'> {
  const own = makeRegistry(PARENT);
  return {
    contentType: own.contentType,
    async metrics() {
      const pages = await Promise.all(children().map((child) => child.ask('metrics')));
      const all = [await own.getMetricsAsJSON(), ...pages.filter((page) => page !== null)];
      // No two pages have a series in common, so this sums nothing. Without it, some of the metrics
      // of Node would be left out or averaged.
      const apart = all.map((page: MetricsPage) =>
        page.map((metric) => ({ ...metric, aggregator: 'sum' as const })),
      );
      return await AggregatorRegistry.aggregate(apart).metrics();
    },
  };
}
