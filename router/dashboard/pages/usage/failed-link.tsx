import { Link } from '@tanstack/react-router';
import { PAGES } from '../../pages.ts';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';

/**
 * Leads to the admitted requests that failed or were canceled, which the logs list together. Only
 * text with a filter of statuses, beside which the logs would list others. `logs`: what the logs show
 * of the same requests.
 */
export function FailedLink({ logs, children }: Readonly<{ logs: LogsSearch; children: string }>) {
  const organization = useOrganization();
  if (logs.status !== undefined) return children;
  return (
    <Link
      to={PAGES.logs.path}
      params={{ organization }}
      search={{ ...logs, status: 'failed' }}
      className="underline underline-offset-2 hover:text-ink"
    >
      {children}
    </Link>
  );
}
