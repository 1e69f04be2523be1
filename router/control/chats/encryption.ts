/**
 * Encrypts chats for the store. Each version has a key of its own, which is sealed under a pepper:
 * a new pepper needs only the keys to be sealed again, not the chats.
 */
import type { ChatId } from '../../../shared/ids.ts';
import type { Peppers } from '../../../shared/peppers.ts';
import type { ChatRow } from '../../store/schema/chats.ts';
import { decrypt, encrypt, type Place, seal, type SealParts, unseal } from '../access/sealing.ts';
import type { OfChat, Owner } from './procedures.ts';

const KEY_BYTES = 32;

type Part = 'title' | 'contents';
type Encrypted = Pick<ChatRow, 'sealed_key' | 'title' | 'contents'>;

/** `contents`: the compressed JSON. */
export function encryptChat(
  parts: SealParts,
  { chat, ...owner }: OfChat,
  { title, contents }: Readonly<{ title: string; contents: Uint8Array }>,
): Encrypted {
  const { random } = parts;
  const key = random.bytes(KEY_BYTES);
  const at = (part: Part) => placeOf(part, owner, chat);
  return {
    sealed_key: seal(parts, keyPlaceOf(chat), key),
    title: encrypt({ random, key, place: at('title') }, Buffer.from(title)),
    contents: encrypt({ random, key, place: at('contents') }, contents),
  };
}

/**
 * Throws when the chat was encrypted for another owner or under a pepper that is not known here, or
 * is damaged.
 */
export function decryptTitle(
  peppers: Peppers,
  owner: Owner,
  { id, sealed_key, title }: Pick<ChatRow, 'id' | 'sealed_key' | 'title'>,
): string {
  const key = unseal(peppers, keyPlaceOf(id), sealed_key);
  return decrypt({ key, place: placeOf('title', owner, id) }, title).toString('utf8');
}

/** Returns the compressed JSON. Throws as `decryptTitle` does. */
export function decryptContents(
  peppers: Peppers,
  owner: Owner,
  { id, sealed_key, contents }: Pick<ChatRow, 'id' | 'sealed_key' | 'contents'>,
): Buffer {
  const key = unseal(peppers, keyPlaceOf(id), sealed_key);
  return decrypt({ key, place: placeOf('contents', owner, id) }, contents);
}

/** Without the owner, because a new pepper seals the keys again by the id of their row. */
function keyPlaceOf(id: ChatId): Place {
  return { purpose: 'chat', id };
}

/** Whoever gives the row another owner in the store cannot make the service decrypt it. */
function placeOf(part: Part, { organization, person }: Owner, id: ChatId): string {
  return [organization, person, id, part].join('/');
}
