/** Chats that people keep in their account. Each belongs to one membership, and only it reads them. */
import { keptChats } from '../../../shared/bounds/kept-chats.ts';
import type { ChatId, MemberId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { ChatRow } from '../../store/schema/chats.ts';
import { audited } from '../audit/record.ts';
import { memberOf } from '../members/current.ts';
import { cutPage, type ListQuery, type Page } from '../pages.ts';
import { lockPerson } from '../people/procedures.ts';

export type Owner = Readonly<{ organization: OrganizationId; person: PersonId }>;
export type OfChat = Owner & Readonly<{ chat: ChatId }>;

/** The version of a chat that is to be kept, encrypted. `bytes`: before that. */
export type Version = Pick<ChatRow, 'sealed_key' | 'title' | 'contents'> &
  Readonly<{
    bytes: number;
    /** ms since the epoch. */
    now: number;
  }>;

/**
 * `no_member`: the person is not a member of the organization. `regional`: the organization is
 * bound to a region, and the store may be elsewhere. `too_many` and `too_large`: one more chat, or
 * so many bytes, exceed the limits of the person.
 */
export type Refusal = 'no_member' | 'regional' | 'too_many' | 'too_large';

export type ListedChat = Omit<ChatRow, 'contents' | 'member'>;

const LISTED = ['id', 'sealed_key', 'title', 'version', 'bytes', 'created', 'changed'] as const;

const createChat = writeProcedure<OfChat & Version, ListedChat | Refusal>(
  'createChat',
  async (db, { chat, now, ...input }) => {
    const place = await lockPlace(db, input);
    if (typeof place === 'string') return place;
    const { count, bytes } = await keptBy(db, input.person, null);
    if (count >= keptChats.chatsMax) return 'too_many';
    if (bytes + input.bytes > keptChats.bytesMax) return 'too_large';
    const { sealed_key, title, contents } = input;
    return await db
      .insertInto('chats')
      .values({
        id: chat,
        member: place.member,
        sealed_key,
        title,
        version: 1n,
        bytes: BigInt(input.bytes),
        created: milliseconds(now),
        changed: milliseconds(now),
        contents,
      })
      .returning(LISTED)
      .executeTakeFirstOrThrow();
  },
);

/**
 * Saves a chat, which happens after each answer: the audit log has only that it began to be kept.
 * `other_version`: the chat no longer has the version that this one replaces.
 */
export const changeChat = writeProcedure<
  OfChat & Version & Readonly<{ version: number }>,
  ListedChat | 'unknown' | 'other_version' | Refusal
>('changeChat', async (db, { chat, now, version, ...input }) => {
  const place = await lockPlace(db, input);
  if (typeof place === 'string') return place;
  const before = await db
    .selectFrom('chats')
    .select('version')
    .where('id', '=', chat)
    .where('member', '=', place.member)
    .executeTakeFirst();
  if (!before) return 'unknown';
  if (before.version !== BigInt(version)) return 'other_version';
  const { bytes } = await keptBy(db, input.person, chat);
  if (bytes + input.bytes > keptChats.bytesMax) return 'too_large';
  const { sealed_key, title, contents } = input;
  const changed = await db
    .updateTable('chats')
    .set({
      sealed_key,
      title,
      version: before.version + 1n,
      bytes: BigInt(input.bytes),
      changed: milliseconds(now),
      contents,
    })
    .where('id', '=', chat)
    .returning(LISTED)
    .executeTakeFirst();
  // Nothing locks the chat: it may have been deleted meanwhile.
  return changed ?? 'unknown';
});

/** `version`: the only one that is deleted; null: any. `other_version`: the chat has another one. */
const deleteChat = writeProcedure<
  OfChat & Readonly<{ version: number | null }>,
  'done' | 'unknown' | 'other_version'
>('deleteChat', async (db, { organization, person, chat, version }) => {
  const member = await memberOf(db, organization, person);
  if (member === null) return 'unknown';
  let deletion = db.deleteFrom('chats').where('id', '=', chat).where('member', '=', member);
  if (version !== null) deletion = deletion.where('version', '=', BigInt(version));
  const { numDeletedRows } = await deletion.executeTakeFirst();
  if (numDeletedRows > 0n) return 'done';
  const other = await db
    .selectFrom('chats')
    .select('id')
    .where('id', '=', chat)
    .where('member', '=', member)
    .executeTakeFirst();
  return other ? 'other_version' : 'unknown';
});

export const createChatAudited = audited(createChat);
export const deleteChatAudited = audited(deleteChat);

/** Lists the person's own chats, newest first. Who is not a member has none. */
export const listChats = readProcedure<ListQuery<ChatId> & Owner, Page<ListedChat, ChatId>>(
  'listChats',
  async (db, { organization, person, after, limit }) => {
    const member = await memberOf(db, organization, person);
    if (member === null) return { rows: [], next: null };
    let query = db.selectFrom('chats').select(LISTED).where('member', '=', member);
    if (after !== null) query = query.where('id', '<', after);
    const rows = await query
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    return cutPage(rows, limit, ({ id }) => id);
  },
);

/** Finds one of the person's own chats. */
export const findChat = readProcedure<OfChat, (ListedChat & Pick<ChatRow, 'contents'>) | null>(
  'findChat',
  async (db, { organization, person, chat }) => {
    const member = await memberOf(db, organization, person);
    if (member === null) return null;
    const row = await db
      .selectFrom('chats')
      .select([...LISTED, 'contents'])
      .where('id', '=', chat)
      .where('member', '=', member)
      .executeTakeFirst();
    return row ?? null;
  },
);

/**
 * Locks the person, whose limits span organizations, and their membership, so that it does not end
 * while a chat is added to it. The order is that of `erasePerson`.
 */
async function lockPlace(
  db: Db,
  { organization, person }: Owner,
): Promise<Readonly<{ member: MemberId }> | 'no_member' | 'regional'> {
  if (!(await lockPerson(db, person))) return 'no_member';
  const member = await db
    .updateTable('members')
    .set((row) => ({ role: row.ref('role') }))
    .where('organization', '=', organization)
    .where('person', '=', person)
    .where('left_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!member) return 'no_member';
  const { region } = await db
    .selectFrom('organizations')
    .select('region')
    .where('id', '=', organization)
    .executeTakeFirstOrThrow();
  return region === 'global' ? { member: member.id } : 'regional';
}

/** What the person keeps in all organizations, except in one chat. */
async function keptBy(
  db: Db,
  person: PersonId,
  except: ChatId | null,
): Promise<Readonly<{ count: number; bytes: number }>> {
  let query = db
    .selectFrom('members')
    .innerJoin('chats', 'chats.member', 'members.id')
    .where('members.person', '=', person)
    .where('members.left_at', 'is', null);
  if (except !== null) query = query.where('chats.id', '!=', except);
  const { count, bytes } = await query
    .select((row) => [
      row.fn.countAll<bigint | string>().as('count'),
      row.fn.sum<bigint | string | null>('chats.bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes ?? 0) };
}
