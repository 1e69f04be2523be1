/**
 * The Stripe endpoints that Penstock uses. Each checks its parameters as strictly as Stripe does.
 */
import { z } from 'zod';
import { type StripeAccount, type StripeObject, StripeRefusal } from './account.ts';

const metadata = z.record(z.string().max(40), z.string().max(500)).default({});
const usd = z.literal('usd');
/** Stripe's minimum payment is USD 0.50. */
const cents = z.coerce.number().pipe(z.int().min(50).max(99_999_999));
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const url = z.url({ protocol: /^https?$/ });
const limit = z.coerce.number().pipe(z.int().min(1).max(100)).default(10);

const LineItem = z.strictObject({
  quantity: z.literal('1'),
  price_data: z.strictObject({
    currency: usd,
    unit_amount: cents,
    product_data: z.strictObject({ name: z.string().min(1) }),
  }),
});

const common = {
  customer: z.string().optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata,
  success_url: url,
  cancel_url: url.optional(),
};
const NewSession = z.discriminatedUnion('mode', [
  z.strictObject({
    ...common,
    mode: z.literal('payment'),
    adaptive_pricing: z.strictObject({ enabled: flag }).optional(),
    line_items: z.strictObject({ 0: LineItem }),
    payment_intent_data: z
      .strictObject({ metadata, setup_future_usage: z.literal('off_session').optional() })
      .prefault({}),
  }),
  z.strictObject({
    ...common,
    mode: z.literal('setup'),
    currency: usd,
    setup_intent_data: z.strictObject({ metadata }).prefault({}),
  }),
]);

const NewIntent = z.strictObject({
  amount: cents,
  currency: usd,
  customer: z.string(),
  payment_method: z.string(),
  automatic_payment_methods: z.strictObject({
    enabled: z.literal('true'),
    // Without this, Stripe requires a URL to return the customer to.
    allow_redirects: z.literal('never'),
  }),
  confirm: z.literal('true'),
  off_session: z.literal('true'),
  description: z.string().optional(),
  metadata,
});

type Endpoint = (account: StripeAccount, params: unknown, id: string, origin: string) => object;

/** Keyed by method and path, where `:id` stands for an object's id. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'POST /v1/customers': (account, params) => {
    const taken = take(z.strictObject({ email: z.email().optional(), metadata }), params);
    return account.add('cus', 'customer', taken);
  },
  'POST /v1/checkout/sessions': (account, params, _id, origin) => {
    const session = take(NewSession, params);
    if (session.customer !== undefined) account.find(session.customer);
    const isPayment = session.mode === 'payment';
    const made = account.add(isPayment ? 'cs_test' : 'cs_test_setup', 'checkout.session', {
      ...session,
      amount_total: isPayment ? session.line_items[0].price_data.unit_amount : null,
      currency: 'usd',
      expires_at: account.later,
      payment_intent: null,
      payment_status: isPayment ? 'unpaid' : 'no_payment_required',
      setup_intent: null,
      status: 'open',
    });
    made['url'] = `${origin}/c/pay/${made.id}`;
    return made;
  },
  'GET /v1/checkout/sessions/:id': (account, _params, id) => account.find(id),
  'POST /v1/payment_intents': (account, params) => {
    const fields = take(NewIntent, params);
    const method = account.find(fields.payment_method);
    if (method['customer'] !== fields.customer) {
      throw invalid(`The payment method is not one of the customer ${fields.customer}.`);
    }
    const { amount, currency, customer, metadata: about } = fields;
    return account.charge({ amount, currency, customer, metadata: about }, method);
  },
  'GET /v1/payment_intents': (account, params) => {
    const { customer, limit: most } = take(z.strictObject({ customer: z.string(), limit }), params);
    account.find(customer);
    return listed(
      account.list('payment_intent', (one) => one['customer'] === customer),
      most,
    );
  },
  'GET /v1/payment_intents/:id': (account, _params, id) => account.find(id),
  'GET /v1/setup_intents/:id': (account, _params, id) => account.find(id),
  'GET /v1/payment_methods/:id': (account, _params, id) => account.find(id),
  'POST /v1/refunds': (account, params) => {
    const New = z.strictObject({
      payment_intent: z.string(),
      amount: z.coerce.number().pipe(z.int().min(1)),
      metadata,
    });
    const { payment_intent: intent, amount, metadata: about } = take(New, params);
    return account.refund(intent, amount, about);
  },
  'GET /v1/refunds': (account, params) => {
    const Query = z.strictObject({
      payment_intent: z.string().optional(),
      charge: z.string().optional(),
      limit,
    });
    const { limit: most, ...of } = take(Query, params);
    const isOf = (one: StripeObject) => Object.entries(of).every(([name, id]) => one[name] === id);
    return listed(account.list('refund', isOf), most);
  },
  'GET /v1/refunds/:id': (account, _params, id) => account.find(id),
  'GET /v1/disputes/:id': (account, _params, id) => account.find(id),
  'POST /v1/billing_portal/sessions': (account, params, _id, origin) => {
    const { customer } = take(z.strictObject({ customer: z.string(), return_url: url }), params);
    account.find(customer);
    const made = account.add('bps', 'billing_portal.session', { customer });
    made['url'] = `${origin}/p/session/${made.id}`;
    return made;
  },
};

function take<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join('.')}: ${issue?.message} (${issue?.code})`);
}

function invalid(message: string): StripeRefusal {
  return new StripeRefusal(400, 'invalid_request_error', 'parameter_invalid', message);
}

function listed(all: readonly StripeObject[], most: number): object {
  return { object: 'list', data: all.slice(0, most), has_more: all.length > most };
}
