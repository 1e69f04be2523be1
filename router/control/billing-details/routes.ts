/** Routes for the buyer's details on receipts and invoices. */
import { BillingDetails, BillingDetailsChange } from '../../../shared/api/billing-details.ts';
import { type Api, found, noSuch } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { auditDetails, readBillingDetails, setBillingDetailsAudited } from './procedures.ts';

export function billingDetailsRoutes(api: Api, { store }: Pick<ControlParts, 'store'>): void {
  api.get(
    '/organizations/:organization/billing-details',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get the billing details; receipts and invoices have them',
        tags: ['payments'],
        params: OrganizationPath,
        response: { 200: BillingDetails },
      },
    },
    async ({ params: { organization } }) =>
      found(await store.call(readBillingDetails, organization), 'organization'),
  );

  api.put(
    '/organizations/:organization/billing-details',
    {
      config: { access: { organization: 'billing' }, action: 'billing-details.set' },
      schema: {
        summary: "Set the buyer's name, address and tax ID",
        description:
          'They are on the receipts and invoices that are issued from now on. Those that were ' +
          'issued before stay as they are.',
        tags: ['payments'],
        params: OrganizationPath,
        body: BillingDetailsChange,
        response: { 200: BillingDetails },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const details = request.body;
      const answer = await store.call(setBillingDetailsAudited, {
        input: { organization, details },
        entry: request.auditEntry({ target: organization, details: auditDetails(details) }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      return answer;
    },
  );
}
