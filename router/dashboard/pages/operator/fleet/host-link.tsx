import { Link } from '@tanstack/react-router';
import { PAGES } from '../../../pages.ts';

type HostLinkProps = Readonly<{ agent: string; name: string | null }>;

/** The name of a host within a sentence, which leads to its page. */
export function HostLink({ agent, name }: HostLinkProps) {
  return (
    <Link to={PAGES.host.path} params={{ agent }} className="underline underline-offset-2">
      {name ?? agent}
    </Link>
  );
}
