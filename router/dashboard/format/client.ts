/** Names of browsers and systems, read from a User-Agent header. */

/** The order matters: most browsers also name the browsers that they descend from. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const CHARS_MAX = 60;

/**
 * Returns a name such as `"Firefox on Linux"`. An unknown user agent is returned as it is, cut
 * after 60 characters.
 */
export function clientName(userAgent: string): string {
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`;
  if (userAgent === '') return 'Unknown client';
  return userAgent.length > CHARS_MAX ? `${userAgent.slice(0, CHARS_MAX)}…` : userAgent;
}

function firstOf(
  names: readonly (readonly [pattern: RegExp, name: string])[],
  text: string,
): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
