/** Ends the payment arrangements of a deleted organization, so that it is never charged again. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import { stopRecharge } from '../recharge/procedures.ts';

/** For procedures: stops the organization's auto-recharge and forgets its saved payment method. */
export async function endPayments(db: Db, organization: OrganizationId): Promise<void> {
  await stopRecharge(db, organization);
  await db
    .updateTable('payment_customers')
    .set({ method: null, method_label: null })
    .where('organization', '=', organization)
    .execute();
}
