import { Link } from '@tanstack/react-router';
import { Logs } from 'lucide-react';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { useIsSuspended } from '../../suspension.ts';

type NoRequestsProps = Readonly<{
  /** Older requests in the shown time have not been looked at. */
  hasMore: boolean;
  isNarrowed: boolean;
  /** Undefined when the longest range is shown. */
  onLonger: (() => void) | undefined;
  onClear: () => void;
}>;

/** Says why the list has no rows, and what helps. */
export function NoRequests({ hasMore, isNarrowed, onLonger, onClear }: NoRequestsProps) {
  if (hasMore) {
    return (
      <p className="border-t px-5 py-4 text-sm text-muted">
        None of the latest requests match these filters. Older requests may match.
      </p>
    );
  }
  const longer = onLonger && <Button onClick={onLonger}>Show the last 30 days</Button>;
  if (isNarrowed) {
    return (
      <Empty
        icon={<Logs />}
        title="No requests match these filters"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={onClear}>Clear filters</Button>
            {longer}
          </div>
        }
      >
        Remove a filter or choose a longer period.
      </Empty>
    );
  }
  return (
    <Empty icon={<Logs />} title="No requests in this period" action={longer ?? <ToKeys />}>
      Requests appear here as soon as they have ended, and refused ones after a second.
    </Empty>
  );
}

function ToKeys() {
  const organization = useOrganization();
  const isSuspended = useIsSuspended();
  const mayCreate = useMay('keys') && !isSuspended;
  return (
    <Button asChild>
      <Link to={PAGES.keys.path} params={{ organization }}>
        {mayCreate ? 'Create an API key' : 'See API keys'}
      </Link>
    </Button>
  );
}
