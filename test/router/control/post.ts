/**
 * Runs the control plane's jobs on a rig's store, with a real SMTP server that receives their mail.
 */
import { once } from 'node:events';
import {
  type BackgroundJobs,
  openBackgroundJobs,
} from '../../../router/control/background-jobs.ts';
import { openTransport } from '../../../router/control/mail/transport.ts';
import { PublicUrls } from '../../../router/control/public-urls.ts';
import { openLedger } from '../../../router/ledger/ledger.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { type Received, startMailServer } from '../../support/mail-server.ts';
import { log, PEPPER, type Rig } from './rig.ts';

export { type Received, readable } from '../../support/mail-server.ts';

export const DASHBOARD = 'https://penstock.example';

export interface Post extends AsyncDisposable {
  readonly backgroundJobs: BackgroundJobs;
  /** The server's URL. */
  readonly smtp: string;
  readonly received: Received[];
  /** Runs all jobs that are due. */
  work(): Promise<void>;
  /** Runs all jobs that are due, and returns the last email to this address. */
  letterTo(email: string): Promise<Received>;
  /** The replies with which the server rejects the next emails. */
  readonly refusals: string[];
}

export type PostOptions = Readonly<{
  clock?: Clock;
  log?: Log;
  /** Without a server, emails are written to the log. */
  server?: false;
}>;

export async function openPost(rig: Rig, options: PostOptions = {}): Promise<Post> {
  await using undo = new AsyncDisposableStack();
  const received: Received[] = [];
  const refusals: string[] = [];
  const clock = options.clock ?? systemClock;
  const ledger = undo.use(
    await openLedger(
      {
        store: rig.store,
        clock: systemClock,
        random,
        log,
        onBatch: () => undefined,
        onUnhealthy: () => undefined,
        onSuspended: () => undefined,
      },
      { url: null, regions: ['global'], holdTtlMs: 30_000 },
    ),
  );
  const server = undo.adopt(startMailServer(received, refusals), (open) => {
    open.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  const smtp = `smtp://127.0.0.1:${port}`;
  const backgroundJobs = undo.use(
    openBackgroundJobs({
      store: rig.store,
      clock,
      random,
      log: options.log ?? log,
      pepper: PEPPER,
      urls: new PublicUrls({ url: DASHBOARD, baseUrls: {}, listeners: [] }),
      provider: null,
      seller: null,
      webhooks: { allowPrivateAddresses: false },
      incarnation: () => ledger.incarnation,
      nameOfModel: (id) => `${id} by name`,
      ...(options.server !== false && {
        transport: await openTransport({ smtp, from: 'Penstock <no-reply@penstock.example>' }, log),
      }),
    }),
  );
  const due = async () => {
    const sql = `select id from jobs where state = 'running' or (state = 'waiting' and run_at <= ${clock.now()})`;
    return (await rig.place.sql(sql)).length;
  };
  const work = async () => {
    do {
      await backgroundJobs.look();
      await backgroundJobs.idle();
    } while ((await due()) > 0);
  };
  const owned = undo.move();
  return {
    backgroundJobs,
    smtp,
    received,
    refusals,
    work,
    async letterTo(email) {
      await work();
      const letter = received.findLast(({ to }) => to.includes(email));
      if (!letter) throw new Error(`no letter came to ${email}`);
      return letter;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
