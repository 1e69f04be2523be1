/** Counts the connections that are refused at a bound, and warns about them. */
import { Counter, type Registry } from 'prom-client';
import { AllowedRate } from '../shared/bounds/allowed-rate.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';

/** The bound that a connection would have exceeded: that of its address, or of all. */
export type ConnectionBound = 'address' | 'total';

const WARNINGS = { perSecond: 1 / 60, burst: 1 } as const;

export class RefusedConnections {
  readonly #counter: Counter<'bound'>;
  readonly #warnings: Readonly<Record<ConnectionBound, AllowedRate>>;
  readonly #log: Log;

  constructor({ clock, log, metrics }: Readonly<{ clock: Clock; log: Log; metrics: Registry }>) {
    this.#log = log;
    this.#warnings = {
      address: new AllowedRate(clock, WARNINGS),
      total: new AllowedRate(clock, WARNINGS),
    };
    this.#counter = new Counter({
      name: 'penstock_router_connections_refused_total',
      help: 'Connections that were closed at once, by the bound that they would have exceeded.',
      labelNames: ['bound'] as const,
      registers: [metrics],
    });
    for (const bound of ['address', 'total'] as const) this.#counter.inc({ bound }, 0);
  }

  /** `open`: how many connections are open. */
  refused(bound: ConnectionBound, open: number): void {
    this.#counter.inc({ bound });
    if (!this.#warnings[bound].spend(1)) return;
    this.#log.warn(
      { bound, open },
      'connections were refused; further ones are only counted for a minute',
    );
  }
}
