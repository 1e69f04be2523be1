/** Opens the listeners of a router, and determines the URL at which agents reach it. */
import type { Clock } from '../shared/clock.ts';
import type { Random } from '../shared/random.ts';
import { isLoopback } from '../shared/wire/link-url.ts';
import type { ClientAddresses } from './client-address.ts';
import type { RouterConfig } from './config.ts';
import { Connections } from './connections.ts';
import { endListener, type Listening, listen, type Routes } from './listen.ts';

export async function openListeners(
  parts: Readonly<{
    config: RouterConfig;
    parts: AsyncDisposableStack;
    clock: Clock;
    random: Random;
    draining: AbortSignal;
    addresses: ClientAddresses;
  }>,
  routes: Routes,
): Promise<Listening[]> {
  const { config, clock, random, draining, addresses } = parts;
  const listeners: Listening[] = [];
  const connections = new Connections((address) => addresses.isTrustedProxy(address));
  parts.parts.defer(async () => {
    await Promise.all(listeners.map((listener) => endListener(listener, clock)));
  });
  for (const at of config.listeners) {
    listeners.push(await listen(at, routes, { clock, random, draining, connections }));
  }
  return listeners;
}

/**
 * The URL at which agents reach this router. Null when `advertise` is not set and the first
 * listener is not on loopback.
 */
export function advertised(
  { advertise }: RouterConfig,
  [first]: readonly Pick<Listening, 'origin'>[],
): string | null {
  if (advertise !== undefined) return advertise;
  if (!first || !isLoopback(new URL(first.origin).hostname)) return null;
  return `${first.origin.replace(/^http/, 'ws')}/agent`;
}
