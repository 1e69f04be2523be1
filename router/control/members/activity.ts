import type { MemberId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { writeProcedure } from '../../store/procedure.ts';

/** Records that a member uses their organization now. A later time of another router stays. */
export const recordActivity = writeProcedure<Readonly<{ member: MemberId; now: number }>, null>(
  'recordActivity',
  async (db, { member, now }) => {
    const at = milliseconds(now);
    await db
      .updateTable('members')
      .set({ last_active: at })
      .where('id', '=', member)
      .where('left_at', 'is', null)
      .where('last_active', '<', at)
      .execute();
    return null;
  },
);
