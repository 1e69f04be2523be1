import { Logs } from 'lucide-react';
import { Button } from '../../parts/form/button.tsx';
import { Empty } from '../../parts/states.tsx';
import { FirstRequestHelp, FirstRequestText, useLack } from '../usage/first-request-help.tsx';

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
  const lack = useLack();
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
    <Empty
      icon={<Logs />}
      title="No requests in this period"
      // To confirm the email helps more than to look further back.
      action={
        (lack !== undefined && lack !== 'confirmation' && longer) || (
          <FirstRequestHelp lack={lack} />
        )
      }
    >
      <FirstRequestText lack={lack}>
        Requests appear here as soon as they have ended, and refused ones after a second.
      </FirstRequestText>
    </Empty>
  );
}
