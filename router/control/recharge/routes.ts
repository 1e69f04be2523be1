/** Routes for auto-recharge and its saved payment method. */
import {
  CheckoutStarted,
  Portal,
  Recharge,
  RechargeSettings,
} from '../../../shared/api/payments.ts';
import { formatUsd } from '../../../shared/money.ts';
import { type Api, Refused, usdOrNull } from '../api.ts';
import { Idempotent } from '../idempotency/header.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { startCheckout, providerOf } from '../payments/checkout.ts';
import { readCustomer } from '../payments/procedures.ts';
import { keyDigest, type PaymentParts } from '../payments/routes.ts';
import { removeMethodAudited, setRechargeAudited } from './procedures.ts';
import { answerRecharge } from './state.ts';

export function rechargeRoutes(api: Api, parts: PaymentParts): void {
  settingsRoutes(api, parts);
  methodRoutes(api, parts);
}

function settingsRoutes(api: Api, parts: PaymentParts): void {
  const { store, provider } = parts;
  const name = provider?.name ?? null;
  api.get(
    '/organizations/:organization/recharge',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get the settings and the state of auto-recharge',
        tags: ['payments'],
        params: OrganizationPath,
        response: { 200: Recharge },
      },
    },
    ({ params: { organization } }) => answerRecharge(parts, organization),
  );

  api.put(
    '/organizations/:organization/recharge',
    {
      config: { access: { organization: 'billing' }, action: 'recharge.set' },
      schema: {
        summary: 'Set auto-recharge; a paused one resumes',
        tags: ['payments'],
        params: OrganizationPath,
        body: RechargeSettings,
        response: { 200: Recharge },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const { enabled, threshold, amount, monthly_cap: monthlyCap } = request.body;
      const details = {
        enabled,
        threshold: formatUsd(threshold),
        amount: formatUsd(amount),
        monthly_cap: usdOrNull(monthlyCap),
      };
      const input = { organization, provider: name, enabled, threshold, amount, monthlyCap };
      const entry = request.auditEntry({ target: organization, details });
      if ((await store.call(setRechargeAudited, { input, entry })) === 'no_method') {
        throw new Refused('conflict', 'Save a payment method first: POST …/payment-method.');
      }
      return await answerRecharge(parts, organization);
    },
  );
}

function methodRoutes(api: Api, parts: PaymentParts): void {
  const { store, urls } = parts;

  api.post(
    '/organizations/:organization/payment-method',
    {
      config: { access: { organization: 'billing' }, action: 'payment-method.begin', money: true },
      schema: {
        summary:
          'Start to save a payment method; a person enters it at the `checkout_url` of the ' +
          'response',
        tags: ['payments'],
        params: OrganizationPath,
        headers: Idempotent,
        response: { 201: CheckoutStarted },
      },
    },
    async (request, reply) => {
      const wanted = { purpose: 'setup', amount: null, keepMethod: true } as const;
      const idempotencyKey = keyDigest(parts, request);
      const started = await startCheckout(parts, request, { ...wanted, idempotencyKey });
      return reply.code(201).send(started);
    },
  );

  api.delete(
    '/organizations/:organization/payment-method',
    {
      config: { access: { organization: 'billing' }, action: 'payment-method.remove' },
      schema: {
        summary: 'Remove the saved payment method; this turns auto-recharge off',
        tags: ['payments'],
        params: OrganizationPath,
        response: { 200: Recharge },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const provider = providerOf(parts).name;
      const entry = request.auditEntry({ target: organization });
      const input = { organization, provider };
      if ((await store.call(removeMethodAudited, { input, entry })) === 'unknown') {
        throw new Refused('not_found', 'There is no saved payment method.');
      }
      return await answerRecharge(parts, organization);
    },
  );

  api.post(
    '/organizations/:organization/payment-method/portal',
    {
      config: { access: { organization: 'billing' }, action: 'payment-method.manage' },
      schema: {
        summary: "Create a link to the provider's page for payment methods and invoices",
        tags: ['payments'],
        params: OrganizationPath,
        response: { 201: Portal },
      },
    },
    async ({ params: { organization } }, reply) => {
      const provider = providerOf(parts);
      const known = await store.call(readCustomer, { organization, provider: provider.name });
      const returnUrl = `${urls.dashboard}/${organization}/billing`;
      const url = known && (await portalOf(parts, known.customer, returnUrl));
      if (url === null) throw new Refused('conflict', 'The provider has no page for this.');
      return reply.code(201).send({ url });
    },
  );
}

async function portalOf(
  { log, ...parts }: PaymentParts,
  customer: string,
  returnUrl: string,
): Promise<string | null> {
  try {
    return await providerOf(parts).portal({ customer, returnUrl });
  } catch (error) {
    if (error instanceof Refused) throw error;
    log.error({ err: error }, "failed to open the provider's page for payment methods");
    throw new Refused('provider_failed');
  }
}
