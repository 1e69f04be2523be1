/**
 * The message of an error without what may be secret or personal: URLs, addresses, quoted values, long
 * numbers, and whatever looks like a token or follows a word such as "password". It is bounded.
 */

export const ERROR_TEXT_CHARS_MAX = 200;
/** A message is cut to this length before it is searched. */
const READ_CHARS_MAX = 2_000;

/** Quoted values. A single quote after a letter is an apostrophe. */
const QUOTED = [/(")([^"]*)(?:"|$)/g, /(`)([^`]*)(?:`|$)/g, /(?<![a-z])(')([^']*)(?:'|$)/gi];
/** The quoted name of a table, a column or a constraint, which stays. */
const NAME = /^[a-z]+[_.][a-z_.]+$/;

const REMOVED: readonly (readonly [RegExp, string])[] = [
  [/[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi, '[URL]'],
  [/[^\s@]+@[^\s@]+/g, '[address]'],
  // The scheme of a header, such as "Bearer", is followed by the secret.
  [/\b(authorization)\b\s*[:=]?\s*(?:[a-z]+\s+)?\S+/gi, '$1 [removed]'],
  [
    /\b(password|passwd|secret|token|bearer|basic|credentials?|api[ _-]?key)\b(?:\s*[:=]\s*|\s+(?:is\s+|was\s+)?)\S+/gi,
    '$1 [removed]',
  ],
  [/\b(?:sk|pk|rk|whsec|pst)[_-]\S+/gi, '[removed]'],
  [/\d{9,}/g, '[number]'],
];

/** An id of Penstock, which operators may see. */
const OWN_ID = /^[a-z]{2,4}_[0-9a-z]{20,26}[.,:;)]?$/;
const TOKEN_CHARS_MIN = 16;
/** A word of letters alone, or the name of a class. */
const WORD = /^[a-z]*(?:[A-Z][a-z]+)*[.,:;)]?$/;

/** Returns the first line of a message, or '' if nothing in it says anything. */
export function publicErrorText(message: string): string {
  const [line = ''] = message
    .slice(0, READ_CHARS_MAX)
    .trim()
    .split(/[\r\n]/);
  // oxlint-disable-next-line no-control-regex
  let text = line.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  for (const quoted of QUOTED) text = text.replaceAll(quoted, withoutValue);
  for (const [found, instead] of REMOVED) text = text.replaceAll(found, instead);
  text = text
    .split(/\s+/)
    .map((word) => (isToken(word) ? '[removed]' : word))
    .join(' ');
  if (!/\p{L}/u.test(text)) return '';
  return text.length > ERROR_TEXT_CHARS_MAX ? `${text.slice(0, ERROR_TEXT_CHARS_MAX)}…` : text;
}

function withoutValue(whole: string, quote: string, value: string): string {
  return NAME.test(value) ? whole : `${quote}…${quote}`;
}

/** Whether a long word has letters mixed with digits, or capitals within it, as tokens and hashes have. */
function isToken(word: string): boolean {
  if (word.length < TOKEN_CHARS_MIN || OWN_ID.test(word)) return false;
  const letters = /[a-z]/i.test(word);
  return (
    letters &&
    (/\d/.test(word) ||
      (/^[\w+/=.-]+$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && !WORD.test(word)))
  );
}
