/** How the refusal of a request names the limit that it reached, and how the dashboard reads it. */

export type NamedLimit = Readonly<{
  of: 'key' | 'organization';
  /** Such as `1 request per minute`. */
  words: string;
}>;

const OWNERS = { key: 'API key', organization: 'organization' } as const;
const MEASURES = {
  requests: { one: 'request', unit: 'per minute' },
  tokens: { one: 'token', unit: 'per minute' },
  concurrency: { one: 'request', unit: 'at once' },
} as const;

const WHOLE = new Intl.NumberFormat('en-US');
const NAMED = /^This (API key|organization) is limited to ([^:]+):/;

/** The beginning of the message, which a colon and what to do follow. */
export function limitInWords(
  of: NamedLimit['of'],
  measure: keyof typeof MEASURES,
  most: number,
): string {
  const { one, unit } = MEASURES[measure];
  return `This ${OWNERS[of]} is limited to ${WHOLE.format(most)} ${one}${most === 1 ? '' : 's'} ${unit}`;
}

/** The limit that a message names; null when it names none. */
export function namedLimitIn(message: string): NamedLimit | null {
  const [, owner, words] = NAMED.exec(message) ?? [];
  if (owner === undefined || words === undefined) return null;
  return { of: owner === OWNERS.key ? 'key' : 'organization', words };
}
