/** The registry of a router's process, with the metrics of the process itself. */
import { Registry } from 'prom-client';
import type { Clock } from '../../shared/clock.ts';
import { watchProcess } from '../../shared/metrics/process.ts';

export type OpenRegistry = Disposable & Readonly<{ registry: Registry }>;

/** `process` is the label of all its series if the router is several processes. */
export function openRegistry(clock: Clock, process: number | 'parent' | null): OpenRegistry {
  const registry = new Registry();
  if (process !== null) registry.setDefaultLabels({ process: `${process}` });
  const watched = watchProcess(registry, { clock, prefix: 'penstock_router_' });
  return { registry, [Symbol.dispose]: () => watched[Symbol.dispose]() };
}
