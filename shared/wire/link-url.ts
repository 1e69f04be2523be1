/** Which addresses a link may have. Prompts never cross a network unencrypted. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Returns why no agent would dial this address, or null if it may. */
export function linkUrlFault(text: string): string | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) {
    return 'must be a URL such as wss://router.example:443/agent';
  }
  if (url.username || url.password)
    return 'must not contain credentials: the agent has its own key';
  if (url.protocol === 'ws:' && !isLoopback(url.hostname)) {
    return 'must begin with wss:// unless the router is on this machine';
  }
  return null;
}
