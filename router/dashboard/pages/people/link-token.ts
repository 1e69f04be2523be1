/**
 * Tokens from the links in emails. A token is in the URL's fragment, which browsers do not send to
 * servers. It is removed from the address bar and the browser's history immediately and then kept
 * in memory only, so a page that is reloaded needs the link again.
 */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

type LinkPath = '/reset' | '/confirm' | '/invitation';

/** Returns the token of the page's link, or null when the page was opened without one. */
export function useLinkToken(path: LinkPath): string | null {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const fresh = /^token=(.+)$/.exec(hash)?.[1] ?? null;
  const [token, setToken] = useState(fresh);
  if (fresh !== null && fresh !== token) setToken(fresh);
  useEffect(() => {
    if (fresh !== null) void navigate({ to: path, replace: true });
  }, [fresh, navigate, path]);
  return token;
}

let pending: string | null = null;

/**
 * Returns the token of the invitation, which is kept after the person leaves the page, so that they
 * can sign in first and come back; null without an invitation.
 */
export function usePendingInvitation(): string | null {
  const token = useLinkToken('/invitation');
  useEffect(() => {
    if (token !== null) pending = token;
  }, [token]);
  return token ?? pending;
}

export function forgetInvitation(): void {
  pending = null;
}
