/**
 * Which egress proxy a link to a router uses, if any. A link over ws:// never leaves the machine, so
 * it uses none. Calls to engines use none either.
 */
import { getProxyForUrl } from 'proxy-from-env';

/** The value of the setting `proxy` with which every router is dialled directly. */
export const NO_PROXY = 'none';

/** Returns why a text is not the URL of a proxy, or null if it is. Never quotes the text. */
export function proxyUrlFault(text: string): string | null {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isHttp || url.pathname !== '/' || url.search || url.hash) {
    return 'must be a URL such as http://proxy.example:3128';
  }
  return isDecodable(url.username + url.password) ? null : 'has credentials that are not encoded';
}

/**
 * Returns the proxy for a router's URL: that of the setting, or by default that of the environment
 * (HTTPS_PROXY, ALL_PROXY, NO_PROXY). Returns null when the router is dialled directly. Throws an
 * Error, which does not quote the value, when the environment's proxy cannot be used.
 */
export function proxyFor(router: string, setting: string | undefined): URL | null {
  if (!router.startsWith('wss:') || setting === NO_PROXY) return null;
  const text = setting ?? getProxyForUrl(router.replace(/^wss/, 'https'));
  if (text === '') return null;
  const fault = proxyUrlFault(text);
  if (fault === null) return new URL(text);
  throw new Error(
    `the proxy in the environment (HTTPS_PROXY or ALL_PROXY) ${fault}; the setting proxy replaces it`,
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
