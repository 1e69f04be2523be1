/** The sandbox's own records: what a payment provider would keep on its side. */
import type { PaymentId, TransferId } from '../../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { SandboxChargeRow, SandboxCheckoutRow } from '../../store/schema/payments.ts';
import type { ChargeAnswer, Method, ProviderEvent } from '../payments/provider.ts';
import { cardOf } from './cards.ts';

export type OpenCheckout = Omit<SandboxCheckoutRow, 'state' | 'card' | 'declined'>;

/** Opens a checkout. A repeated call for the same payment keeps the first checkout. */
export const openSandboxCheckout = writeProcedure<OpenCheckout, null>(
  'openSandboxCheckout',
  async (db, checkout) => {
    await db
      .insertInto('sandbox_checkouts')
      .values({ ...checkout, state: 'open', card: null, declined: null })
      .onConflict((conflict) => conflict.column('payment').doNothing())
      .execute();
    return null;
  },
);

/** A checkout and the name of the organization that it is for. */
export type ShownCheckout = SandboxCheckoutRow & Readonly<{ organization: string }>;

export const findSandboxCheckout = readProcedure<{ digest: string }, ShownCheckout | null>(
  'findSandboxCheckout',
  async (db, { digest }) => {
    const checkout = await findCheckout(db, digest);
    if (!checkout) return null;
    const { name } = await db
      .selectFrom('payments')
      .innerJoin('organizations', 'organizations.id', 'payments.organization')
      .select('organizations.name')
      .where('payments.id', '=', checkout.payment)
      .executeTakeFirstOrThrow();
    return { ...checkout, organization: name };
  },
);

function findCheckout(db: Db, digest: string): Promise<SandboxCheckoutRow | undefined> {
  return db
    .selectFrom('sandbox_checkouts')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst();
}

/** `over`: the checkout is paid or expired, and nothing was changed. */
export type Submitted = 'over' | 'unknown_card' | 'confirm' | 'declined' | 'paid';

/**
 * Submits a card on the checkout page. `confirmed` is the person's answer when the card asks for
 * confirmation, and null before that.
 */
export const submitSandboxCard = writeProcedure<
  Readonly<{ digest: string; card: string | null; confirmed: boolean | null; now: number }>,
  Submitted
>('submitSandboxCard', async (db, { digest, card: typed, confirmed, now }) => {
  const checkout = await findCheckout(db, digest);
  if (checkout?.state !== 'open' || checkout.expires <= milliseconds(now)) return 'over';
  const number = typed ?? checkout.card ?? '';
  const card = cardOf(number);
  if (!card) return 'unknown_card';
  const change = (to: Partial<SandboxCheckoutRow>) =>
    db.updateTable('sandbox_checkouts').set(to).where('digest', '=', digest).execute();
  if (card.here === 'asks' && confirmed === null) {
    await change({ card: number, declined: null });
    return 'confirm';
  }
  if (card.here === 'declines' || confirmed === false) {
    const declined = confirmed === false ? 'authentication_failed' : 'card_declined';
    await change({ card: null, declined });
    return 'declined';
  }
  await change({ state: 'paid', card: null, declined: null });
  await payWith(db, checkout, number);
  return 'paid';
});

async function payWith(db: Db, checkout: SandboxCheckoutRow, card: string): Promise<void> {
  const { payment, customer, amount } = checkout;
  const isKept = checkout.keep_method === 1n || amount === null;
  const method = isKept ? methodIdOf(payment) : null;
  if (method !== null) {
    await db.insertInto('sandbox_methods').values({ id: method, customer, card }).execute();
  }
  if (amount === null) return;
  const reference = referenceOf(payment);
  await db
    .insertInto('sandbox_charges')
    .values({ payment, reference, customer, method, card, amount, declined: null })
    .execute();
}

const LATER = { pays: null, declines: 'card_declined', asks: 'authentication_required' } as const;

/**
 * Charges a saved card off-session. A repeated call for the same payment returns the first answer.
 */
export const chargeSandbox = writeProcedure<
  Readonly<{ payment: PaymentId; customer: string; method: string; amount: PicoUsd }>,
  ChargeAnswer
>('chargeSandbox', async (db, { payment, customer, method, amount }) => {
  const kept = await db
    .selectFrom('sandbox_methods')
    .select('card')
    .where('id', '=', method)
    .where('customer', '=', customer)
    .executeTakeFirst();
  const card = cardOf(kept?.card ?? '');
  await db
    .insertInto('sandbox_charges')
    .values({
      payment,
      reference: referenceOf(payment),
      customer,
      method,
      card: kept?.card ?? '',
      amount,
      declined: card ? LATER[card.later] : 'no_such_method',
    })
    .onConflict((conflict) => conflict.column('payment').doNothing())
    .execute();
  const answer = await findSandboxCharge.run(db, { payment });
  if (!answer) throw new Error('a charge was made and is not there');
  return answer;
});

/** Returns the charge of a payment, or null when none was made. */
export const findSandboxCharge = readProcedure<
  Readonly<{ payment: PaymentId }>,
  ChargeAnswer | null
>('findSandboxCharge', async (db, { payment }) => {
  const made = await db
    .selectFrom('sandbox_charges')
    .select(['reference', 'declined'])
    .where('payment', '=', payment)
    .executeTakeFirst();
  if (!made) return null;
  const { reference, declined } = made;
  if (declined === null) return { kind: 'succeeded', reference };
  const kind = declined === LATER.asks ? 'needs_confirmation' : 'declined';
  return { kind, reference, reason: declined };
});

export const refundSandbox = writeProcedure<
  Readonly<{ refund: TransferId; reference: string; amount: PicoUsd }>,
  'succeeded' | 'failed'
>('refundSandbox', async (db, { refund, reference, amount }) => {
  const made = db.selectFrom('sandbox_refunds').selectAll().where('reference', '=', reference);
  const before = await made.execute();
  if (before.some((row) => row.refund === refund)) return 'succeeded';
  const charge = await db
    .selectFrom('sandbox_charges')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  const back = before.reduce((sum, row) => sum + row.amount, BigInt(amount));
  if (!charge || charge.declined !== null || !cardOf(charge.card)?.refunds) return 'failed';
  if (back > charge.amount) return 'failed';
  await db.insertInto('sandbox_refunds').values({ refund, reference, amount }).execute();
  return 'succeeded';
});

/** Returns the provider's event for a payment, or null when there is none yet. */
export const lookSandbox = readProcedure<
  Readonly<{ payment: PaymentId; now: number }>,
  ProviderEvent | null
>('lookSandbox', async (db, { payment, now }) => {
  const charge = await db
    .selectFrom('sandbox_charges')
    .selectAll()
    .where('payment', '=', payment)
    .executeTakeFirst();
  if (charge) return chargeEvent(charge);
  const checkout = await db
    .selectFrom('sandbox_checkouts')
    .selectAll()
    .where('payment', '=', payment)
    .executeTakeFirst();
  if (!checkout) return null;
  if (checkout.state === 'paid') return await keptEvent(db, checkout);
  if (checkout.expires > milliseconds(now)) return null;
  return { kind: 'checkout_expired', event: `expired:${payment}`, payment };
});

function chargeEvent({ payment, ...charge }: SandboxChargeRow): ProviderEvent {
  const { reference, customer, declined, card, method } = charge;
  if (declined !== null) {
    return { kind: 'payment_failed', event: `failed:${reference}`, payment, reason: declined };
  }
  return {
    kind: 'paid',
    event: `paid:${reference}`,
    payment,
    reference,
    amount: picoUsd(charge.amount),
    customer,
    method: method === null ? null : methodOf(method, card),
  };
}

async function keptEvent(
  db: Db,
  { payment, customer }: SandboxCheckoutRow,
): Promise<ProviderEvent | null> {
  const { id, card } = await db
    .selectFrom('sandbox_methods')
    .selectAll()
    .where('id', '=', methodIdOf(payment))
    .executeTakeFirstOrThrow();
  const method = methodOf(id, card);
  return { kind: 'method_kept', event: `kept:${payment}`, payment, customer, method };
}

function methodOf(id: string, card: string): Method {
  return { id, label: `${cardOf(card)?.label ?? 'a card'} (test)` };
}

function referenceOf(payment: PaymentId): string {
  return payment.replace(/^pay_/, 'sandbox_');
}

function methodIdOf(payment: PaymentId): string {
  return payment.replace(/^pay_/, 'card_');
}
