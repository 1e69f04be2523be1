/** Opens the listeners of a router, and determines the URL at which agents reach it. */
import type { Registry } from 'prom-client';
import type { ConcurrencyMax } from '../shared/bounds/concurrency-limit.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Random } from '../shared/random.ts';
import { isLoopback } from '../shared/wire/link-url.ts';
import type { ClientAddresses } from './client-address.ts';
import type { RouterConfig } from './config.ts';
import { Connections } from './connections.ts';
import { connectionsWithin, descriptorLimit, isLow } from './descriptors.ts';
import { linkUrlOf } from './fleet/link-path.ts';
import { endListener, type Listening, listen, type Routes } from './listen.ts';
import { LiveCertificate } from './live-certificate.ts';
import { watchValue } from './metrics/value.ts';
import { watchTurns } from './metrics/work.ts';
import { RefusedConnections } from './refused-connections.ts';
import type { RequestTurns } from './request-turns.ts';

export async function openListeners(
  parts: Readonly<{
    config: RouterConfig;
    parts: AsyncDisposableStack;
    clock: Clock;
    log: Log;
    random: Random;
    metrics: Registry;
    draining: AbortSignal;
    turns: RequestTurns;
    addresses: ClientAddresses;
    /** Called when a changed certificate was read. */
    onReload: (isAccepted: boolean) => void;
  }>,
  routes: Routes,
): Promise<Listening[]> {
  const { config, clock, log, random, draining, turns, addresses, onReload } = parts;
  const listeners: Listening[] = [];
  const refusals = new RefusedConnections(parts);
  const connections = new Connections(
    (address) => addresses.isTrustedProxy(address),
    await connectionBounds(log),
    (bound, open) => refusals.refused(bound, open),
  );
  watchValue(
    parts.metrics,
    'penstock_router_connections',
    'Open connections on all listeners.',
    () => connections.count,
  );
  watchTurns(parts.metrics, turns);
  parts.parts.defer(async () => {
    await Promise.all(listeners.map((listener) => endListener(listener, clock)));
  });
  for (const at of config.listeners) {
    const { tls } = at;
    const certificate = tls ? await LiveCertificate.open(tls, { clock, log, onReload }) : null;
    if (certificate) parts.parts.use(certificate);
    const shared = { clock, random, draining, connections, turns };
    listeners.push(await listen({ ...at, certificate }, routes, shared));
  }
  return listeners;
}

/** Warns if the limit on open files leaves room for few connections. */
async function connectionBounds(log: Log): Promise<ConcurrencyMax> {
  const openFilesMax = await descriptorLimit();
  const bounds = connectionsWithin(openFilesMax);
  if (isLow(bounds)) {
    log.warn(
      { openFilesMax, connectionsMax: bounds.totalMax },
      'the limit on open files is low, so the router accepts fewer connections; raise it with ulimit -n or LimitNOFILE',
    );
  }
  return bounds;
}

/**
 * The URL at which agents reach this router, and this process of it if it is several. Null when
 * `advertise` is not set and the first listener is not on loopback.
 */
export function advertised(
  { advertise }: RouterConfig,
  [first]: readonly Pick<Listening, 'origin'>[],
  process: number | null,
): string | null {
  const url = advertise ?? (first && ofLoopback(first));
  if (url === undefined) return null;
  return process === null ? url : linkUrlOf(url, process);
}

function ofLoopback({ origin }: Pick<Listening, 'origin'>): string | undefined {
  if (!isLoopback(new URL(origin).hostname)) return undefined;
  return `${origin.replace(/^http/, 'ws')}/agent`;
}
