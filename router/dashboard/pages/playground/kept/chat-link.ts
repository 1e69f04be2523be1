/**
 * A chat in a link. It is in the fragment of the address, which browsers never send to a server.
 */
import type { ChatFile } from './chat-file.ts';
import { pack, unpack } from './packing.ts';

const NAME = 'chat=';
/** Longer addresses are cut by some programs that pass links on. */
const CHARS_MAX = 8_000;
const UNPACKED_BYTES_MAX = 4_000_000;

/** Returns the fragment for a chat; null when the chat is too long for a link. */
export async function fragmentOf(file: ChatFile): Promise<string | null> {
  const packed = await pack(file, UNPACKED_BYTES_MAX);
  const fragment = `#${NAME}${packed}`;
  return packed === null || fragment.length > CHARS_MAX ? null : fragment;
}

export function hasChat(fragment: string): boolean {
  return fragment.replace(/^#/, '').startsWith(NAME);
}

/** Returns the JSON in a fragment; null when it is damaged or too large. */
export function fileIn(fragment: string): Promise<unknown> {
  return unpack(fragment.replace(/^#/, '').slice(NAME.length), UNPACKED_BYTES_MAX);
}
