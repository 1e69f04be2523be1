/** A request's id, or that of its response, which has the prefix of the API instead. */
const ID = /(?:\breq_|\bchatcmpl-|\bcmpl-|\bresp_|\bmsg_)([0-9a-hjkmnp-tv-z]{26})\b/;

/**
 * Returns the id of the request that a pasted text names, also from within a line of a log; null when
 * it names none.
 */
export function requestIdIn(text: string): string | null {
  const unique = ID.exec(text)?.[1];
  return unique === undefined ? null : `req_${unique}`;
}
