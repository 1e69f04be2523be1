/**
 * How a router stops: new work goes to other routers or processes first, then requests are refused,
 * and the last responses end.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, sleep } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { RouterConfig } from './config.ts';
import type { Links } from './fleet/links.ts';
import type { OpenLedger } from './ledger/ledger.ts';
import { type Listening, stopListening } from './listen.ts';
import type { RouterProcess } from './processes/router-process.ts';
import type { RequestTurns } from './request-turns.ts';

type Serving = Readonly<{
  config: RouterConfig;
  log: Log;
  clock: Clock;
  routerProcess: RouterProcess | null;
  /** The turns in which requests begin. */
  turns: Pick<RequestTurns, 'waiting'>;
  /** The promises of requests that are being handled. */
  underWay: ReadonlySet<Promise<void>>;
  /** Aborts at the stop signal. */
  stopSignal: AbortSignal;
  /** Aborted here: from then on requests are refused. */
  stopping: AbortController;
}>;

/** Closes the listeners, and resolves when the last request has ended. */
export async function drain(
  { config, log, clock, routerProcess, turns, underWay, stopSignal, stopping }: Serving,
  {
    ledger,
    links,
    listeners,
  }: Readonly<{ ledger: OpenLedger; links: Links; listeners: readonly Listening[] }>,
): Promise<void> {
  // New work goes to other routers first. Other routers send no more agents here, and `/readyz` fails
  // from here on, unless another process takes the place of this one.
  const remaining = () => ({ requests: underWay.size, waitingForTurn: turns.waiting });
  log.info({ ...remaining(), graceMs: config.drainGraceMs }, 'router started to drain');
  links.drain();
  const withdrawn = ledger.advertise(null);
  if (routerProcess?.retired.aborted) {
    for (const { server } of listeners) stopListening(server);
    // New connections go to the other processes, and those that are open close after their next
    // response. So no request needs to be refused, and requests soon cease to come.
    do {
      await Promise.allSettled(underWay);
      await sleep(clock, config.drainGraceMs, stopSignal);
    } while (turns.waiting + underWay.size > 0);
  } else await sleep(clock, config.drainGraceMs);
  await withdrawn;
  stopping.abort();
  log.info(remaining(), 'router stopped accepting requests');
  // Requests that arrive while the last responses end get a 503, not a closed port.
  await Promise.allSettled(underWay);
  for (const { server } of listeners) server.close();
  while (turns.waiting + underWay.size > 0) {
    await Promise.allSettled(underWay);
    await nextTurn();
  }
}
