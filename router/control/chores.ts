/** What the control plane does by itself: the jobs that wait in the store, and the rounds it makes. */
import type { Clock } from '../../shared/clock.ts';
import type { IncarnationId, OrganizationId } from '../../shared/ids.ts';
import type { Peppers } from '../../shared/peppers.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { FOLD_EVERY_MS, FoldRound } from '../ledger/rollups/round.ts';
import type { Store } from '../store/store.ts';
import { INVOICE, invoiceJob, invoiceRound } from './invoices/monthly.ts';
import { lowBalanceRound } from './notices/low-balance.ts';
import { type JobHandler, JobRunner } from './jobs/runner.ts';
import { type Round, Rounds } from './jobs/rounds.ts';
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
  /** Null: this router takes no payments. */
  provider: PaymentProvider | null;
  /** Counts what is wrong with a payment. */
  onAlarm?: ((alarm: PaymentAlarm) => void) | undefined;
  incarnation: () => IncarnationId;
  /** While the time is wrong nothing is begun. */
  isPaused?: () => boolean;
  /** Without it everything is kept. */
  retention?: RetentionConfig | undefined;
  /** Without it letters are written to the log. */
  mail?: MailConfig | undefined;
}>;

export interface Chores extends AsyncDisposable {
  /** Something was just put there to be done. */
  look(): Promise<void>;
  /** An organization was refused for lack of credit. Never rejects. */
  exhausted(organization: OrganizationId): Promise<void>;
  /** Resolves once nothing is under way. */
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

/** By the kind of job. */
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
