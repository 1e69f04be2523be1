/**
 * Runs the control plane's jobs on a rig's store, with a real SMTP server that receives their mail.
 */
import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
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
import { log, PEPPER, type Rig } from './rig.ts';

export const DASHBOARD = 'https://penstock.example';

export type Received = Readonly<{
  from: string;
  to: readonly string[];
  /** The message as received: headers, an empty line, the body. */
  raw: string;
  /** The token of the link in the body, or '' if there is none. */
  token: string;
}>;

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
  const server = undo.adopt(startServer(received, refusals), (open) => {
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
    // The end of the last job begins another look, and one that was asked for meanwhile follows it.
    await backgroundJobs.idle();
    await backgroundJobs.idle();
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

function startServer(received: Received[], refusals: string[]): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const refusal = refusals.shift();
        if (refusal !== undefined) return done(new Error(refusal));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          token: tokenIn(raw),
        });
        done();
      });
    },
  });
}

/** Undoes the quoted-printable encoding that wraps long lines. */
export function readable(raw: string): string {
  return raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}

function tokenIn(raw: string): string {
  return /#token=(penstock-link-\w{40})/.exec(readable(raw))?.[1] ?? '';
}
