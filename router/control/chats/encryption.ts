/**
 * Encrypts chats for the store. Each version has a key of its own, which is sealed under a pepper:
 * a new pepper needs only the keys to be sealed again, not the chats.
 */
import type { ChatId } from '../../../shared/ids.ts';
import type { Peppers } from '../../../shared/peppers.ts';
import type { ChatRow } from '../../store/schema/chats.ts';
import { decrypt, encrypt, type Place, seal, type SealParts, unseal } from '../access/sealing.ts';

const KEY_BYTES = 32;

type Encrypted = Pick<ChatRow, 'sealed_key' | 'title' | 'contents'>;

/** `contents`: the compressed JSON. */
export function encryptChat(
  parts: SealParts,
  id: ChatId,
  { title, contents }: Readonly<{ title: string; contents: Uint8Array }>,
): Encrypted {
  const { random } = parts;
  const key = random.bytes(KEY_BYTES);
  return {
    sealed_key: seal(parts, placeOf(id), key),
    title: encrypt({ random, key, place: titleOf(id) }, Buffer.from(title)),
    contents: encrypt({ random, key, place: id }, contents),
  };
}

/** Throws when the chat was encrypted under a pepper that is not known here, or is damaged. */
export function decryptTitle(
  peppers: Peppers,
  { id, sealed_key, title }: Pick<ChatRow, 'id' | 'sealed_key' | 'title'>,
): string {
  const key = unseal(peppers, placeOf(id), sealed_key);
  return decrypt({ key, place: titleOf(id) }, title).toString('utf8');
}

/** Returns the compressed JSON. Throws as `decryptTitle` does. */
export function decryptContents(
  peppers: Peppers,
  { id, sealed_key, contents }: Pick<ChatRow, 'id' | 'sealed_key' | 'contents'>,
): Buffer {
  return decrypt({ key: unseal(peppers, placeOf(id), sealed_key), place: id }, contents);
}

function placeOf(id: ChatId): Place {
  return { purpose: 'chat', id };
}

function titleOf(id: ChatId): string {
  return `${id}/title`;
}
