import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

type BackLinkProps = Readonly<{ to: '/operator/organizations'; children: string }>;

/** Leads from a page to the list that it belongs to. It stands above the title. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <Link
      to={to}
      className="-ml-0.5 inline-flex w-fit items-center gap-1 text-sm text-muted hover:text-ink"
    >
      <ArrowLeft className="size-3.5" aria-hidden />
      {children}
    </Link>
  );
}
