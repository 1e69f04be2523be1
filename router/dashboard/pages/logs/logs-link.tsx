import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PAGES } from '../../pages.ts';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';

type LogsLinkProps = Readonly<{
  /** What the logs show, of which the link leads to those with `status`. */
  logs: LogsSearch;
  status: 'failed' | 'canceled' | 'refused';
  className: string;
  children: ReactNode;
}>;

/** Leads from a count to its requests in the logs. */
export function LogsLink({ logs, status, className, children }: LogsLinkProps) {
  const organization = useOrganization();
  return (
    <Link
      to={PAGES.logs.path}
      params={{ organization }}
      search={{ ...logs, status }}
      className={className}
    >
      {children}
    </Link>
  );
}
