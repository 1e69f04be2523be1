/** A completion has the id of its request, with the prefix of the API. */
const COMPLETION_PREFIX = /^(?:chatcmpl-|cmpl-|resp_|msg_)/;

/** Returns the id of the request that a pasted text names; null when it names none. */
export function requestIdIn(text: string): string | null {
  const id = text
    .trim()
    .replaceAll(/^["']|["']$/g, '')
    .replace(COMPLETION_PREFIX, 'req_');
  return /^req_[0-9a-z]{26}$/.test(id) ? id : null;
}
