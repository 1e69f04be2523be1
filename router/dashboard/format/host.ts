/** Returns the host of a URL, with its port if that is not the usual one. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
