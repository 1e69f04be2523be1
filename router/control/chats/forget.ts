/** Deletes chats whose owner has left, or whose organization is deleted. */
import type { MemberId, OrganizationId } from '../../../shared/ids.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';

/** A chat may have a megabyte, so a slice has few of them: other writes wait meanwhile. */
const CHATS_AT_ONCE = 20;

/** For procedures: deletes the chats of a member who has left. There are at most 200. */
export async function deleteChatsOf(db: Db, member: MemberId): Promise<void> {
  await db.deleteFrom('chats').where('member', '=', member).execute();
}

/** For procedures: deletes some chats of a deleted organization. */
export async function deleteChatsIn(
  db: Db,
  organization: OrganizationId,
): Promise<Readonly<{ more: boolean }>> {
  return deleteSome(db, chatsOfMembers(db).where('members.organization', '=', organization));
}

/**
 * Deletes some chats of members who have left. A router of an earlier version does not delete them
 * when it removes a member.
 */
export const deleteChatsOfFormerMembers = writeProcedure<null, Readonly<{ more: boolean }>>(
  'deleteChatsOfFormerMembers',
  (db) => deleteSome(db, chatsOfMembers(db).where('members.left_at', 'is not', null)),
);

function chatsOfMembers(db: Db) {
  return db
    .selectFrom('members')
    .innerJoin('chats', 'chats.member', 'members.id')
    .select('chats.id')
    .limit(CHATS_AT_ONCE);
}

async function deleteSome(
  db: Db,
  some: ReturnType<typeof chatsOfMembers>,
): Promise<Readonly<{ more: boolean }>> {
  const ids = (await some.execute()).map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('chats').where('id', 'in', ids).execute();
  return { more: ids.length === CHATS_AT_ONCE };
}
