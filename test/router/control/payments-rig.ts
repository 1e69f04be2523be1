/**
 * The control plane with its background jobs, on a manual clock, and a person at the sandbox's
 * checkout.
 */
import type { AuditEntry } from '../../../router/control/audit/record.ts';
import {
  type BackgroundJobsParts,
  openBackgroundJobs,
} from '../../../router/control/background-jobs.ts';
import type { SandboxProvider } from '../../../router/control/checkout/sandbox.ts';
import type {
  ChargeAnswer,
  ChargeInput,
  PaymentProvider,
} from '../../../router/control/payments/provider.ts';
import { reconciliationTask } from '../../../router/control/payments/reconciliation.ts';
import { refundTask } from '../../../router/control/payments/refunds.ts';
import { strandedTask } from '../../../router/control/payments/stranded.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type IncarnationId, mintId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { log, PEPPER, type Rig, startRig } from './rig.ts';

/** The sandbox provider behind a network that loses answers on demand. */
export class FarProvider implements PaymentProvider {
  readonly name = 'sandbox';
  readonly #near: SandboxProvider;
  /** The number of charges to come whose answer is lost after the charge was made. */
  losesAnswers = 0;
  /** Whether no request reaches the provider. */
  isAway = false;
  readonly charged: ChargeInput[] = [];

  constructor(near: SandboxProvider) {
    this.#near = near;
  }

  async charge(input: ChargeInput): Promise<ChargeAnswer> {
    this.charged.push(input);
    this.#reach();
    const answer = await this.#near.charge(input);
    if (this.losesAnswers === 0) return answer;
    this.losesAnswers -= 1;
    throw new Error('the connection was reset');
  }

  async findCharge(ask: Parameters<PaymentProvider['findCharge']>[0]) {
    this.#reach();
    return await this.#near.findCharge(ask);
  }

  #reach(): void {
    if (this.isAway) throw new Error('the provider cannot be reached');
  }

  checkout = (input: Parameters<PaymentProvider['checkout']>[0]) => this.#near.checkout(input);
  /** The number of refunds to come that stay pending when they are requested. */
  slowRefunds = 0;
  /** The number of refunds to come whose answer is lost after the refund was made. */
  losesRefunds = 0;
  async refund(input: Parameters<PaymentProvider['refund']>[0]) {
    this.#reach();
    if (this.losesRefunds > 0) {
      this.losesRefunds -= 1;
      await this.#near.refund(input);
      throw new Error('the connection was reset');
    }
    if (this.slowRefunds === 0) return await this.#near.refund(input);
    this.slowRefunds -= 1;
    return 'pending' as const;
  }
  portal = () => this.#near.portal();
  async look(input: Parameters<PaymentProvider['look']>[0]) {
    this.#reach();
    return await this.#near.look(input);
  }
  read = () => this.#near.read();
}

export interface PaymentsRig extends AsyncDisposable {
  readonly rig: Rig;
  readonly clock: ManualClock;
  readonly provider: FarProvider;
  /** While `isPaused` is true, no job and no scheduled task runs by itself. */
  readonly background: { isPaused: boolean };
  /** Looks for due jobs and starts them, without waiting for their ends. */
  look(): Promise<void>;
  /** Starts a recharge if one is due, as a request does that is refused for lack of credit. */
  exhausted(organization: string): Promise<void>;
  /** Runs the jobs that are due, and the scheduled tasks that reconcile payments and refunds. */
  work(): Promise<void>;
  /** Advances the clock hour by hour. */
  hours(count: number): Promise<void>;
  /** Returns the kinds of the emails queued for an organization, oldest first. */
  letters(organization: string): Promise<string[]>;
  /** Creates a customer with USD 5 of welcome credit. */
  customer(): Promise<string>;
  balance(organization: string): Promise<string>;
  /** Takes credit away, as usage does. */
  spend(organization: string, amount: string): Promise<void>;
  /** Saves a card for recharges. */
  keep(organization: string, card: string): Promise<void>;
  differences(): Promise<readonly string[]>;
}

export async function startPaymentsRig(
  more: Partial<Pick<BackgroundJobsParts, 'webhooks' | 'onAttempt'>> = {},
): Promise<PaymentsRig> {
  await using undo = new AsyncDisposableStack();
  const clock = new ManualClock();
  const background = { isPaused: false };
  const rig = undo.use(await startRig(clock, ['global'], more));
  const provider = new FarProvider(rig.provider);
  const incarnation = 'rtr_test' as IncarnationId;
  await rig.place.sql(
    `insert into incarnations (id, beat, regions, started) values ('rtr_test', 1, 'global', 0)`,
  );
  const { urls } = rig.provider.parts;
  const { store } = rig;
  const parts = { store, clock, random, log, pepper: PEPPER, urls, provider, seller: null };
  const webhooks = { allowPrivateAddresses: false };
  const backgroundJobs = undo.use(
    openBackgroundJobs({
      ...parts,
      webhooks,
      nameOfModel: (id) => id,
      ...more,
      incarnation: () => incarnation,
      isPaused: () => background.isPaused,
    }),
  );
  const tasks = [
    reconciliationTask(parts, provider),
    refundTask(parts, provider),
    strandedTask(parts, provider.name),
  ];
  async function work(): Promise<void> {
    for (let pass = 0; pass < 3; pass++) {
      await backgroundJobs.look();
      await backgroundJobs.idle();
      for (const task of tasks) await task.run();
    }
  }
  const path = (organization: string) => `/api/v1/organizations/${organization}`;
  const owned = undo.move();
  return {
    rig,
    clock,
    provider,
    background,
    look: () => backgroundJobs.look(),
    exhausted: (organization) => backgroundJobs.exhausted(organization as never),
    work,
    async hours(count) {
      for (let hour = 0; hour < count; hour++) {
        clock.advance(60 * 60 * 1000);
        await work();
      }
    },
    async letters(organization) {
      const rows = await rig.place.sql(
        `select payload from jobs where kind = 'letter' and subject = '${organization}'
         order by created`,
      );
      return rows.map((row) => JSON.parse((row as { payload: string }).payload).kind);
    },
    customer: async () =>
      (await rig.ask('POST', '/api/v1/organizations', { name: 'Customer' })).body.id,
    balance: async (organization) =>
      (await rig.ask('GET', `${path(organization)}/credit`)).body.balance,
    async spend(organization, amount) {
      const taken = {
        amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}`,
        reason: 'spent',
      };
      await rig.ask('POST', `${path(organization)}/credit/adjustments`, taken);
    },
    async keep(organization, card) {
      const begun = await rig.ask('POST', `${path(organization)}/payment-method`);
      await payAt(begun.body.checkout_url, card);
    },
    differences: async () => (await store.call(verifyLedger, null)).differences,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  asks: '4000 0025 0000 3155',
  asksAlways: '4000 0027 6000 3184',
  failsLater: '4000 0000 0000 0341',
  noRefunds: '4000 0000 0000 5126',
} as const;

export type Page = Readonly<{
  status: number;
  text: string;
  location: string | null;
  headers: Headers;
}>;

/** Submits the checkout's form, as a browser does. */
export async function payAt(
  url: string,
  card: string,
  headers: Record<string, string> = {},
): Promise<Page> {
  const page = await readPage(await fetch(url));
  return await submitForm(url, { form: formOf(page), card }, headers);
}

export function formOf({ text }: Page): string {
  return /name="form" value="([0-9a-f]+)"/.exec(text)?.[1] ?? '';
}

export async function submitForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const { origin } = new URL(url);
  const body = new URLSearchParams(fields);
  return await readPage(
    await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { origin, ...headers },
    }),
  );
}

export async function readPage(response: Response): Promise<Page> {
  const { status, headers } = response;
  return { status, headers, text: await response.text(), location: headers.get('location') };
}

/** An audit entry for procedures that are called without a request. */
export function markOf(clock: Clock, action: AuditAction): AuditEntry {
  return {
    id: mintId('audit', clock, random),
    organization: null,
    actor: { kind: 'system', id: null },
    action,
    target: null,
    details: {},
    address: '',
    request: '',
    created: clock.now(),
  };
}

export const RECHARGE = { enabled: true, threshold: '3', amount: '10', monthly_cap: null };

/** A customer with a saved card and auto-recharge, whose credit is nearly used up. */
export async function lowCustomer(pay: PaymentsRig): Promise<string> {
  const organization = await pay.customer();
  await pay.keep(organization, CARDS.good);
  await pay.rig.ask('PUT', `/api/v1/organizations/${organization}/recharge`, RECHARGE);
  await pay.spend(organization, '4');
  return organization;
}
