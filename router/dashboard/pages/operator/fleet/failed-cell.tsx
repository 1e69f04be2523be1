/** The share of the attempts of the last hour that failed on a worker or a host. */
import { shownCount, shownSmallShare } from '../../../format/count.ts';
import { cx } from '../../../parts/class-names.ts';
import { type Column, numeric, Td } from '../../../parts/list/table.tsx';
import { type Attempts, failedShare, isFailing } from './failed-attempts.ts';

export const FAILED_COLUMN: Column = numeric('Failed, 1 h');

/** `attempts`: undefined if there were none, or if they are not known. */
export function FailedCell({ attempts }: { attempts: Attempts | undefined }) {
  if (attempts === undefined) return <Td right>–</Td>;
  const { failed, all } = attempts;
  return (
    <Td right className="whitespace-nowrap">
      <span className={cx(isFailing(attempts) && 'font-medium text-bad')}>
        {shownSmallShare(failedShare(attempts))}
      </span>
      {failed > 0 && (
        <span className="block text-xs text-muted">
          {shownCount(failed)} of {shownCount(all)}
        </span>
      )}
    </Td>
  );
}
