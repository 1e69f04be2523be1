/** A dialog with the transfers of one day: payments and credit first, then the charges of requests. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LedgerDay } from '../../../../shared/api/credit.ts';
import { transfersOfDayQuery } from '../../api/billing.ts';
import { shownCount } from '../../format/count.ts';
import { utcDate } from '../../format/utc.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { useOrganization } from '../../session.tsx';
import { DayBalance } from './day-balance.tsx';
import { TransferTable } from './transfer-table.tsx';

type ActivityDayProps = Readonly<{ day: LedgerDay; decimals: number; onClose: () => void }>;

export function ActivityDayDialog({ day, decimals, onClose }: ActivityDayProps) {
  const others = day.transfers - day.charges;
  return (
    <Dialog
      onClose={onClose}
      title={utcDate(day.day)}
      description="Days are in UTC."
      width="widest"
    >
      <Facts>
        <Fact name="Opening balance">
          <DayBalance amount={day.opening} decimals={decimals} />
        </Fact>
        <Fact name="Closing balance">
          <DayBalance amount={day.closing} decimals={decimals} />
        </Fact>
      </Facts>
      {others > 0 && <Entries day={day} cause="other" name="Payments and credit" count={others} />}
      {day.charges > 0 && <Entries day={day} cause="usage" name="Usage" count={day.charges} />}
    </Dialog>
  );
}

type EntriesProps = Readonly<{
  day: LedgerDay;
  cause: 'usage' | 'other';
  name: string;
  count: number;
}>;

function Entries({ day, cause, name, count }: EntriesProps) {
  const organization = useOrganization();
  const query = useInfiniteQuery(transfersOfDayQuery(organization, day.day, cause));
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
      <LoadedList list={query}>
        {(transfers) => (
          <TransferTable
            label={`${name} of ${utcDate(day.day)}`}
            transfers={transfers}
            withoutActors
          />
        )}
      </LoadedList>
    </section>
  );
}
