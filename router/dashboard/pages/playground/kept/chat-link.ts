/**
 * A chat in a link. It is in the fragment of the address, which browsers never send to a server.
 */
import type { ChatFile } from './chat-file.ts';

const NAME = 'chat=';
/** Longer addresses are cut by some programs that pass links on. */
const CHARS_MAX = 8_000;
/** A hostile link could be tiny and unpack to gigabytes. */
const UNPACKED_BYTES_MAX = 4_000_000;

/** Returns the fragment for a chat; null when the chat is too long for a link. */
export async function fragmentOf(file: ChatFile): Promise<string | null> {
  const text = JSON.stringify(file);
  if (text.length > UNPACKED_BYTES_MAX) return null;
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  if (bytes.length > CHARS_MAX) return null;
  const fragment = `#${NAME}${base64Url(bytes)}`;
  return fragment.length > CHARS_MAX ? null : fragment;
}

export function hasChat(fragment: string): boolean {
  return fragment.replace(/^#/, '').startsWith(NAME);
}

/** Returns the JSON in a fragment; null when it is damaged or too large. */
export async function fileIn(fragment: string): Promise<unknown> {
  try {
    const packed = fragment.replace(/^#/, '').slice(NAME.length);
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const reader = stream.getReader();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > UNPACKED_BYTES_MAX) return null;
      pieces.push(next.value);
    }
    return JSON.parse(await new Blob(pieces).text());
  } catch {
    return null;
  }
}

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
