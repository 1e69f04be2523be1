/**
 * The days with changes, each with the balance before and after it. A day opens to its transfers, and
 * its usage to the page of usage.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { LedgerDay } from '../../../../shared/api/credit.ts';
import { decimalsOf } from '../../../../shared/money.ts';
import { ledgerQuery } from '../../api/billing.ts';
import { picoOf } from '../../format/usd.ts';
import { utcDate } from '../../format/utc.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { Dash, Money } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { numeric, Table, Td } from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';
import { ActivityDayDialog } from './activity-day-dialog.tsx';

/** What changes a balance. One that changed no day has no column. */
const CAUSES = {
  payments: 'Payments',
  credits: 'Credits',
  refunds: 'Refunds',
  usage: 'Usage',
} as const;
type Cause = keyof typeof CAUSES;
const CAUSE_KEYS = Object.keys(CAUSES) as readonly Cause[];

export function ActivityDays() {
  const query = useInfiniteQuery(ledgerQuery(useOrganization()));
  const [opened, setOpened] = useState<string | null>(null);
  const days = query.data ?? [];
  const day = days.find((one) => one.day === opened);
  const decimals = decimalsOf(days.flatMap(amountsOf));
  const causes = CAUSE_KEYS.filter((cause) => days.some((one) => picoOf(one[cause]) !== 0n));
  const open = (of: string) => {
    setOpened(of);
    // Requests may have changed the day since the list was read.
    void query.refetch();
  };
  return (
    <>
      <LoadedList
        list={query}
        empty={
          <Empty icon={<CalendarDays />} title="No changes yet">
            Days appear here when the balance changes.
          </Empty>
        }
      >
        {() => (
          <Table
            label="Activity by day"
            columns={[
              'Day',
              numeric('Opening'),
              ...causes.map((cause) => numeric(CAUSES[cause])),
              numeric('Closing'),
              { name: 'Entries', hidden: true },
            ]}
          >
            {days.map((one) => (
              <Row
                key={one.day}
                day={one}
                causes={causes}
                decimals={decimals}
                onOpen={() => open(one.day)}
              />
            ))}
          </Table>
        )}
      </LoadedList>
      {day && <ActivityDayDialog day={day} onClose={() => setOpened(null)} />}
    </>
  );
}

function amountsOf({ opening, payments, credits, refunds, usage, closing }: LedgerDay) {
  return [opening, payments, credits, refunds, usage, closing];
}

type RowProps = Readonly<{
  day: LedgerDay;
  causes: readonly Cause[];
  /** With which each figure of every row is exact, so that they add up. */
  decimals: number;
  onOpen: () => void;
}>;

function Row({ day, causes, decimals, onOpen }: RowProps) {
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={opensOnClick(onOpen)}>
      <Td className="font-medium whitespace-nowrap">{utcDate(day.day)}</Td>
      <Td right className="text-muted">
        <Money exact amount={day.opening} decimals={decimals} />
      </Td>
      {causes.map((cause) => (
        <ChangeCell
          key={cause}
          amount={day[cause]}
          decimals={decimals}
          {...(cause === 'usage' && {
            of: (usage: ReactNode) => <UsageLink day={day.day}>{usage}</UsageLink>,
          })}
        />
      ))}
      <Td right className="font-medium">
        <Money exact amount={day.closing} decimals={decimals} />
      </Td>
      <Td right>
        <Button look="ghost" size="small" onClick={onOpen}>
          Entries
          <span className="sr-only"> of {utcDate(day.day)}</span>
        </Button>
      </Td>
    </tr>
  );
}

/** Leads to the usage of the day. */
function UsageLink({ day, children }: Readonly<{ day: string; children: ReactNode }>) {
  const organization = useOrganization();
  return (
    <Link
      to={PAGES.usage.path}
      params={{ organization }}
      search={{ from: day, to: day }}
      className="hover:underline"
      title={`Usage of ${utcDate(day)}`}
    >
      {children}
    </Link>
  );
}

/** What one column changed in the balance; a dash if nothing. */
function ChangeCell({
  amount,
  decimals,
  of = (change) => change,
}: Readonly<{
  amount: string;
  decimals: number;
  of?: (change: ReactNode) => ReactNode;
}>) {
  const change = picoOf(amount);
  if (change === 0n)
    return (
      <Td right>
        <Dash />
      </Td>
    );
  return (
    <Td right className={cx('whitespace-nowrap', change > 0n && 'text-good')}>
      {of(
        <>
          {change > 0n && '+'}
          <Money exact {...{ amount, decimals }} />
        </>,
      )}
    </Td>
  );
}
