/** What a deleted organization has with payment providers: nothing is charged for it any more. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import { stopRecharge } from '../recharge/procedures.ts';

/** For procedures: stops its auto-recharge, and forgets whom it would be charged to. */
export async function endPayments(db: Db, organization: OrganizationId): Promise<void> {
  await stopRecharge(db, organization);
  await db
    .updateTable('payment_customers')
    .set({ method: null, method_label: null })
    .where('organization', '=', organization)
    .execute();
}
