/** The control plane's background work: queued jobs and periodic rounds. */
import type { Clock } from '../../shared/clock.ts';
import type { IncarnationId, OrganizationId } from '../../shared/ids.ts';
import type { Peppers } from '../../shared/peppers.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { FOLD_EVERY_MS, FoldRound } from '../usage/rollups/round.ts';
import type { Store } from '../store/store.ts';
import { INVOICE, invoiceJob, invoiceRound } from './invoices/monthly.ts';
import { lowBalanceRound } from './notices/low-balance.ts';
import { type JobHandler, JobRunner } from '../jobs/runner.ts';
import { type Round, Rounds } from '../jobs/rounds.ts';
import { ERASE_ORGANIZATION } from './erasure/organization.ts';
import { ERASE_PERSON } from './erasure/person.ts';
import { eraseOrganizationSlice, erasePersonSlice, erasureHandler } from './erasure/traces.ts';
import { idempotencyRound } from './idempotency/sweep.ts';
import { invitationsRound } from './invitations/sweep.ts';
import { type RetentionConfig, retentionRounds } from './retention/round.ts';
import { letterHandler } from './mail/deliver.ts';
import { LETTER } from './mail/letter.ts';
import { type MailConfig, openTransport, type Transport } from './mail/transport.ts';
import { lookRound } from './payments/looks.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { refundHandler, refundRound } from './payments/refunds.ts';
import { strandedRound } from './payments/stranded.ts';
import { REFUND } from './payments/take-refund.ts';
import type { PaymentAlarm } from './payments/tell.ts';
import type { Places } from './places.ts';
import { playgroundRound } from './playground/tidy.ts';
import { chargeHandler } from './recharge/charge.ts';
import { CHARGE } from './recharge/procedures.ts';
import { Recharger } from './recharge/recharger.ts';
import { sweepRound } from './sessions/sweep.ts';

export type ChoreParts = Readonly<{
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  pepper: Peppers;
  places: Places;
  /** Null when this router takes no payments. */
  provider: PaymentProvider | null;
  /** Called when something is wrong with a payment, for metrics. */
  onAlarm?: ((alarm: PaymentAlarm) => void) | undefined;
  incarnation: () => IncarnationId;
  /** While this returns true (the clock is wrong), no work is started. */
  isPaused?: () => boolean;
  /** If omitted, everything is kept. */
  retention?: RetentionConfig | undefined;
  /** If omitted, emails are written to the log. */
  mail?: MailConfig | undefined;
}>;

export interface Chores extends AsyncDisposable {
  /** Looks for due jobs now. Call it after enqueueing one. */
  look(): Promise<void>;
  /** Reports that an organization's request was refused for lack of credit. Never rejects. */
  exhausted(organization: OrganizationId): Promise<void>;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
}

export function openChores(parts: ChoreParts): Chores {
  const transport = openTransport(parts.mail, parts.log);
  const jobs = new JobRunner(parts, handlersOf({ ...parts, transport }));
  const { provider } = parts;
  const onStarted = () => void jobs.look();
  const recharger = provider && new Recharger({ ...parts, provider, onStarted });
  const rounds = new Rounds(parts, [...roundsOf(parts), ...(recharger ? [recharger.round] : [])]);
  return {
    exhausted: async (organization) => recharger?.exhausted(organization),
    look: () => jobs.look(),
    idle: () => jobs.idle(),
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      transport[Symbol.dispose]();
    },
  };
}

/** Job handlers by the kind of job. */
function handlersOf(
  parts: ChoreParts & Readonly<{ transport: Transport }>,
): Readonly<Record<string, JobHandler>> {
  const { provider } = parts;
  return {
    [INVOICE]: invoiceJob(parts),
    [ERASE_ORGANIZATION]: erasureHandler(parts, eraseOrganizationSlice),
    [ERASE_PERSON]: erasureHandler(parts, erasePersonSlice),
    [LETTER]: letterHandler(parts),
    ...(provider && {
      [CHARGE]: chargeHandler(parts, provider),
      [REFUND]: refundHandler(parts, provider),
    }),
  };
}

function roundsOf(parts: ChoreParts): readonly Round[] {
  const { provider } = parts;
  const folds = new FoldRound(parts);
  return [
    { name: 'fold usage', everyMs: FOLD_EVERY_MS, run: () => folds.make() },
    idempotencyRound(parts),
    invitationsRound(parts),
    invoiceRound(parts),
    lowBalanceRound(parts),
    playgroundRound(parts),
    sweepRound(parts),
    ...retentionRounds(parts, parts.retention),
    strandedRound(parts, provider?.name ?? null),
    ...(provider ? [lookRound(parts, provider), refundRound(parts, provider)] : []),
  ];
}
