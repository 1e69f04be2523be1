/** What a deleted organization has with payment providers: nothing is charged for it any more. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

/** For procedures: the place where auto-recharge is stopped and a kept payment method forgotten. */
export async function endPayments(_db: Db, _organization: OrganizationId): Promise<void> {}
