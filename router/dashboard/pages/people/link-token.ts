/**
 * Tokens of letters' links. They come behind `#`, which no server sees, are taken out of the address bar and of
 * the browser's history at once, and are then in memory alone: a page that is loaded anew needs the link again.
 */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

type LinkPath = '/reset' | '/confirm' | '/invitation';

/** Null: the page was opened without one. */
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

/** An invitation outlasts its page: whoever has to sign in first comes back to it. */
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
