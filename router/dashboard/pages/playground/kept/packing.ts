/** Chats as compressed text: in links, and in the account. */

/**
 * Returns a value as JSON, compressed with raw DEFLATE, in base64url. Null when the JSON has more than
 * `bytesMax` bytes, so that `unpack` with the same bound reads all that this returns.
 */
export async function pack(value: unknown, bytesMax: number): Promise<string | null> {
  const json = new Blob([JSON.stringify(value)]);
  if (json.size > bytesMax) return null;
  const packed = json.stream().pipeThrough(new CompressionStream('deflate-raw'));
  return base64Url(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/**
 * Returns the JSON in packed text. Null when it is damaged, or unpacks to more than `bytesMax` bytes:
 * a hostile text could be tiny and unpack to gigabytes.
 */
export async function unpack(text: string, bytesMax: number): Promise<unknown> {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const reader = stream.getReader();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > bytesMax) return null;
      pieces.push(next.value);
    }
    return JSON.parse(await new Blob(pieces).text());
  } catch {
    return null;
  }
}

/** More arguments of one call could exhaust the stack. */
const BYTES_AT_ONCE = 16_384;

function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE));
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
