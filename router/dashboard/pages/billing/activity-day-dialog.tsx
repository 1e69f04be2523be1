/** A dialog with the transfers of one day: payments and credit first, then the charges of requests. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LedgerDay } from '../../../../shared/api/credit.ts';
import { decimalsOf } from '../../../../shared/money.ts';
import { transfersOfDayQuery } from '../../api/billing.ts';
import { shownCount } from '../../format/count.ts';
import { utcDate } from '../../format/utc.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import { chainDecimals, TransferTable } from './transfer-table.tsx';

type ActivityDayProps = Readonly<{ day: LedgerDay; onClose: () => void }>;

export function ActivityDayDialog({ day, onClose }: ActivityDayProps) {
  const others = day.transfers - day.charges;
  const [other, usage] = [useEntries(day, 'other', others), useEntries(day, 'usage', day.charges)];
  // The balances go from one table to the other, in the order of the times.
  const decimals = Math.max(
    decimalsOf([day.opening, day.closing]),
    chainDecimals([...(other.data ?? []), ...(usage.data ?? [])]),
  );
  return (
    <Dialog
      onClose={onClose}
      title={utcDate(day.day)}
      description="Days are in UTC."
      width="widest"
    >
      <Facts>
        <Fact name="Opening balance">
          <Money exact amount={day.opening} decimals={decimals} />
        </Fact>
        <Fact name="Closing balance">
          <Money exact amount={day.closing} decimals={decimals} />
        </Fact>
      </Facts>
      {others > 0 && (
        <Entries
          {...{ day, decimals }}
          cause="other"
          name="Payments and credit"
          count={others}
          list={other}
        />
      )}
      {day.charges > 0 && (
        <Entries
          {...{ day, decimals }}
          cause="usage"
          name="Usage"
          count={day.charges}
          list={usage}
        />
      )}
    </Dialog>
  );
}

type Cause = 'usage' | 'other';

/** `count`: how many there are. Without any, nothing is asked for. */
function useEntries({ day }: LedgerDay, cause: Cause, count: number) {
  const query = transfersOfDayQuery(useOrganization(), day, cause);
  return useInfiniteQuery({ ...query, enabled: count > 0 });
}

type EntriesProps = Readonly<{
  day: LedgerDay;
  cause: Cause;
  name: string;
  count: number;
  list: ReturnType<typeof useEntries>;
  decimals: number;
}>;

function Entries({ day, cause, name, count, list, decimals }: EntriesProps) {
  const organization = useOrganization();
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">
          {name} <span className="font-normal text-muted">({shownCount(count)})</span>
        </h3>
        {cause === 'usage' && (
          <Button asChild size="small">
            <Link
              to={PAGES.usage.path}
              params={{ organization }}
              search={{ from: day.day, to: day.day }}
            >
              Usage of this day
            </Link>
          </Button>
        )}
      </div>
      {cause === 'usage' && (
        <p className="text-xs text-muted">
          A request is listed here on the day when it was charged, and on the usage page on the day
          when it arrived.
        </p>
      )}
      <LoadedList list={list}>
        {(transfers) => (
          <TransferTable
            label={`${name} of ${utcDate(day.day)}`}
            {...{ transfers, decimals }}
            withoutActors
          />
        )}
      </LoadedList>
    </section>
  );
}
